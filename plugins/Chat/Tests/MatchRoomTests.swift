import ChatAPI
import Features
import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Chat

/// The room of two people who are no mates and have a match.
@Suite struct MatchRoomTests {
    private let match = Bytes16([UInt8](repeating: 5, count: 16)) ?? .zero

    private func strangers(_ network: TestNetwork) async throws -> (TestHost, TestHost) {
        let plugins: [any Plugin.Type] = [CoreFeatures.self, Chat.self]
        let ann = try await network.host(seed: 1, plugins)
        let ben = try await network.host(seed: 2, plugins)
        try await network.setLink(ann, ben, isUp: true)
        return (ann, ben)
    }

    private func store(_ one: TestHost, with other: TestHost, named name: String) async throws {
        try await one.plugin(CoreFeatures.self)?.storeMatch(
            MatchFact(match: match, name: name, proof: [1]), with: other.me.person)
    }

    @Test func `former mates who met by a match are told that they are no mates`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await strangers(network)
            try await store(ann, with: ben, named: "Ann")
            try await network.settle()
            try await store(ben, with: ann, named: "Ben")
            try await network.settle()
            for (one, other) in [(ann, ben), (ben, ann)] {
                try await one.plugin(CoreFeatures.self)?.proposeMate(
                    other.me.person, meeting: match, card: ProfileFields(nickname: "Mate"))
            }
            try await network.settle()
            let room = try #require(try await ann.call(ChatCommands.rooms).rooms.first)
            #expect(room.canSend && !room.studyMatch)
            try await ann.call(
                ChatCommands.send, .init(room: NameOrKey(room.id), text: MessageText("Hello")))
            try await network.settle()
            try await ben.plugin(CoreFeatures.self)?.endMatch(
                match, with: ann.me.person, isCancel: true, isKnown: false)
            try await network.settle()
            try await ann.call(
                MateCommands.remove, .init(person: NameOrKey(Key(ben.me.person))))
            try await network.settle()
            for host in [ann, ben] {
                let over = try #require(try await host.call(ChatCommands.rooms).rooms.first)
                #expect(!over.canSend && !over.studyMatch)
                #expect(
                    over.reason
                        == "You are not mates any more; the messages stay, but none can be added.")
            }
        }
    }

    @Test func `a room is open while a match stands, says who it is and why, and is kept after it`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await strangers(network)
            try await store(ann, with: ben, named: "Ann")
            try await network.settle()
            // One fact alone is no match.
            #expect(try await ann.call(ChatCommands.rooms).rooms.isEmpty)
            try await store(ben, with: ann, named: "Ben")
            try await network.settle()
            let room = try #require(try await ann.call(ChatCommands.rooms).rooms.first)
            #expect(room.studyMatch && room.canSend)
            #expect(room.title == "Ben · \(ben.me.person.suffix)")
            try await ann.call(
                ChatCommands.send, .init(room: NameOrKey(room.id), text: MessageText("Hello")))
            try await network.settle()
            let theirs = try #require(try await ben.call(ChatCommands.rooms).rooms.first)
            #expect(theirs.lastText == "Hello" && theirs.studyMatch)
            try await ben.plugin(CoreFeatures.self)?.endMatch(
                match, with: ann.me.person, isCancel: true, isKnown: false)
            try await network.settle()
            for host in [ann, ben] {
                let over = try #require(try await host.call(ChatCommands.rooms).rooms.first)
                #expect(!over.canSend && over.studyMatch)
                #expect(
                    over.reason == "Your match is over; the messages stay, but none can be added.")
                await #expect(throws: CommandFault.self) {
                    try await host.call(
                        ChatCommands.send, .init(room: NameOrKey(over.id), text: MessageText("?")))
                }
                #expect(
                    try await host.call(ChatCommands.open, .init(room: NameOrKey(over.id)))
                        .messages.count == 1)
            }
        }
    }
}
