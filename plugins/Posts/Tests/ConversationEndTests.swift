import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// A conversation that ends, and the item of the inbox that says that it is open.
@Suite struct ConversationEndTests {
    /// Ann and Cem, who are linked, and a post of each.
    private struct Street {
        let network: TestNetwork
        let ann: TestHost
        let cem: TestHost
        let posts: (ofAnn: Post, ofCem: Post)

        static func gather(_ network: TestNetwork) async throws -> Street {
            let people = try await network.town("Ann", "Ben", "Cem")
            let posts = (
                ofAnn: try await people[0].write("A leash"),
                ofCem: try await people[2].write("A dog bed")
            )
            try await network.settle()
            try await network.setLink(people[0], people[2], isUp: true)
            return Street(network: network, ann: people[0], cem: people[2], posts: posts)
        }

        /// Ann asks, and Cem accepts.
        func open() async throws {
            try await ann.ask(posts.ofCem)
            try await network.settle()
            try await cem.call(PostMessageCommands.accept, ann.named)
            try await network.settle()
            #expect(try await ann.states() == [.open])
            #expect(
                try await ann.inboxTitles()
                    == ["Cem · \(cem.me.person.suffix) accepted your request"])
        }
    }

    @Test func `an open chat leaves the inbox of the one who ends it, each time`() async throws {
        try await TestNetwork.with { network in
            let street = try await Street.gather(network)
            for _ in 0..<2 {
                try await street.open()
                try await street.ann.call(PostMessageCommands.end, street.cem.named)
                try await network.settle()
                #expect(try await street.ann.hasNothing(with: street.cem))
                #expect(try await street.cem.hasNothing(with: street.ann))
            }
        }
    }

    @Test func `an open chat leaves the inbox of the one who blocks the other`() async throws {
        try await TestNetwork.with { network in
            let street = try await Street.gather(network)
            try await street.open()
            try await street.ann.call(
                MateCommands.block,
                .init(person: NameOrKey(street.cem.me.person), reason: .other))
            try await network.settle()
            #expect(try await street.ann.hasNothing(with: street.cem))
        }
    }

    @Test func `an item that cannot be settled stops no message, and is settled later`()
        async throws
    {
        try await TestNetwork.with { network in
            let street = try await Street.gather(network)
            let (ann, cem) = (street.ann, street.cem)
            try await street.open()
            ann.setUnsettled("The disk is full.")
            try await cem.call(PostMessageCommands.end, ann.named)
            try await network.settle()
            #expect(try await ann.states().isEmpty)
            #expect(try await ann.inboxTitles().count == 1)
            await ann.start()
            try await network.settle()
            try await cem.ask(street.posts.ofAnn)
            try await network.settle()
            #expect(try await ann.states() == [.asking])
            #expect(try await ann.inboxTitles().count == 2)
            ann.setUnsettled(nil)
            try await network.skip(seconds: 301)
            #expect(
                try await ann.inboxTitles()
                    == ["Cem · \(cem.me.person.suffix) would like to write to you"])
        }
    }

    @Test func `a name stays when its request was accepted, and goes when it is muted`()
        async throws
    {
        try await TestNetwork.with { network in
            let street = try await Street.gather(network)
            let (ann, cem) = (street.ann, street.cem)
            try await ann.ask(street.posts.ofCem)
            try await network.settle()
            try await network.setLink(ann, cem, isUp: false)
            try await cem.call(PostMessageCommands.accept, ann.named)
            // What is stored is read again.
            try await network.skip(seconds: 301)
            let name = "Ann · \(ann.me.person.suffix)"
            #expect(try await cem.messages().map(\.name?.string) == [name])
            try await cem.call(MutedWordCommands.add, .init(word: MutedWord("ann")))
            #expect(try await cem.messages().map(\.name) == [nil])
        }
    }

    @Test func `the name that came with the conversation goes when it is muted`() async throws {
        try await TestNetwork.with { network in
            let street = try await Street.gather(network)
            let (ann, cem) = (street.ann, street.cem)
            try await street.open()
            #expect(
                try await cem.messages().map(\.name?.string) == [ann.me.person.called("Ann")])
            try await cem.call(MutedWordCommands.add, .init(word: MutedWord("ann")))
            #expect(try await cem.messages().map(\.name) == [nil])
        }
    }
}
