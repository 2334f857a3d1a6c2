import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

extension TestHost {
    /// Asks the author of a post.
    @discardableResult
    func ask(_ post: Post, _ text: String? = "Is it free?") async throws -> PostMessage {
        try await call(
            PostMessageCommands.message,
            .init(id: RecordPrefix(post.id), text: text.map { try PostMessageText($0) }))
    }

    func messages() async throws -> [PostMessage] {
        try await call(PostMessageCommands.messages).messages
    }

    func states() async throws -> [PostMessage.State] {
        try await messages().map(\.state)
    }

    func sharesPair(with other: TestHost) async throws -> Bool {
        try await spaces(sharedWith: other.me.person)
            .contains(.between(me.person, other.me.person))
    }

    func inboxTitles() async throws -> [String] {
        try await call(InboxCommands.list).items.filter { !$0.handled }
            .map(\.title.sentence.english)
    }

    /// Whether no request, conversation or item of the inbox is left.
    func hasNothing(with other: TestHost) async throws -> Bool {
        let items = try await inboxTitles()
        let shares = try await sharesPair(with: other)
        return try await states().isEmpty && items.isEmpty && !shares
    }

    fileprivate func batchesCount() async throws -> Int {
        try await rows("SELECT 1 FROM waggle_batch").count
    }

    var named: NamePostPerson { NamePostPerson(person: NameOrKey(me.person)) }
}

/// Messages to authors of posts: Ann and Cem share a neighbourhood with Ben, and meet later.
@Suite struct MessagesTests {
    /// Ann and Cem, who are not linked, and a post of Cem's that Ann has.
    private func apart(_ network: TestNetwork) async throws -> (TestHost, TestHost, Post) {
        let people = try await network.town("Ann", "Ben", "Cem")
        let post = try await people[2].write("A dog bed", "Almost new")
        try await network.settle()
        return (people[0], people[2], post)
    }

    @Test func `a request waits across a restart until the two are near, and opens when accepted`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            let sent = try await ann.ask(post)
            #expect(sent.state == .waiting && sent.person == post.author && sent.room == nil)
            #expect(sent.title == "A dog bed" && sent.text == "Is it free?")
            let name = "Cem · \(cem.me.person.suffix)"
            #expect(sent.note?.sentence.english == "Waits until you are near \(name).")
            await ann.start()
            try await network.settle()
            #expect(try await ann.states() == [.waiting])
            #expect(try await cem.states().isEmpty)
            // Something is shared with the author from now on, so the node looks for them.
            #expect(try await ann.sharesPair(with: cem))

            let before = try await cem.batchesCount()
            try await network.setLink(ann, cem, isUp: true)
            let asking = try #require(try await cem.messages().first)
            #expect(asking.state == .asking && asking.text == "Is it free?")
            #expect(asking.name?.string.hasPrefix("Ann · ") == true && asking.post == post.id)
            let title = "Ann · \(ann.me.person.suffix) would like to write to you"
            #expect(try await cem.inboxTitles() == [title])
            let notice = try #require(cem.drainNotices().first { $0.title.english == title })
            #expect(notice.body.english == "About “A dog bed”: Is it free?")
            #expect(notice.actions.map(\.label.english) == ["Accept", "Decline"])
            // A stranger causes no write.
            #expect(try await cem.batchesCount() == before)
            #expect(try await !cem.sharesPair(with: ann))

            // The name that the list shows is enough.
            let accepted = try await cem.call(
                PostMessageCommands.accept, .init(person: NameOrKey("ann")))
            #expect(accepted.person == Key(ann.me.person))
            #expect(accepted.name?.string == "Ann · \(ann.me.person.suffix)")
            let note = "The chat opens when you are near Ann · \(ann.me.person.suffix)."
            #expect(accepted.note?.sentence.english == note)
            try await network.settle()
            for (one, other) in [(ann, cem), (cem, ann)] {
                let open = try #require(try await one.messages().first)
                #expect(open.state == .open && open.person == Key(other.me.person))
                #expect(open.title == "A dog bed" && open.post == post.id)
                let pair = SpaceDescriptor.between(one.me.person, other.me.person)
                #expect(open.room == Key(pair.id))
                #expect(try await one.spaces(sharedWith: other.me.person) == [pair])
            }
            #expect(try await cem.inboxTitles().isEmpty)
            #expect(try await ann.inboxTitles() == ["\(name) accepted your request"])
            #expect(ann.drainNotices().count == 1)
            try await mutingHidesTheRequest(of: cem, notOf: ann)
            #expect(try await ann.ask(post, nil).state == .open, "asking again opens the chat")
            try await cem.call(PostMessageCommands.end, ann.named)
            try await network.settle()
            for (one, other) in [(ann, cem), (cem, ann)] {
                #expect(try await one.hasNothing(with: other))
            }
        }
    }

    private func mutingHidesTheRequest(of cem: TestHost, notOf ann: TestHost) async throws {
        try await cem.call(MutedWordCommands.add, .init(word: MutedWord("free")))
        let shown = try #require(try await cem.messages().first)
        #expect(shown.state == .open && shown.text == nil && shown.title == "A dog bed")
        #expect(try await ann.messages().first?.text == "Is it free?")
    }

    @Test func `mates need no request`() async throws {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            try await network.setLink(ann, cem, isUp: true)
            #expect(try await ann.ask(post).state == .waiting)
            for (one, other) in [(ann, cem), (cem, ann)] {
                try await one.plugin(CoreFeatures.self)?.proposeMate(
                    other.me.person, meeting: .zero, card: ProfileFields(nickname: "Mate"))
            }
            try await network.settle()
            #expect(try await ann.states().isEmpty)
            #expect(try await cem.states().isEmpty)
            let answer = try await ann.ask(post, nil)
            #expect(answer.state == .mate && answer.room != nil)
            #expect(answer.note?.sentence.english == "You are mates: write in your chat.")
            let facts = try await ann.rows("SELECT 1 FROM neighbours_correspondence")
            #expect(facts.count == 1)
        }
    }

    @Test func `a declined request looks like one without an answer, and lapses after 7 days`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            try await network.setLink(ann, cem, isUp: true)
            try await ann.ask(post)
            try await network.settle()
            try await cem.call(PostMessageCommands.decline, ann.named)
            #expect(try await cem.states().isEmpty)
            await cem.start()
            try await network.setLink(ann, cem, isUp: false)
            try await network.setLink(ann, cem, isUp: true)
            #expect(try await cem.states().isEmpty)
            #expect(try await cem.inboxTitles().isEmpty)
            let waiting = try #require(try await ann.messages().first)
            #expect(
                waiting.state == .waiting
                    && waiting.note?.sentence.english == "Waits for an answer.")
            await #expect(throws: CommandFault.self) { try await ann.ask(post) }
            try await network.skip(seconds: 7 * 86_400 - 60)
            #expect(try await ann.states() == [.waiting])
            try await network.skip(seconds: 120)
            #expect(try await ann.states().isEmpty)
            #expect(try await !ann.sharesPair(with: cem))
        }
    }

    @Test func `a request that is taken back leaves the other's inbox`() async throws {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            try await network.setLink(ann, cem, isUp: true)
            try await ann.ask(post)
            try await network.settle()
            #expect(try await cem.states() == [.asking])
            try await ann.call(PostMessageCommands.end, cem.named)
            try await network.settle()
            #expect(try await cem.states().isEmpty)
            #expect(try await cem.inboxTitles().isEmpty)
            #expect(try await !ann.sharesPair(with: cem))
        }
    }

    @Test func `an acceptance of a request that was taken back meanwhile ends at the next contact`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            try await network.setLink(ann, cem, isUp: true)
            try await ann.ask(post)
            try await network.settle()
            try await network.setLink(ann, cem, isUp: false)
            try await ann.call(PostMessageCommands.end, cem.named)
            #expect(
                try await cem.call(PostMessageCommands.accept, ann.named).state == .accepted)
            for host in [ann, cem] { await host.start() }
            try await network.setLink(ann, cem, isUp: true)
            #expect(try await ann.states().isEmpty)
            #expect(try await cem.states().isEmpty)
            #expect(try await !ann.sharesPair(with: cem))
            #expect(try await !cem.sharesPair(with: ann))
        }
    }

    @Test func `two who ask each other write to each other without another press`() async throws {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            let other = try await ann.write("A leash")
            try await network.settle()
            try await ann.ask(post)
            try await cem.ask(other)
            try await network.setLink(ann, cem, isUp: true)
            #expect(try await ann.states() == [.open])
            #expect(try await cem.states() == [.open])
            let standing = try await ann.rows(
                "SELECT 1 FROM neighbours_correspondence_mine WHERE stands AND NOT is_over")
            #expect(standing.count == 1)
            try await ann.call(PostMessageCommands.end, cem.named)
            try await network.pass(seconds: 1)
            #expect(try await ann.states().isEmpty)
            #expect(try await cem.states().isEmpty)
        }
    }

    @Test func `a blocked person cannot ask, and a block ends the conversation`() async throws {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            try await network.setLink(ann, cem, isUp: true)
            try await ann.ask(post)
            try await network.settle()
            let block = BlockPerson(person: NameOrKey(ann.me.person), reason: .other)
            try await cem.call(MateCommands.block, block)
            try await network.settle()
            #expect(try await cem.states().isEmpty)
            #expect(try await cem.inboxTitles().isEmpty)
            try await network.setLink(ann, cem, isUp: false)
            try await network.setLink(ann, cem, isUp: true)
            #expect(try await cem.states().isEmpty)
            #expect(try await ann.states() == [.waiting])
            await #expect(throws: CommandFault.self) {
                try await cem.call(PostMessageCommands.accept, ann.named)
            }
            try await cem.call(MateCommands.unblock, .init(person: NameOrKey(ann.me.person)))
            try await network.setLink(ann, cem, isUp: false)
            try await network.setLink(ann, cem, isUp: true)
            try await cem.call(PostMessageCommands.accept, ann.named)
            try await network.settle()
            #expect(try await ann.states() == [.open])
            try await cem.call(MateCommands.block, block)
            try await network.settle()
            #expect(try await cem.states().isEmpty)
            #expect(try await !cem.sharesPair(with: ann))
        }
    }

    @Test func `muted words, posts of others and deleted posts cause no request`() async throws {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            try await cem.call(MutedWordCommands.add, .init(word: MutedWord("free")))
            try await network.setLink(ann, cem, isUp: true)
            try await ann.ask(post)
            try await network.settle()
            #expect(try await cem.states().isEmpty)
            #expect(cem.drainNotices().isEmpty)
            await #expect(throws: CommandFault.self) { try await cem.ask(post) }
        }
    }

    @Test func `a request goes when its word is muted, and when its post is deleted`() async throws
    {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            try await network.setLink(ann, cem, isUp: true)
            try await ann.ask(post)
            try await network.settle()
            #expect(try await cem.states() == [.asking])
            let free = NameMutedWord(word: try MutedWord("free"))
            try await cem.call(MutedWordCommands.add, free)
            try await network.settle()
            #expect(try await cem.states().isEmpty)
            #expect(try await cem.inboxTitles().isEmpty)
            try await cem.call(MutedWordCommands.remove, free)
            try await network.setLink(ann, cem, isUp: false)
            try await network.setLink(ann, cem, isUp: true)
            #expect(try await cem.states() == [.asking])
            try await cem.call(PostCommands.delete, post.named)
            try await network.settle()
            #expect(try await cem.states().isEmpty)
            #expect(try await cem.inboxTitles().isEmpty)
        }
    }

    // MARK: - Several devices

    @Test func `a request is shown on all devices of the author, and handled on all`() async throws
    {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            let tablet = try await network.device(
                seed: 11, of: cem, [CoreFeatures.self, Posts.self, Walker.self])
            try await network.setLink(cem, tablet, isUp: true)
            try await network.setLink(ann, cem, isUp: true)
            try await ann.ask(post)
            try await network.settle()
            #expect(try await tablet.states() == [.asking])
            #expect(try await cem.states() == [.asking])
            #expect(try await tablet.inboxTitles().count == 1)
            try await tablet.call(PostMessageCommands.decline, ann.named)
            try await network.settle()
            #expect(try await cem.states().isEmpty)
            #expect(try await cem.inboxTitles().isEmpty)
            try await ann.call(PostMessageCommands.end, cem.named)
            try await ann.ask(post)
            try await network.settle()
            try await tablet.call(PostMessageCommands.accept, ann.named)
            try await network.settle()
            #expect(try await cem.states() == [.open])
            #expect(try await tablet.states() == [.open])
            #expect(try await ann.states() == [.open])
            #expect(try await cem.inboxTitles().isEmpty)
            try await cem.call(PostMessageCommands.end, ann.named)
            try await network.settle()
            #expect(try await tablet.states().isEmpty)
            #expect(try await ann.states().isEmpty)
        }
    }

    @Test func `what one device asks is shown on the other, which sends it too`() async throws {
        try await TestNetwork.with { network in
            let (ann, cem, post) = try await apart(network)
            let laptop = try await network.device(
                seed: 11, of: ann, [CoreFeatures.self, Posts.self, Walker.self])
            try await network.setLink(ann, laptop, isUp: true)
            try await ann.ask(post)
            try await network.settle()
            let waiting = try #require(try await laptop.messages().first)
            #expect(waiting.state == .waiting && waiting.text == "Is it free?")
            try await network.setLink(ann, laptop, isUp: false)
            try await network.setLink(laptop, cem, isUp: true)
            #expect(try await cem.states() == [.asking])
            try await cem.call(PostMessageCommands.accept, ann.named)
            try await network.settle()
            #expect(try await laptop.states() == [.open])
            #expect(try await ann.states() == [.waiting])
            try await network.setLink(ann, laptop, isUp: true)
            #expect(try await ann.states() == [.open])
            // The first device is told of it by the other, and it is one item.
            #expect(try await ann.inboxTitles().count == 1)
        }
    }
}
