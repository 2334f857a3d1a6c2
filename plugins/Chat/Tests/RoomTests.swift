import Neighbours
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// Which rooms there are, who may write in them, and how a message travels.
@Suite struct RoomTests {
    @Test func `two mates have a room before anything was said`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let room = try #require(try await ann.room(ben.key))
            #expect(room["title"] == "Ben")
            #expect(room["kind"] == "pair")
            #expect(room["canSend"] == true)
            #expect(room["unread"] == 0)
            #expect(room["lastText"] == nil)
            #expect(try await ann.texts(in: ben.key).isEmpty)
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

    @Test func `a message reaches the mate, once, and the room says so`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let id = try await ann.say("같이산책하자", to: ben.key)
            try await network.settle()
            #expect(ben.takeEvents().contains("chat"))
            #expect(try await ben.shown(in: ann.key) == ann.shown(in: ben.key))
            #expect(try await ben.shown(in: ann.key).map(\.id) == [id])
            let room = try await ben.room(ann.key)
            #expect(room?["lastText"] == "같이산책하자")
            #expect(room?["lastIsMine"] == false)
            #expect(try await ann.room(ben.key)?["lastIsMine"] == true)
            #expect(room?["unread"] == 1)
        }
    }

    @Test func `rooms stand in the order in which was spoken in them last`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem) = (company.ann, company.ben, company.cem)
            try await ann.say("one", to: ben.key)
            try await network.pass(seconds: 1)
            try await ann.say("two", to: company.group)
            try await network.pass(seconds: 1)
            #expect(
                try await ann.rooms().map { $0["title"] } == ["Walkers", "Ben", "Cem"])
            try await cem.say("three", to: ann.key)
            try await network.settle()
            #expect(
                try await ann.rooms().map { $0["title"] } == ["Cem", "Walkers", "Ben"])
        }
    }

    @Test func `a room is named by the first six digits and not by five`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("Hello", to: String(ben.key.prefix(6)))
            #expect(try await ann.texts(in: String(ben.key.prefix(6).uppercased())) == ["Hello"])
            for name in [String(ben.key.prefix(5)), "zzzzzz", ""] {
                await #expect(throws: CommandFault.self) { try await ann.say("x", to: name) }
            }
        }
    }

    @Test func `a group has a room for those who are in it`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            try await company.ben.say("Hello all", to: company.group)
            try await network.settle()
            for host in company.all {
                #expect(try await host.texts(in: company.group) == ["Hello all"])
                #expect(try await host.room(company.group)?["title"] == "Walkers")
                #expect(try await host.room(company.group)?["feature"] == "neighbours")
            }
            // Cem is no mate of Ben's, and reads the name that Ben gave himself there.
            let name = try await company.cem.open(company.group).messages.first?["name"]?.string
            #expect(name == "Ben · \(company.ben.me.person.suffix)")
        }
    }

    @Test func `who is invited has no room before accepting`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let group = try await ann.run("group", "create", ["name": "Walkers"])["id"]?.string ?? ""
            try await ann.run(
                "group", "invite", ["group": .string(group), "person": .string(ben.key)])
            try await network.settle()
            #expect(try await ben.room(group) == nil)
            try await ben.run("group", "accept", ["group": .string(group)])
            try await network.settle()
            #expect(try await ben.room(group)?["canSend"] == true)
        }
    }

    @Test func `who left a group keeps what was said and adds nothing`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            try await company.ben.say("Hello all", to: company.group)
            try await network.settle()
            try await company.cem.run("group", "leave", ["group": .string(company.group)])
            try await network.settle()
            #expect(try await company.cem.room(company.group)?["canSend"] == false)
            #expect(try await company.cem.texts(in: company.group) == ["Hello all"])
            await #expect(
                throws: CommandFault.refused("You are in this group no more.")
            ) { try await company.cem.say("x", to: company.group) }
        }
    }

    @Test func `a reader of a group reads`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let group = try await ann.run("group", "create", ["name": "Walkers"])["id"]?.string ?? ""
            try await ann.run(
                "group", "invite",
                ["group": .string(group), "person": .string(ben.key), "role": "reader"])
            try await network.settle()
            try await ben.run("group", "accept", ["group": .string(group)])
            try await ann.say("Hello", to: group)
            try await network.settle()
            #expect(try await ben.open(group).shown.map(\.text) == ["Hello"])
            await #expect(throws: CommandFault.self) { try await ben.say("x", to: group) }
        }
    }

    @Test func `who was unmated keeps what was said and adds nothing`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("Hello", to: ben.key)
            try await network.settle()
            try await ben.run("mates", "remove", ["person": .string(ann.key)])
            try await network.settle()
            for (one, other) in [(ann, ben), (ben, ann)] {
                #expect(try await one.room(other.key)?["canSend"] == false)
                #expect(try await one.texts(in: other.key) == ["Hello"])
                await #expect(throws: CommandFault.self) { try await one.say("x", to: other.key) }
            }
        }
    }

    @Test func `somebody who is blocked is not shown, in groups neither`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben) = (company.ann, company.ben)
            try await ben.say("secretly", to: ann.key)
            try await ben.say("openly", to: company.group)
            try await network.settle()
            #expect(try await ann.waiting().count == 2)
            try await ann.run("mates", "block", ["person": .string(ben.key), "reason": "other"])
            try await network.settle()
            #expect(try await ann.waiting().count == 1, "the group's stays")
            #expect(try await ann.room(ben.key) == nil)
            #expect(try await ann.texts(in: company.group).isEmpty)
            #expect(try await ann.found("secretly").isEmpty)
            #expect(try await ann.found("openly").isEmpty)
            #expect(try await ann.room(company.group)?["unread"] == 0)
        }
    }
}
