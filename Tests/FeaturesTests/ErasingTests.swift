import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// Notes and requests that their author erases are erased for the other members too.
@Suite struct ErasingTests {
    @Test func `an erased walk request disappears on both sides, and from the inbox`() async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben, message: "Not for long")
            let kept = try await ann.ask(ben, message: "For good")
            try await network.settle()
            try await ben.call(
                WalkCommands.note, .init(id: RecordPrefix(id), note: Text("At the gate")))
            try await ann.call(
                WalkCommands.note, .init(id: RecordPrefix(id), note: Text("At the pond")))
            try await network.settle()
            try await ann.call(WalkCommands.erase, .init(id: RecordPrefix(id)))
            _ = ben.drainEvents()
            try await network.settle()
            #expect(Set(ben.drainEvents()).isSuperset(of: ["walk", "inbox"]))
            for host in [ann, ben] {
                #expect(try await host.call(WalkCommands.list).requests.map(\.id) == [kept])
            }
            let items = try await ben.inboxItems()
            #expect(items.map(\.ref?.string) == [kept.string])
            #expect(items.first?.body == "For good")
        }
    }

    @Test func `only the sender erases a request, and only once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben)
            try await network.settle()
            await #expect(
                throws: CommandFault.refused("Only the sender of a walk request can erase it.")
            ) { try await ben.call(WalkCommands.erase, .init(id: RecordPrefix(id))) }
            try await ann.call(WalkCommands.erase, .init(id: RecordPrefix(id)))
            await #expect(
                throws: CommandFault.notFound("There is no walk request \(id); see 'walk list'.")
            ) { try await ann.call(WalkCommands.erase, .init(id: RecordPrefix(id))) }
        }
    }

    @Test func `an erased note disappears for every member, also for one who was offline`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            let group = company.group
            for text in ["stays", "goes"] { try await company.ben.addNote(text, in: group) }
            try await network.settle()
            try await network.setLink(company.ann, company.cem, isUp: false)
            try await network.setLink(company.ben, company.cem, isUp: false)
            let note = try #require(try await company.ben.noteID("goes", in: group))
            try await company.ben.erase(note, in: group)
            try await network.settle()
            #expect(try await company.ann.notes(in: group) == ["stays"])
            #expect(try await company.cem.notes(in: group) == ["goes", "stays"])
            // From Ann, who did not write it.
            try await network.setLink(company.ann, company.cem, isUp: true)
            #expect(try await company.cem.notes(in: group) == ["stays"])
        }
    }

    @Test func `only its author erases a note, in its own group`() async throws {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            try await company.ben.addNote("mine", in: company.group)
            try await network.settle()
            let note = try #require(try await company.ben.noteID("mine", in: company.group))
            // Ann owns the group, but not the notes of others.
            await #expect(throws: CommandFault.refused("Only the author of a note can erase it.")) {
                try await company.ann.erase(note, in: company.group)
            }
            let other = try await company.ben.createGroup("Elsewhere")
            for (group, id) in [(other, note), (company.group, RecordKey.example)] {
                await #expect(
                    throws: CommandFault.notFound(
                        "There is no note \(id); see 'group show'.")
                ) { try await company.ben.erase(id, in: group) }
            }
            await #expect {
                try await company.ben.answer(
                    to: GroupCommands.erase.declaration,
                    ["group": .string(company.group.string), "note": "zz"])
            } throws: { ($0 as? CommandFault)?.code == "usage" }
        }
    }
}

extension TestHost {
    /// Returns the id of the note with a text.
    fileprivate func noteID(_ text: String, in group: Key) async throws -> RecordKey? {
        try await show(group).notes.first { $0.text == text }?.id
    }

    fileprivate func erase(_ note: RecordKey, in group: Key) async throws {
        try await call(
            GroupCommands.erase, .init(group: NameOrKey(group), note: RecordPrefix(note)))
    }
}
