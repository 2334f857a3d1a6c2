import ChatAPI
import Features
import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Chat

/// The room of two people who are no mates and have an agreement.
@Suite struct AgreementRoomTests {
    private let agreement = Bytes16([UInt8](repeating: 5, count: 16)) ?? .zero

    private func strangers(_ network: TestNetwork) async throws -> (TestHost, TestHost) {
        let plugins: [any Plugin.Type] = [CoreFeatures.self, Chat.self]
        let ann = try await network.host(seed: 1, plugins)
        let ben = try await network.host(seed: 2, plugins)
        try await network.setLink(ann, ben, isUp: true)
        return (ann, ben)
    }

    private func store(
        _ one: TestHost, with other: TestHost, named name: String,
        of purpose: AgreementPurpose = .match
    ) async throws {
        try await one.plugin(CoreFeatures.self)?.storeFact(
            AgreementFact(id: agreement, name: name, proof: [1]), of: purpose,
            with: other.me.person)
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
                    other.me.person, meeting: agreement, card: ProfileFields(nickname: "Mate"))
            }
            try await network.settle()
            let room = try #require(try await ann.call(ChatCommands.rooms).rooms.first)
            #expect(room.canSend && !room.studyMatch)
            try await ann.call(
                ChatCommands.send, .init(room: NameOrKey(room.id), text: MessageText("Hello")))
            try await network.settle()
            try await ben.plugin(CoreFeatures.self)?.endAgreement(
                agreement, of: .match, with: ann.me.person, isCancel: true,
                isKnown: false)
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

    @Test(arguments: AgreementPurpose.allCases)
    func `a room is open while an agreement stands, says who it is and why, and is kept after it`(
        _ purpose: AgreementPurpose
    ) async throws {
        func hasReason(_ room: ChatRoom) -> Bool {
            room.studyMatch == (purpose == .match)
                && room.aboutPost == (purpose == .correspondence)
        }
        try await TestNetwork.with { network in
            let (ann, ben) = try await strangers(network)
            try await store(ann, with: ben, named: "Ann", of: purpose)
            try await network.settle()
            // One fact alone is no agreement.
            #expect(try await ann.call(ChatCommands.rooms).rooms.isEmpty)
            try await store(ben, with: ann, named: "Ben", of: purpose)
            try await network.settle()
            let room = try #require(try await ann.call(ChatCommands.rooms).rooms.first)
            #expect(hasReason(room) && room.canSend)
            #expect(room.title == "Ben · \(ben.me.person.suffix)")
            // The name that the list shows means the room, with the digits beside it or without.
            for name in ["ben", room.title.string] {
                #expect(
                    try await ann.call(ChatCommands.page, .init(room: NameOrKey(name)))
                        .messages.isEmpty)
            }
            try await ann.call(
                ChatCommands.send, .init(room: NameOrKey("Ben"), text: MessageText("Hello")))
            try await network.settle()
            let theirs = try #require(try await ben.call(ChatCommands.rooms).rooms.first)
            #expect(theirs.lastText == "Hello" && hasReason(theirs))
            try await ben.plugin(CoreFeatures.self)?.endAgreement(
                agreement, of: purpose, with: ann.me.person, isCancel: true,
                isKnown: false)
            try await network.settle()
            for host in [ann, ben] {
                let over = try #require(try await host.call(ChatCommands.rooms).rooms.first)
                #expect(!over.canSend && hasReason(over))
                let what = purpose == .match ? "Your match" : "This conversation"
                #expect(
                    over.reason?.sentence.english
                        == "\(what) is over; the messages stay, but none can be added.")
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
