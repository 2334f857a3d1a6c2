import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

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
            try await ben.call(
                ProfileCommands.edit, .init(nickname: Nickname("Benny"), age: Whole(3)))
            _ = ann.drainEvents()
            try await network.settle()
            #expect(try await ann.mate(ben)?.profile.nickname == "Benny")
            #expect(try await ann.mate(ben)?.profile.age?.value == 3)
            #expect(try await ann.mate(ben)?.present == true)
            #expect(try await ann.mate(ben)?.lastExchangeMs != nil)
            #expect(ann.drainEvents().contains("mates"))
        }
    }

    @Test func `a card given at the meeting is shown while waiting`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Ben")
            )
            try await ann.propose(to: ben)
            #expect(try await ann.mate(ben)?.state == .waiting)
            #expect(try await ann.mate(ben)?.profile.nickname == "Ben")
        }
    }

    @Test func `unmating reaches the other side and then nothing is exchanged`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.call(MateCommands.remove, .init(person: NameOrKey(ben.me.person)))
            try await network.settle()
            #expect(try await ann.relation(to: ben) == .stranger)
            #expect(try await ben.relation(to: ann) == .stranger)
            #expect(try await ann.spaces(sharedWith: ben.me.person).isEmpty)
            #expect(try await ben.spaces(sharedWith: ann.me.person).isEmpty)
        }
    }

    @Test func `a mate who ends a mateship no longer recognises the other's announcements`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let key = "SELECT key FROM neighbours_tag_keys WHERE person = ?"
            let before = try await ben.rows(key, [.bytes(ben.me.person.bytes)])
            try await ann.call(
                MateCommands.remove, .init(person: NameOrKey(ben.me.person.suffix)))
            try await network.settle()
            let after = try await ben.rows(key, [.bytes(ben.me.person.bytes)])
            #expect(before != after && after.count == 1)
        }
    }

    @Test func `the end of a mateship waits for a mate who is away`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await network.setLink(ann, ben, isUp: false)
            try await ann.call(
                MateCommands.remove, .init(person: NameOrKey(ben.me.person.suffix)))
            try await network.settle()
            #expect(try await ann.spaces(sharedWith: ben.me.person).count == 1)
            #expect(try await ben.relation(to: ann) == .mate)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ben.relation(to: ann) == .stranger)
            #expect(try await ann.spaces(sharedWith: ben.me.person).isEmpty)
        }
    }

    @Test func `meeting again restores a mateship`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.call(MateCommands.remove, .init(person: NameOrKey(ben.me.person)))
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
            let proposed = ann.clock.wallTime
            ann.clock.setWall(proposed + Mates.proposalMax - .milliseconds(1))
            try await ann.features.mates.dropOldProposals()
            #expect(try await ann.relation(to: ben) == .waiting)
            ann.clock.setWall(proposed + Mates.proposalMax)
            try await ann.features.mates.dropOldProposals()
            #expect(try await ann.relation(to: ben) == .stranger)
        }
    }

    @Test func `a withdrawn meeting ends the other's wait at the next contact`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Ben")
            )
            try await ann.propose(to: ben, number: 3)
            try await ben.features.withdrawMate(ann.me.person, meeting: .numbered(3))
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ann.relation(to: ben) == .stranger)
            #expect(try await ben.spaces(sharedWith: ann.me.person).isEmpty)
        }
    }

    @Test func `withdrawing another meeting does not change a mateship`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ben.features.withdrawMate(ann.me.person, meeting: .numbered(99))
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
            try await ann.call(
                MateCommands.block,
                .init(
                    person: NameOrKey(ben.me.person), reason: .unpleasant, text: Text("rude")))
            try await network.settle()
            #expect(try await ann.relation(to: ben) == .blocked)
            #expect(try await ann.mate(ben) == nil)
            #expect(try await ann.spaces(sharedWith: ben.me.person).isEmpty)
            #expect(try await ben.relation(to: ann) == .mate)
            #expect(try await ann.call(NearbyCommands.list).people == [])
            let after = try await ann.rows(
                "SELECT key FROM neighbours_tag_keys WHERE person = ?",
                [.bytes(ann.me.person.bytes)])
            #expect(before != after && after.count == 1)
            let blocked = try await ann.call(MateCommands.blocked).blocked.first
            #expect(blocked?.reason == .unpleasant && blocked?.text == "rude")
        }
    }

    @Test func `unblocking delivers the end of the mateship`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.block(ben, because: .violent)
            try await ann.call(MateCommands.unblock, .init(person: NameOrKey("Ben")))
            try await network.settle()
            #expect(try await ann.relation(to: ben) == .stranger)
            #expect(try await ben.relation(to: ann) == .stranger)
        }
    }

    @Test func `a block's text of 100 characters is accepted and of 101 refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let block = { @Sendable (count: Int) async throws in
                try await ann.answer(
                    to: MateCommands.block.declaration,
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

    @Test func `two mates with one name both carry the end of their key`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let one = try await network.person(seed: 2, "Kim")
            let other = try await network.person(seed: 3, "Kim")
            for kim in [one, other] {
                try await network.setLink(ann, kim, isUp: true)
                try await network.meet(ann, kim)
            }
            let names = try await ann.features.names()
            #expect(names[one.me.person] == "Kim · \(one.me.person.suffix)")
            #expect(names[other.me.person] == "Kim · \(other.me.person.suffix)")
        }
    }

    @Test func `removing a person who is not a mate is refused with the reason`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Ben")
            )
            await #expect(
                throws: CommandFault.notFound(
                    "This person is not your mate; see 'mates list'.")
            ) {
                try await ann.call(MateCommands.remove, .init(person: NameOrKey(ben.me.person)))
            }
            await #expect(throws: CommandFault.self) {
                try await ann.answer(to: MateCommands.remove.declaration, ["person": "Ben"])
            }
        }
    }
}
