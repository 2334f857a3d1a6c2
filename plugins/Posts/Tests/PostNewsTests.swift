import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// The reports about comments on own posts.
@Suite struct PostNewsTests {
    @Test func `comments are reported in one item, and withdrawn when I look`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let ann = people[0]
            let post = try await ann.write("Sofa")
            try await network.settle()
            try await people[1].comment("Is it blue?", on: post)
            try await network.settle()
            let first = try #require(ann.drainNotices().last)
            let ben = people[1].me.person.called("Ben")
            #expect(first.title.english == "\(ben) commented on your post")
            #expect(first.body == "Is it blue?" && first.withoutText == first.title)
            try await people[2].comment("I take it", on: post)
            try await network.settle()
            let second = try #require(ann.drainNotices().last)
            #expect(second.title == "2 new comments on your post")
            #expect(second.subject == first.subject)
            #expect(try await ann.reports() == [Posts.reference(of: EntityID(post.id)): false])
            // Strangers wrote, so nothing is stored.
            #expect(try await ann.rows("SELECT 1 AS one FROM neighbours_inbox").isEmpty)
            for other in people[1...] { #expect(other.drainNotices().isEmpty) }
            try await ann.call(PostCommands.open, post.named)
            try await network.settle()
            #expect(try await ann.reports().values.allSatisfy { $0 })
            // After a restart, what was seen stays seen.
            await ann.start()
            try await network.settle()
            #expect(try await ann.reports().values.allSatisfy { $0 })
            #expect(ann.drainNotices().isEmpty)
        }
    }

    @Test func `a comment that arrives after a newer one was seen is reported`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let (ann, ben, cem) = (people[0], people[1], people[2])
            let post = try await ann.write("Sofa")
            try await network.settle()
            try await network.setLink(ben, cem, isUp: false)
            try await cem.comment("I take it", on: post)
            try await network.skip(seconds: 2 * 86_400)
            try await ben.comment("Is it blue?", on: post)
            try await network.settle()
            try await ann.call(PostCommands.open, post.named)
            try await network.settle()
            _ = ann.drainNotices()
            try await network.setLink(ben, cem, isUp: true)
            try await network.settle()
            let notice = try #require(ann.drainNotices().last)
            let name = cem.me.person.called("Cem")
            #expect(notice.title.english == "\(name) commented on your post")
            #expect(notice.body == "I take it")
            let report = Posts.reference(of: EntityID(post.id))
            #expect(try await ann.reports() == [report: false])
            await ann.start()
            try await network.settle()
            #expect(try await ann.reports() == [report: false], "not seen before the restart")
            try await ann.call(PostCommands.open, post.named)
            await ann.start()
            try await network.settle()
            #expect(try await ann.reports().values.allSatisfy { $0 })
        }
    }

    @Test func `more comments than are remembered one by one stay seen`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let ann = people[0]
            let post = try await ann.write("Sofa")
            try await network.settle()
            // No more than 200 of one person and day are stored.
            for number in 0..<260 {
                if number == 130 { try await network.skip(seconds: 86_400) }
                try await people[1].comment("\(number)", on: post)
            }
            try await network.settle()
            let stored = try await ann.rows("SELECT 1 AS one FROM posts_comment").count
            #expect(stored > PostLimits.seenCountMax)
            #expect(try await ann.reports().values.contains(false))
            try await ann.call(PostCommands.open, post.named)
            await ann.start()
            try await network.settle()
            #expect(try await ann.reports().values.allSatisfy { $0 })
            try await people[1].comment("One more", on: post)
            try await network.settle()
            #expect(ann.drainNotices().last?.body == "One more")
        }
    }

    @Test func `what was not seen is reported after a restart, without a notice`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[0].write("Sofa")
            try await network.settle()
            try await people[1].comment("Is it blue?", on: post)
            try await network.settle()
            _ = people[0].drainNotices()
            await people[0].start()
            try await network.settle()
            #expect(
                try await people[0].reports() == [
                    Posts.reference(of: EntityID(post.id)): false
                ])
            #expect(people[0].drainNotices().isEmpty)
        }
    }

    @Test func `a look on one device withdraws the report on the other`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let ann = people[0]
            let laptop = try await network.device(
                seed: 77, of: ann, [CoreFeatures.self, Posts.self, Walker.self])
            try await network.setLink(ann, laptop, isUp: true)
            let post = try await ann.write("Sofa")
            try await network.settle()
            try await people[1].comment("Is it blue?", on: post)
            try await network.settle()
            #expect(try await laptop.reports().values.contains(false))
            try await laptop.call(PostCommands.open, post.named)
            try await network.settle()
            for device in [ann, laptop] {
                #expect(try await device.reports().values.allSatisfy { $0 })
            }
        }
    }

    @Test func `blocked people, muted words and other people's posts are not reported`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let ann = people[0]
            try await ann.call(MutedWordCommands.add, .init(word: MutedWord("lottery")))
            try await ann.call(
                MateCommands.block,
                .init(person: NameOrKey(people[2].me.person), reason: .other))
            let post = try await ann.write("Sofa")
            let other = try await people[1].write("Table")
            try await network.settle()
            try await people[1].comment("Win the LOTTERY", on: post)
            try await people[2].comment("Ugly", on: post)
            try await people[1].comment("And a chair", on: other)
            try await network.settle()
            #expect(ann.drainNotices().isEmpty)
            #expect(try await ann.reports().isEmpty)
        }
    }

    /// The occasions of the stored items.
    private func occasions(_ host: TestHost) async throws -> [String] {
        try await host.rows("SELECT occasion FROM neighbours_inbox")
            .compactMap { $0.text("occasion") }
    }

    @Test func `a comment of a mate is stored, and a stranger's after it causes no write`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let (ann, ben, cem) = (people[0], people[1], people[2])
            for (one, other) in [(ann, ben), (ben, ann)] {
                try await one.plugin(CoreFeatures.self)?.proposeMate(
                    other.me.person, meeting: .zero, card: ProfileFields(nickname: "Mate"))
            }
            let post = try await ann.write("Sofa")
            try await network.settle()
            let before = try await occasions(ann)
            try await ben.comment("Is it blue?", on: post)
            try await network.settle()
            let stored = try await occasions(ann)
            #expect(stored.count == before.count + 1)
            try await cem.comment("I take it", on: post)
            try await network.settle()
            #expect(try await occasions(ann) == stored)
            #expect(ann.drainNotices().last?.body == "I take it")
            let listed = try await ann.call(InboxCommands.list).items
                .filter { $0.kind == Posts.inboxKind && !$0.handled }
            let item = try #require(listed.first)
            #expect(listed.count == 1)
            #expect(item.title.sentence.english == "2 new comments on your post")
            // The item of the mate is under it, and is handled with it.
            try await ann.call(InboxCommands.handle, .init(id: RecordPrefix(item.id)))
            #expect(try await ann.reports().values.allSatisfy { $0 })
            try await cem.comment("Today", on: post)
            try await network.settle()
            #expect(try await ann.reports().values.contains(false))
            try await ben.comment("Tomorrow?", on: post)
            try await network.settle()
            #expect(try await occasions(ann) != stored)
            let titles = try await ann.call(InboxCommands.list).items
                .filter { $0.kind == Posts.inboxKind && !$0.handled }
                .map(\.title.sentence.english)
            #expect(titles == ["4 new comments on your post"])
        }
    }

    @Test func `a comment behind more than are read at once is reported`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let (ann, ben, cem) = (people[0], people[1], people[2])
            try await ann.call(MutedWordCommands.add, .init(word: MutedWord("lottery")))
            let post = try await ann.write("Sofa")
            try await network.settle()
            let many = PostLimits.askedCountMax + 5
            for number in 0..<many { try await ben.comment("lottery \(number)", on: post) }
            try await network.settle()
            #expect(ann.drainNotices().isEmpty)
            try await cem.comment("Is it blue?", on: post)
            try await network.settle()
            #expect(ann.drainNotices().last?.body == "Is it blue?")
            await ann.start()
            try await network.settle()
            #expect(
                try await ann.reports() == [Posts.reference(of: EntityID(post.id)): false])
            // Without the word, more comments than one read has are unseen.
            try await ann.call(MutedWordCommands.remove, .init(word: MutedWord("lottery")))
            try await cem.comment("Is it soft?", on: post)
            try await network.settle()
            let notice = try #require(ann.drainNotices().last)
            #expect(notice.body == "Is it soft?")
        }
    }

    @Test func `behind 400 muted comments, one is reported when it arrives`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem", "Dan")
            let ann = people[0]
            try await ann.call(MutedWordCommands.add, .init(word: MutedWord("lottery")))
            let post = try await ann.write("Sofa")
            try await network.settle()
            let considered = PostLimits.readsCountMax * PostLimits.askedCountMax
            #expect(considered == 400)
            // No more than 200 of one person and day are stored.
            for number in 0..<considered + 5 {
                try await people[1 + number / 180].comment("lottery \(number)", on: post)
            }
            try await network.settle()
            #expect(ann.drainNotices().isEmpty)
            #expect(try await ann.reports().isEmpty)
            // Their clocks do not follow one another's, and it is to be the newest.
            try await network.skip(seconds: 1)
            try await people[3].comment("Is it blue?", on: post)
            try await network.settle()
            let notice = try #require(ann.drainNotices().last)
            #expect(notice.body == "Is it blue?")
            #expect(notice.title == "At least 1 new comment on your post")
            #expect(
                try await ann.reports() == [Posts.reference(of: EntityID(post.id)): false])
            // The muted ones before it are not read to the end again.
            await ann.start()
            try await network.settle()
            #expect(try await ann.reports().isEmpty)
        }
    }

    @Test func `more than a hundred comments that arrive at once are one notice`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let (ann, ben, cem) = (people[0], people[1], people[2])
            let posts = [try await ann.write("Sofa"), try await ann.write("Table")]
            try await network.settle()
            try await network.setLink(ann, ben, isUp: false)
            let many = PostLimits.askedCountMax + 50
            for number in 0..<many { try await ben.comment("\(number)", on: posts[0]) }
            try await cem.comment("Is it wood?", on: posts[1])
            try await network.settle()
            #expect(ann.drainNotices().isEmpty)
            try await network.setLink(ann, ben, isUp: true)
            // The two hosts' logs arrive one after the other, each at once.
            let notices = ann.drainNotices()
            #expect(
                Set(notices.map(\.title.english)) == [
                    "At least \(many) new comments on your post",
                    "\(cem.me.person.called("Cem")) commented on your post",
                ])
            #expect(notices.count == 2, "one for each post")
            let newest = try #require(notices.first { $0.title.english.hasPrefix("At least") })
            #expect(newest.body.english == "\(many - 1)")
            #expect(
                try await ann.reports() == [
                    Posts.reference(of: EntityID(posts[0].id)): false,
                    Posts.reference(of: EntityID(posts[1].id)): false,
                ])
            try await ann.call(PostCommands.open, posts[0].named)
            #expect(
                try await ann.reports() == [Posts.reference(of: EntityID(posts[1].id)): false])
        }
    }

    @Test func `muting a word withdraws what was reported of it, and counts the rest`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let (ann, ben, cem) = (people[0], people[1], people[2])
            let post = try await ann.write("Sofa")
            try await network.settle()
            try await cem.comment("Is it blue?", on: post)
            try await ben.comment("You won a lottery", on: post)
            try await network.settle()
            #expect(try await ann.inboxTitles() == ["2 new comments on your post"])
            _ = ann.drainNotices()
            let steps: [(word: String, titles: [String])] = [
                ("lottery", ["\(cem.me.person.called("Cem")) commented on your post"]),
                ("blue", []),
            ]
            for (word, titles) in steps {
                try await ann.call(MutedWordCommands.add, .init(word: MutedWord(word)))
                try await network.settle()
                #expect(try await ann.inboxTitles() == titles)
            }
            #expect(ann.drainNotices().isEmpty)
        }
    }

    @Test func `deleting the post withdraws the report`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[0].write("Sofa")
            try await network.settle()
            try await people[1].comment("Is it blue?", on: post)
            try await network.settle()
            try await people[0].call(PostCommands.delete, post.named)
            try await network.settle()
            #expect(try await people[0].reports().values.allSatisfy { $0 })
        }
    }
}
