import PluginKit
import Records
import TestSupport
import Testing

@testable import Neighbours

/// What somebody wrote and takes back is gone at the others too.
@Suite struct ErasingTests {
    @Test func `an erased walk request is gone on both sides, and from the inbox`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben, message: "Not for long")
            let kept = try await ann.ask(ben, message: "For good")
            try await network.settle()
            try await ben.run("walk", "note", ["id": .string(id), "note": "At the gate"])
            try await ann.run("walk", "note", ["id": .string(id), "note": "At the pond"])
            try await network.settle()
            try await ann.run("walk", "erase", ["id": .string(id)])
            _ = ben.takeEvents()
            try await network.settle()
            #expect(Set(ben.takeEvents()).isSuperset(of: ["walk", "inbox"]))
            for host in [ann, ben] {
                let requests = try await host.run("walk", "list")["requests"]?.array
                #expect(requests?.map { $0["id"]?.string } == [kept])
            }
            let items = try await ben.run("inbox", "list")["items"]?.array
            #expect(items?.map { $0["ref"]?.string } == [kept])
            #expect(items?.first?["body"] == "For good")
        }
    }

    @Test func `a request is erased by who made it, once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben)
            try await network.settle()
            await #expect(
                throws: CommandFault.refused("Only who asked for the walk erases the request.")
            ) { try await ben.run("walk", "erase", ["id": .string(id)]) }
            try await ann.run("walk", "erase", ["id": .string(id)])
            await #expect(
                throws: CommandFault.notFound("There is no walk request \(id); see 'walk list'.")
            ) { try await ann.run("walk", "erase", ["id": .string(id)]) }
        }
    }

    @Test func `an erased note is gone at everybody, also at one who was away`() async throws {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            let group = company.group
            for text in ["stays", "goes"] { try await company.ben.note(text, in: group) }
            try await network.settle()
            try await network.setLink(company.ann, company.cem, isUp: false)
            try await network.setLink(company.ben, company.cem, isUp: false)
            let note = try await company.ben.noteID("goes", in: group)
            try await company.ben.erase(note, in: group)
            try await network.settle()
            #expect(try await company.ann.notes(in: group) == ["stays"])
            #expect(try await company.cem.notes(in: group) == ["goes", "stays"])
            // From Ann, who did not write it.
            try await network.setLink(company.ann, company.cem, isUp: true)
            #expect(try await company.cem.notes(in: group) == ["stays"])
        }
    }

    @Test func `a note is erased by who wrote it, in the group it is in`() async throws {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            try await company.ben.note("mine", in: company.group)
            try await network.settle()
            let note = try await company.ben.noteID("mine", in: company.group)
            // Ann owns the group, and not what others wrote in it.
            await #expect(throws: CommandFault.refused("Only who wrote a note erases it.")) {
                try await company.ann.erase(note, in: company.group)
            }
            let other = try await company.ben.createGroup("Elsewhere")
            for (group, id) in [(other, note), (company.group, "zz")] {
                await #expect(
                    throws: CommandFault.notFound(
                        "There is no note \(id) in this group; see 'group show'.")
                ) { try await company.ben.erase(id, in: group) }
            }
        }
    }
}

extension TestHost {
    /// The id of the note with a text.
    fileprivate func noteID(_ text: String, in group: String) async throws -> String {
        let notes = try await run("group", "show", ["group": .string(group)])["notes"]?.array
        return notes?.first { $0["text"]?.string == text }?["id"]?.string ?? ""
    }

    fileprivate func erase(_ note: String, in group: String) async throws {
        try await run("group", "erase", ["group": .string(group), "note": .string(note)])
    }
}
