import ChatAPI
import FeaturesAPI
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// The rooms, the right to write in them, and the delivery of a message.
@Suite struct RoomTests {
    @Test func `two mates have a room before the first message`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let room = try #require(try await ann.room(ben.key))
            #expect(room.title == "Ben")
            #expect(room.kind == .pair)
            #expect(room.canSend)
            #expect(room.unread == 0)
            #expect(room.lastText == nil)
            #expect(try await ann.texts(in: ben.key).isEmpty)
        }
    }

    @Test func `a room has my nickname for the mate, and is found by both names`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.call(
                MateCommands.rename,
                .init(person: NameOrKey(ben.me.person), as: OwnNickname("Benjamin")))
            #expect(try await ann.room(ben.key)?.title == "Benjamin")
            for name in ["Benjamin", "Ben"] {
                try await ann.call(
                    ChatCommands.send, .init(room: NameOrKey(name), text: Lines("Hello")))
            }
            #expect(try await ann.texts(in: ben.key) == ["Hello", "Hello"])
        }
    }

    @Test func `a stranger has no room`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.talker(seed: 1, "Ann")
            let ben = try await network.talker(seed: 2, "Ben")
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ann.rooms().isEmpty)
            await #expect(
                throws: CommandFault.notFound("There is no room \(ben.key); see 'chat rooms'.")
            ) { try await ann.say("Hello", to: ben.key) }
        }
    }

    @Test func `a message reaches the mate, once, and is shown in the room`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let id = try await ann.say("같이산책하자", to: ben.key)
            try await network.settle()
            #expect(ben.drainEvents().contains("chat"))
            #expect(try await ben.shown(in: ann.key) == ann.shown(in: ben.key))
            #expect(try await ben.shown(in: ann.key).map(\.id) == [id])
            let room = try await ben.room(ann.key)
            #expect(room?.lastText == "같이산책하자")
            #expect(room?.lastIsMine == false)
            #expect(try await ann.room(ben.key)?.lastIsMine == true)
            #expect(room?.unread == 1)
        }
    }

    @Test func `rooms are sorted by their newest message`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem) = (company.ann, company.ben, company.cem)
            try await ann.say("one", to: ben.key)
            try await network.pass(seconds: 1)
            try await ann.say("two", to: company.group)
            try await network.pass(seconds: 1)
            #expect(
                try await ann.rooms().map(\.title) == ["Walkers", "Ben", "Cem"])
            try await cem.say("three", to: ann.key)
            try await network.settle()
            #expect(
                try await ann.rooms().map(\.title) == ["Cem", "Walkers", "Ben"])
        }
    }

    @Test func `a room is named by the mate's name, or by six digits and not by five`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let digits = ben.key.string.prefix(6)
            try await ann.say("Hello", to: NameOrKey(String(digits)))
            #expect(try await ann.texts(in: NameOrKey(digits.uppercased())) == ["Hello"])
            #expect(try await ann.texts(in: NameOrKey("ben")) == ["Hello"])
            for name in [String(digits.prefix(5)), "zzzzzz"] {
                await #expect(
                    throws: CommandFault.notFound("There is no room \(name); see 'chat rooms'.")
                ) { try await ann.say("x", to: NameOrKey(name)) }
            }
            await #expect(throws: CommandFault.self) {
                try await ann.answer(
                    to: ChatCommands.send.declaration, ["room": "", "text": "x"])
            }
        }
    }

    @Test func `a group has a room for its members`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            try await company.ben.say("Hello all", to: company.group)
            try await network.settle()
            for host in company.all {
                #expect(try await host.texts(in: company.group) == ["Hello all"])
                #expect(try await host.room(company.group)?.title == "Walkers")
                #expect(try await host.room(company.group)?.feature == "neighbours")
            }
            // Cem is not a mate of Ben's, and sees the name that Ben uses in the group.
            let name = try await company.cem.open(company.group).messages.first?.name
            #expect(name == "Ben · \(company.ben.me.person.suffix)")
        }
    }

    @Test func `an invited person has no room before accepting`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let group = try await ann.createGroup()
            try await ann.call(GroupCommands.invite, .init(group: group, person: ben.key))
            try await network.settle()
            #expect(try await ben.room(group) == nil)
            try await ben.call(GroupCommands.accept, .init(group: group))
            try await network.settle()
            #expect(try await ben.room(group)?.canSend == true)
        }
    }

    @Test func `a person who left a group keeps its messages and adds none`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            try await company.ben.say("Hello all", to: company.group)
            try await network.settle()
            try await company.cem.call(GroupCommands.leave, .init(group: company.group))
            try await network.settle()
            #expect(try await company.cem.room(company.group)?.canSend == false)
            #expect(try await company.cem.texts(in: company.group) == ["Hello all"])
            await #expect(
                throws: CommandFault.refused("You are not in this group any more.")
            ) { try await company.cem.say("x", to: company.group) }
        }
    }

    @Test func `a reader of a group reads`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let group = try await ann.createGroup()
            try await ann.call(
                GroupCommands.invite, .init(group: group, person: ben.key, role: .reader))
            try await network.settle()
            try await ben.call(GroupCommands.accept, .init(group: group))
            try await ann.say("Hello", to: group)
            try await network.settle()
            #expect(try await ben.open(group).shown.map(\.text) == ["Hello"])
            await #expect(throws: CommandFault.self) { try await ben.say("x", to: group) }
        }
    }

    @Test func `a person who was unmated keeps the messages and adds none`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("Hello", to: ben.key)
            try await network.settle()
            try await ben.call(MateCommands.remove, .init(person: ann.key))
            try await network.settle()
            for (one, other) in [(ann, ben), (ben, ann)] {
                #expect(try await one.room(other.key)?.canSend == false)
                #expect(try await one.texts(in: other.key) == ["Hello"])
                await #expect(throws: CommandFault.self) { try await one.say("x", to: other.key) }
            }
        }
    }

    @Test func `a blocked person is not shown, not even in groups`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben) = (company.ann, company.ben)
            try await ben.say("secretly", to: ann.key)
            try await ben.say("openly", to: company.group)
            try await network.settle()
            #expect(try await ann.waiting().count == 2)
            try await ann.call(MateCommands.block, .init(person: ben.key, reason: .other))
            try await network.settle()
            #expect(try await ann.waiting().count == 1, "the group's stays")
            #expect(try await ann.room(ben.key) == nil)
            #expect(try await ann.texts(in: company.group).isEmpty)
            #expect(try await ann.found("secretly").isEmpty)
            #expect(try await ann.found("openly").isEmpty)
            #expect(try await ann.room(company.group)?.unread == 0)
        }
    }
}
