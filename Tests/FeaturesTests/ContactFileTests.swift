import FeaturesAPI
import Foundation
import PluginKit
import TestSupport
import Testing

@testable import Features

/// Mates as contacts of other programs, and a profile from one.
@Suite struct ContactFileTests {
    private func path(_ name: String) throws -> FilePath {
        try FilePath(TestDirectory.newPath(name))
    }

    private func contact(_ path: FilePath) throws -> Contact {
        try Contact(vCard: Array(try Data(contentsOf: URL(filePath: path.string))))
    }

    private func write(_ contact: Contact) throws -> FilePath {
        let path = try self.path("contact.vcf")
        try contact.vCard.write(toFile: path.string, atomically: false, encoding: .utf8)
        return path
    }

    @Test func `a contact has what a mate shared, and nothing that they keep private`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.call(
                ProfileCommands.edit,
                .init(dogName: Text("Bori"), age: Whole(3), size: .small, keptPrivate: [.age]))
            try await network.settle()
            let file = try path("ann.vcf")
            let person = NameOrKey(ann.me.person)
            let saved = try await ben.call(MateCommands.export, .init(person: person, vcard: file))
            #expect(saved.file.string == file.string)
            let contact = try self.contact(file)
            #expect(
                contact.profile == ProfileFields(nickname: "Ann", dogName: "Bori", size: .small))
            #expect(contact.notes == "Dog: Bori" && contact.photo == nil)
            #expect(contact.uid.hasPrefix("urn:uuid:") && contact.uid.utf8.count == 45)
            #expect(!contact.uid.contains(ann.me.person.description.prefix(8)))
        }
    }

    @Test func `only mates are contacts`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ben.call(MateCommands.remove, .init(person: NameOrKey(ann.me.person)))
            let file = try path("ann.vcf")
            await #expect(throws: CommandFault.refused("Only mates can be saved as contacts.")) {
                try await ben.call(
                    MateCommands.export, .init(person: NameOrKey(ann.me.person), vcard: file))
            }
            #expect(!FileManager.default.fileExists(atPath: file.string))
        }
    }

    @Test func `a contact fills the profile within its limits, and the rest stays`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.call(
                ProfileCommands.edit, .init(dogName: Text("Bori"), keptPrivate: [.size]))
            let long = String(repeating: "n", count: 30)
            let file = try write(
                Contact(
                    uid: "", profile: ProfileFields(nickname: long, age: 100, size: .big),
                    photo: [0xFF, 0xD8, 0xFF, 0xE0]))
            let me = try await ann.call(ProfileCommands.import, .init(file: file))
            #expect(me.nickname?.string == String(long.prefix(20)))
            #expect(me.dogName == "Bori" && me.age == nil && me.size == .big)
            #expect(me.photoHere == true && me.keptPrivate == [.size])
        }
    }

    @Test func `a file that is no contact, or has nothing for a profile, is refused`() async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let other = try path("event.ics")
            try "BEGIN:VCALENDAR\nEND:VCALENDAR\n".write(
                toFile: other.string, atomically: false, encoding: .utf8)
            for file in [other, try write(Contact(uid: "1", profile: ProfileFields()))] {
                await #expect {
                    try await ann.call(ProfileCommands.import, .init(file: file))
                } throws: { ($0 as? CommandFault)?.code == "refused" }
            }
            #expect(try await ann.call(ProfileCommands.show).nickname == "Ann")
        }
    }
}
