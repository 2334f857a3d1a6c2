import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// The refusals in groups, and their sentences.
@Suite struct GroupRuleTests {
    @Test func `a group's name of 40 characters is accepted and of 41 refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let group = try await ann.createGroup(String(repeating: "g", count: 40))
            #expect(try await ann.groupState(group) == .member)
            await #expect(
                throws: CommandFault.usage(
                    "'name' must have 1 to 40 characters; it has 41", field: "name")
            ) {
                try await ann.answer(
                    to: GroupCommands.create.declaration,
                    ["name": .string(String(repeating: "g", count: 41))])
            }
        }
    }

    @Test func `a note of 300 characters is accepted and of 301 refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let group = try await ann.createGroup("Walkers")
            try await ann.addNote(String(repeating: "n", count: 300), in: group)
            await #expect(
                throws: CommandFault.usage(
                    "'text' must have 1 to 300 characters; it has 301", field: "text")
            ) {
                try await ann.answer(
                    to: GroupCommands.note.declaration,
                    [
                        "group": .string(group.string),
                        "text": .string(String(repeating: "n", count: 301)),
                    ])
            }
            #expect(try await ann.notes(in: group).count == 1)
        }
    }

    @Test func `the 64th person is invited and the 65th refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let group = try await ann.createGroup("Many")
            let descriptor = try await ann.features.groups.directory.group(NameOrKey(group))
                .descriptor
            // Sixty-two people who never answer are added to Ann and, as the 64th, Ben.
            for number in 0..<62 {
                try await ann.grant(Self.nobody(number), in: descriptor)
            }
            try await ann.invite(ben, to: group)
            try await ann.invite(ben, to: group)
            let cem = try await network.person(seed: 3, "Cem")
            try await network.setLink(ann, cem, isUp: true)
            try await network.meet(ann, cem, number: 8)
            await #expect(throws: CommandFault.refused("A group has at most 64 people.")) {
                try await ann.invite(cem, to: group)
            }
            try await ann.remove(ben, from: group)
            try await ann.invite(cem, to: group)
        }
    }

    private static func nobody(_ number: Int) -> PersonID {
        PersonID(raw: Digest.person.hash([UInt8(number)]))
    }

    @Test func `only a mate can be invited`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let ben = try await network.person(seed: 2, "Ben")
            let group = try await ann.createGroup("Walkers")
            await #expect {
                try await ann.invite(ben, to: group)
            } throws: { ($0 as? CommandFault)?.code == "refused" }
            #expect(try await ann.state(of: ben, in: group) == nil)
        }
    }

    @Test func `a member who does not own the group neither invites nor removes`() async throws {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            let refusal = CommandFault.refused(
                "Only an owner of the group can invite and remove people.")
            await #expect(throws: refusal) {
                try await company.ben.invite(company.ann, to: company.group)
            }
            await #expect(throws: refusal) {
                try await company.ben.remove(company.cem, from: company.group)
            }
        }
    }

    @Test func `a reader reads and writes nothing`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let group = try await ann.createGroup("Walkers")
            try await ann.addNote("read this", in: group)
            try await ann.invite(ben, to: group, as: .reader)
            try await network.settle()
            try await ben.call(GroupCommands.accept, .init(group: NameOrKey(group)))
            try await network.settle()
            #expect(try await ben.notes(in: group) == ["read this"])
            await #expect {
                try await ben.addNote("I too", in: group)
            } throws: { ($0 as? CommandFault)?.code == "refused" }
        }
    }

    @Test func `a writer who becomes a reader keeps their notes and writes no more`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            try await company.cem.addNote("as a writer", in: company.group)
            try await network.settle()
            try await company.ann.invite(company.cem, to: company.group, as: .reader)
            try await network.settle()
            #expect(try await company.cem.groupState(company.group) == .member)
            #expect(try await company.ben.notes(in: company.group) == ["as a writer"])
            await #expect {
                try await company.cem.addNote("as a reader", in: company.group)
            } throws: { ($0 as? CommandFault)?.code == "refused" }
        }
    }

    @Test func `an invited person who has not accepted writes nothing`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let group = try await ann.createGroup("Walkers")
            try await ann.invite(ben, to: group)
            try await network.settle()
            await #expect(throws: CommandFault.refused(GroupState.invited.sentence)) {
                try await ben.addNote("too early", in: group)
            }
            await #expect(
                throws: CommandFault.conflict(
                    "You have not accepted this invitation; decline it instead.")
            ) {
                try await ben.call(GroupCommands.leave, .init(group: NameOrKey(group)))
            }
        }
    }

    @Test func `a blocked person's notes are not shown`() async throws {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            try await company.cem.addNote("from Cem", in: company.group)
            try await network.settle()
            #expect(try await company.ben.notes(in: company.group) == ["from Cem"])
            try await company.ben.block(company.cem, because: .other)
            #expect(try await company.ben.notes(in: company.group) == [])
            let entry = try await company.ben.entry(of: company.cem, in: company.group)
            #expect(entry?.state == .member)
            #expect(entry?.name == nil)
        }
    }

    @Test func `a mate who does not own a group cannot say that I was removed`() async throws {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            try await network.meet(company.ben, company.cem, number: 9)
            let group = try await company.ben.features.groups.directory.group(
                NameOrKey(company.group))
            try await company.ben.features.removed(
                company.cem.me.person, from: group.descriptor)
            try await network.settle()
            #expect(try await company.cem.groupState(company.group) == .member)
        }
    }

    @Test(arguments: [("", "usage"), ("Walk", "notFound"), ("abc", "notFound")])
    func `a text that names no group is refused`(text: String, code: String) async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            _ = try await ann.createGroup("Walkers")
            await #expect {
                try await ann.answer(to: GroupCommands.show.declaration, ["group": .string(text)])
            } throws: { ($0 as? CommandFault)?.code == code }
        }
    }
}
