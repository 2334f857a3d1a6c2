import PluginKit
import Records
import TestSupport
import Testing

@testable import Neighbours

@Suite struct MatesTests {
    @Test func `two are mates exactly when both edges name one meeting`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Ben")
            )
            try await network.setLink(ann, ben, isUp: true)
            try await ann.propose(to: ben, number: 1)
            try await network.settle()
            #expect(try await ann.relation(to: ben) == .waiting)
            #expect(try await ben.relation(to: ann) == .stranger)
            try await ben.propose(to: ann, number: 2)
            try await network.settle()
            #expect(try await ann.relation(to: ben) == .waiting)
            #expect(try await ben.relation(to: ann) == .waiting)
            try await ben.propose(to: ann, number: 1)
            try await network.settle()
            #expect(try await ann.relation(to: ben) == .mate)
            #expect(try await ben.relation(to: ann) == .mate)
        }
    }

    @Test func `a mate's edits arrive by themselves`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ben.run("me", "edit", ["nickname": "Benny", "age": 3])
            _ = ann.takeEvents()
            try await network.settle()
            #expect(try await ann.mate(ben)?["profile"]?["nickname"] == "Benny")
            #expect(try await ann.mate(ben)?["profile"]?["age"] == 3)
            #expect(try await ann.mate(ben)?["present"] == true)
            #expect(try await ann.mate(ben)?["lastExchangeMs"]?.integer != nil)
            #expect(ann.takeEvents().contains("mates"))
        }
    }

    @Test func `a card given at the meeting is shown while waiting`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Ben")
            )
            try await ann.propose(to: ben)
            #expect(try await ann.mate(ben)?["state"] == "waiting")
            #expect(try await ann.mate(ben)?["profile"]?["nickname"] == "Ben")
        }
    }

    @Test func `unmating reaches the other side and then nothing is exchanged`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.run("mates", "remove", ["person": .string(ben.me.person.description)])
            try await network.settle()
            #expect(try await ann.relation(to: ben) == .stranger)
            #expect(try await ben.relation(to: ann) == .stranger)
            #expect(try await ann.spaces(sharedWith: ben.me.person).isEmpty)
            #expect(try await ben.spaces(sharedWith: ann.me.person).isEmpty)
        }
    }

    @Test func `whoever is left by a mate is not recognised by them any more either`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let key = "SELECT key FROM neighbours_tag_keys WHERE person = ?"
            let before = try await ben.rows(key, [.bytes(ben.me.person.bytes)])
            try await ann.run("mates", "remove", ["person": .string(ben.me.person.suffix)])
            try await network.settle()
            let after = try await ben.rows(key, [.bytes(ben.me.person.bytes)])
            #expect(before != after && after.count == 1)
        }
    }

    @Test func `the end of a mateship waits for a mate who is away`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await network.setLink(ann, ben, isUp: false)
            try await ann.run("mates", "remove", ["person": .string(ben.me.person.suffix)])
            try await network.settle()
            #expect(try await ann.spaces(sharedWith: ben.me.person).count == 1)
            #expect(try await ben.relation(to: ann) == .mate)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ben.relation(to: ann) == .stranger)
            #expect(try await ann.spaces(sharedWith: ben.me.person).isEmpty)
        }
    }

    @Test func `meeting again remakes a mateship`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.run("mates", "remove", ["person": .string(ben.me.person.description)])
            try await network.settle()
            try await network.meet(ann, ben, number: 8)
            #expect(try await ann.relation(to: ben) == .mate)
            #expect(try await ben.relation(to: ann) == .mate)
        }
    }

    @Test func `a proposal is dropped after 24 h and not before`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Ben")
            )
            try await ann.propose(to: ben)
            let proposed = ann.clock.wallMilliseconds
            ann.clock.setWall(milliseconds: proposed + Neighbours.proposalMillisecondsMax - 1)
            try await ann.neighbours.dropOldProposals()
            #expect(try await ann.relation(to: ben) == .waiting)
            ann.clock.setWall(milliseconds: proposed + Neighbours.proposalMillisecondsMax)
            try await ann.neighbours.dropOldProposals()
            #expect(try await ann.relation(to: ben) == .stranger)
        }
    }

    @Test func `a withdrawn meeting ends the other's wait at the next contact`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Ben")
            )
            try await ann.propose(to: ben, number: 3)
            try await ben.neighbours.withdrawMate(ann.me.person, meeting: .numbered(3))
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ann.relation(to: ben) == .stranger)
            #expect(try await ben.spaces(sharedWith: ann.me.person).isEmpty)
        }
    }

    @Test func `withdrawing another meeting leaves a mateship alone`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ben.neighbours.withdrawMate(ann.me.person, meeting: .numbered(99))
            try await network.settle()
            #expect(try await ann.relation(to: ben) == .mate)
        }
    }

    @Test func `a blocked person is sent nothing, not even the end`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let before = try await ann.rows(
                "SELECT key FROM neighbours_tag_keys WHERE person = ?",
                [.bytes(ann.me.person.bytes)])
            try await ann.run(
                "mates", "block",
                [
                    "person": .string(ben.me.person.description), "reason": "unpleasant",
                    "text": "rude",
                ])
            try await network.settle()
            #expect(try await ann.relation(to: ben) == .blocked)
            #expect(try await ann.mate(ben) == nil)
            #expect(try await ann.spaces(sharedWith: ben.me.person).isEmpty)
            #expect(try await ben.relation(to: ann) == .mate)
            #expect(try await ann.run("nearby", "list")["people"] == [])
            let after = try await ann.rows(
                "SELECT key FROM neighbours_tag_keys WHERE person = ?",
                [.bytes(ann.me.person.bytes)])
            #expect(before != after && after.count == 1)
            let blocked = try await ann.run("mates", "blocked")["blocked"]?.array?.first
            #expect(blocked?["reason"] == "unpleasant" && blocked?["text"] == "rude")
        }
    }

    @Test func `unblocking lets the end of the mateship through`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let who: JSONValue = .string(ben.me.person.description)
            try await ann.run("mates", "block", ["person": who, "reason": "violent"])
            try await ann.run("mates", "unblock", ["person": who])
            try await network.settle()
            #expect(try await ann.relation(to: ben) == .stranger)
            #expect(try await ben.relation(to: ann) == .stranger)
        }
    }

    @Test func `a block's text of 100 characters is taken and of 101 refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let block = { @Sendable (count: Int) async throws in
                try await ann.run(
                    "mates", "block",
                    [
                        "person": .string(ben.me.person.description), "reason": "other",
                        "text": .string(String(repeating: "x", count: count)),
                    ])
            }
            await #expect(throws: CommandFault.self) { try await block(101) }
            #expect(try await ann.relation(to: ben) == .mate)
            _ = try await block(100)
            #expect(try await ann.relation(to: ben) == .blocked)
        }
    }

    @Test func `two mates of one name both carry the end of their key`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let one = try await network.person(seed: 2, "Kim")
            let other = try await network.person(seed: 3, "Kim")
            for kim in [one, other] {
                try await network.setLink(ann, kim, isUp: true)
                try await network.meet(ann, kim)
            }
            let names = try await ann.neighbours.names()
            #expect(names[one.me.person] == "Kim · \(one.me.person.suffix)")
            #expect(names[other.me.person] == "Kim · \(other.me.person.suffix)")
        }
    }

    @Test func `removing somebody who is no mate says so`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Ben")
            )
            await #expect(
                throws: CommandFault.notFound(
                    "This person is no mate of yours; see 'mates list'.")
            ) {
                try await ann.run("mates", "remove", ["person": .string(ben.me.person.description)])
            }
            await #expect(throws: CommandFault.self) {
                try await ann.run("mates", "remove", ["person": "Ben"])
            }
        }
    }
}
