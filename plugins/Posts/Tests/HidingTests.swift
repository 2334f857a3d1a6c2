import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// A person hides posts and words, and nobody else learns of it.
@Suite struct HidingTests {
    @Test func `hidden posts, blocked people and muted words are left out and counted`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let (ann, ben, cem) = (people[0], people[1], people[2])
            let sofa = try await ben.write("Sofa")
            try await ben.write("Table", "with a LOTTERY ticket")
            try await cem.write("Chair")
            try await ann.write("my lottery")
            try await network.settle()
            try await ann.call(PostCommands.hide, sofa.named)
            try await ann.call(PostCommands.hide, sofa.named)
            try await ann.call(MutedWordCommands.add, .init(word: MutedWord("Lottery")))
            try await ann.call(
                MateCommands.block,
                .init(person: NameOrKey(cem.me.person), reason: .other))
            try await network.settle()
            var page = try await ann.call(PostCommands.list, .init())
            #expect(page.posts.map(\.title.string) == ["my lottery"])
            #expect(page.hiddenCount == 3)
            #expect(try await ann.show(sofa).hidden)
            let hidden = try await ann.call(PostCommands.hidden).posts
            #expect(hidden.map(\.id) == [sofa.id] && hidden.first?.title == "Sofa")
            #expect(try await ben.titles().count == 4, "nobody else learns of it")

            try await ann.call(PostCommands.unhide, sofa.named)
            try await ann.call(MutedWordCommands.remove, .init(word: MutedWord("LOTTERY")))
            page = try await ann.call(PostCommands.list, .init())
            #expect(Set(page.posts.map(\.title.string)) == ["my lottery", "Table", "Sofa"])
            #expect(page.hiddenCount == 1)
            #expect(try await ann.call(MutedWordCommands.list).words.isEmpty)
            await #expect(
                throws: CommandFault.notFound(
                    "You have not muted this word; see 'muted list'.")
            ) { try await ann.call(MutedWordCommands.remove, .init(word: MutedWord("none"))) }
        }
    }

    @Test func `lists are asked for anew when a word is muted, and when it is shown again`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            let word = NameMutedWord(word: try MutedWord("casino"))
            for command in [MutedWordCommands.add, MutedWordCommands.remove] {
                _ = ann.drainEvents()
                try await ann.call(command, word)
                try await network.settle()
                #expect(ann.drainEvents().contains("posts"))
            }
        }
    }

    @Test func `a record that another device has just erased is no fault`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[1].write("Sofa")
            try await network.settle()
            try await people[0].call(PostCommands.hide, post.named)
            let records = try await people[0].rows("SELECT entity FROM posts_hidden")
            let record = try #require(records.first?.entity("entity"))
            let posts = try #require(people[0].plugin(Posts.self))
            for _ in 0..<2 {
                try await posts.erase(record, of: Posts.hidden, in: .own(people[0].me.person))
                #expect(try await people[0].titles() == ["Sofa"])
            }
        }
    }

    @Test func `what I recorded about posts that are long gone is erased`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let ann = people[0]
            let sofa = try await ann.write("Sofa")
            let table = try await people[1].write("Table")
            try await network.settle()
            try await people[1].comment("Blue?", on: sofa)
            try await network.settle()
            try await ann.call(PostCommands.open, sofa.named)
            try await ann.call(PostCommands.hide, table.named)
            func records() async throws -> Int {
                try await ann.rows(
                    "SELECT post FROM posts_seen UNION ALL SELECT post FROM posts_hidden"
                ).count
            }
            try await network.skip(seconds: 59 * 86_400)
            for person in people { try await person.prune() }
            await ann.start()
            try await network.settle()
            #expect(try await ann.rows("SELECT 1 AS one FROM posts_post").isEmpty)
            #expect(try await records() == 2, "the posts may come back")
            try await network.skip(seconds: 2 * 86_400)
            await ann.start()
            try await network.settle()
            #expect(try await records() == 0)
        }
    }

    @Test func `a page is filled up with posts that are shown`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem", "Dan", "Eva")
            for number in 0..<60 {
                try await people[1 + number / 15].write(
                    number % 3 == 0 ? "shown \(number)" : "spam \(number)")
                try await network.skip(seconds: 1)
            }
            try await network.settle()
            try await people[0].call(MutedWordCommands.add, .init(word: MutedWord("spam")))
            let pages = try await people[0].pages(ListPosts())
            #expect(pages.map(\.posts.count) == [20])
            #expect(pages[0].hiddenCount.value == 40)
            #expect(pages[0].posts.first?.title == "shown 57")
        }
    }

    @Test func `a comment with a muted word or of a blocked person is left out`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let post = try await people[0].write("Sofa")
            try await network.settle()
            try await people[1].comment("You won a lottery", on: post)
            try await people[1].comment("Is it blue?", on: post)
            try await people[2].comment("Ugly", on: post)
            try await network.settle()
            try await people[0].call(MutedWordCommands.add, .init(word: MutedWord("lottery")))
            try await people[0].call(
                MateCommands.block,
                .init(person: NameOrKey(people[2].me.person), reason: .unpleasant))
            let shown = try await people[0].show(post)
            #expect(shown.comments.map(\.text.string) == ["Is it blue?"])
            #expect(shown.hiddenCount == 2)
        }
    }

    @Test func `a nickname with a muted word is not shown, and its posts are left out`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "CasinoBen")
            let post = try await people[1].write("Sofa")
            try await network.settle()
            let name = people[1].me.person.called("CasinoBen")
            #expect(try await people[0].show(post).post.name?.string == name)
            try await people[0].call(MutedWordCommands.add, .init(word: MutedWord("casino")))
            #expect(try await people[0].show(post).post.name == nil)
            #expect(try await people[0].titles().isEmpty)
        }
    }

    @Test func `a report hides the post, and stays on this person's devices`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[1].write("Sofa")
            try await network.settle()
            let ann = people[0]
            let laptop = try await network.device(
                seed: 77, of: ann, [CoreFeatures.self, Posts.self, Walker.self])
            try await network.setLink(ann, laptop, isUp: true)
            try await ann.call(
                PostCommands.report,
                .init(
                    id: RecordPrefix(post.id), reason: .spam, text: ReportText("again")))
            try await network.settle()
            for device in [ann, laptop] {
                let entry = try #require(try await device.call(PostCommands.hidden).posts.first)
                #expect(entry.reason == .spam && entry.text == "again")
                #expect(try await device.titles().isEmpty)
            }
            #expect(try await people[1].rows("SELECT 1 AS one FROM posts_hidden").isEmpty)
            await #expect(
                throws: CommandFault.refused("This is your own post; you can delete it.")
            ) {
                try await people[1].call(
                    PostCommands.report, .init(id: RecordPrefix(post.id), reason: .other))
            }
        }
    }
}

/// Drafts, which only own devices have.
@Suite struct DraftTests {
    private static let needsCategory = CommandFault.refused(
        "A post needs a category, which is one of: walk, question, second-hand, sitter, give-away.")

    @Test func `a draft is kept on all my devices, changed, and becomes a post`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let ann = people[0]
            let laptop = try await network.device(
                seed: 77, of: ann, [CoreFeatures.self, Posts.self, Walker.self])
            try await network.setLink(ann, laptop, isUp: true)
            let draft = try await ann.call(
                PostCommands.draft, .init(title: Text("So"), text: PostText("blue")))
            try await network.settle()
            #expect(try await laptop.call(PostCommands.drafts).drafts == [draft])
            await #expect(throws: Self.needsCategory) {
                try await laptop.call(
                    PostCommands.write, .init(draft: RecordPrefix(draft.id)))
            }
            let changed = try await laptop.call(
                PostCommands.draft,
                .init(
                    draft: RecordPrefix(draft.id), category: .free, title: Text("Sofa"),
                    latitude: Latitude(middle.latitude),
                    longitude: Longitude(middle.longitude), precision: .exact))
            #expect(changed.id == draft.id && changed.text == "" && changed.precision == .exact)
            try await network.settle()
            let post = try await ann.call(
                PostCommands.write,
                .init(text: PostText("really blue"), draft: RecordPrefix(draft.id)))
            #expect(post.title == "Sofa" && post.category == .free && post.text == "really blue")
            #expect(post.location?.latitude == middle.latitude)
            try await network.settle()
            for device in [ann, laptop] {
                #expect(try await device.call(PostCommands.drafts).drafts.isEmpty)
            }
            #expect(try await people[1].rows("SELECT 1 AS one FROM posts_draft").isEmpty)
        }
    }

    @Test func `50 drafts are kept, and the 51st refused until one is deleted`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            var last: SavedPostDraft?
            for number in 1...50 {
                last = try await ann.call(
                    PostCommands.draft, .init(title: Text("draft \(number)")))
            }
            await #expect(throws: CommandFault.self) {
                try await ann.call(PostCommands.draft, .init(title: Text("one more")))
            }
            let named = NamePostDraft(draft: RecordPrefix(try #require(last).id))
            try await ann.call(PostCommands.discard, named)
            try await ann.call(PostCommands.draft, .init(title: Text("one more")))
        }
    }
}
