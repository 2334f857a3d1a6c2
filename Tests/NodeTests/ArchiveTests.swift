import ControlAPI
import FeaturesAPI
import Foundation
import NodeAPI
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

/// A person's own data: exported, restored, repaired, deleted.
@Suite(.serialized) struct ArchiveTests {
    private func path(_ name: String) throws -> String { try TestDirectory.newPath(name) }

    private func remove(_ paths: String...) {
        for path in paths { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func `a backup of a running node turns an empty home into the same person`()
        async throws
    {
        let node = try await RunningNode.start()
        try await node.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        let file = try path("backup")
        let made = try await node.call(NodeCommands.backup, .init(file: FilePath(file)))
        #expect(made.person == (try await node.person))
        await #expect(throws: CommandFault.self) {
            try await node.call(NodeCommands.backup, .init(file: FilePath(file)))
        }
        let home = Home(try path("home"))
        let restored = try HomeBackup.restore(file, into: home)
        #expect(restored.device == (try await node.device))
        try await node.remove()

        let again = try await RunningNode.start(home)
        let profile = try await again.call(ProfileCommands.show)
        #expect(profile.nickname == "Ana")
        #expect(try await again.call(NodeCommands.status).startsDisagree)
        try await again.remove()
        remove(file)
    }

    @Test func `restoring to a used home, one with an identity or from a foreign file is refused`()
        async throws
    {
        let node = try await RunningNode.start()
        let file = try path("backup")
        try await node.call(NodeCommands.backup, .init(file: FilePath(file)))
        #expect(throws: CommandFault.self) { try HomeBackup.restore(file, into: node.home) }
        try await node.stop()
        do {
            _ = try HomeBackup.restore(file, into: node.home)
            Issue.record("a home with an identity was overwritten")
        } catch let fault as CommandFault {
            #expect(fault.exitCode == 7 && fault.sentence.contains("empty home"))
        }
        let home = Home(try path("home"))
        try Data("no backup".utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: CommandFault.self) { try HomeBackup.restore(file, into: home) }
        #expect(!home.hasIdentity)
        #expect(!FileManager.default.fileExists(atPath: home.replicaFile))
        remove(file, home.directory, node.home.directory)
    }

    @Test(arguments: [
        "starts", "replica.db", "replica.db-wal", "replica.db-shm", "replica.db-journal",
        "device.key",
    ])
    func `a backup is not restored beside the files of another replica`(name: String) async throws {
        let node = try await RunningNode.start()
        let file = try path("backup")
        try await node.call(NodeCommands.backup, .init(file: FilePath(file)))
        try await node.remove()
        let home = Home(try path("home"))
        try FileManager.default.createDirectory(
            atPath: home.directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let left = home.directory + "/" + name
        try Data("7".utf8).write(to: URL(fileURLWithPath: left))
        do {
            _ = try HomeBackup.restore(file, into: home)
            Issue.record("a backup was restored beside \(name)")
        } catch let fault as CommandFault {
            #expect(fault.exitCode == 7 && fault.sentence.hasPrefix("\(left) is there already"))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: left)) == Data("7".utf8))
        #expect(!home.hasIdentity)
        remove(file, home.directory)
    }

    @Test func `the node accepts only absolute paths`() async throws {
        let node = try await RunningNode.start()
        // No FilePath can be relative, so these are the raw arguments.
        for command in [NodeCommands.backup.declaration, NodeCommands.export.declaration] {
            await #expect(throws: CommandFault.self) {
                try await node.answer(to: command, ["file": "here"])
            }
        }
        try await node.remove()
    }

    @Test func `a file whose name is too long for the disk is refused`() async throws {
        let node = try await RunningNode.start()
        let folder = try TestDirectory.make("long")
        let long = try FilePath(folder + "/" + String(repeating: "x", count: 241))
        let fault = CommandFault.refused(
            "the name of the file is too long; choose one of fewer characters")
        await #expect(throws: fault) { try await node.call(NodeCommands.backup, .init(file: long)) }
        await #expect(throws: fault) { try await node.call(NodeCommands.export, .init(file: long)) }
        for (command, letter) in [
            (NodeCommands.backup.declaration, "b"), (NodeCommands.export.declaration, "e"),
        ] {
            let longest = folder + "/" + String(repeating: letter, count: 240)
            _ = try await node.answer(to: command, ["file": .string(longest)])
        }
        try await node.remove()
    }

    @Test func `a file in a directory that does not exist is refused`() async throws {
        let node = try await RunningNode.start()
        let missing = try path("missing")
        let fault = CommandFault.notFound(
            "there is no directory \(missing); create it, or name another file")
        await #expect(throws: fault) {
            try await node.call(NodeCommands.backup, .init(file: FilePath(missing + "/backup")))
        }
        await #expect(throws: fault) {
            try await node.call(NodeCommands.export, .init(file: FilePath(missing + "/export")))
        }
        try await node.remove()
    }

    @Test func `an export is JSON with records under the names of their fields`()
        async throws
    {
        let node = try await RunningNode.start()
        try await node.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "보리"))
        let file = try path("export")
        let made = try await node.call(NodeCommands.export, .init(file: FilePath(file)))
        let document = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(document["waggleExport"] == 1)
        #expect(document["person"]?.string == (try await node.person.string))
        #expect(document["spaces"]?.array?.count == made.spaces.value)
        #expect(try document.decoded(as: ExportedHome.self).spaces.count == made.spaces.value)
        let card = try #require(document["spaces"]?.array?.first { $0["kind"] == "card" })
        let profile = card["collections"]?["neighbours.profile/1"]?.array?.first
        #expect(profile?["fields"]?["nickname"] == "Ana")
        #expect(profile?["fields"]?["dog_name"] == "보리")
        var text = ""
        try HomeExport(node.home).write { text += $0 }
        #expect(try JSONValue(parsing: Data(text.utf8))["person"] == document["person"])
        try await node.remove()
        remove(file)
    }

    @Test func `a repair of an undamaged node finds nothing`() async throws {
        let node = try await RunningNode.start()
        try await node.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        let report = try await node.call(NodeCommands.repair, .init())
        #expect(report.isWhole && !report.newKey)
        #expect(!report.spaces.isEmpty)
        await #expect(throws: CommandFault.self) {
            try await node.call(NodeCommands.repair, .init(space: NameOrKey("nothing")))
        }
        let profile = try await node.call(ProfileCommands.show)
        #expect(profile.nickname == "Ana")
        try await node.remove()
    }

    @Test func `a deleted person's data is gone here and at a mate, and the mate's own texts stay`()
        async throws
    {
        let meeting = try await Meeting.linked()
        let (one, other) = (meeting.one, meeting.other)
        try await one.call(ProfileCommands.edit, .init(dogName: Text("Dog-of-deleted")))
        try await meeting.drop()
        try await other.wait(for: MateCommands.list) {
            $0.mates.first?.profile.nickname == "Ana"
        }
        let group = try await one.call(GroupCommands.create, .init(name: Text("Group-of-deleted")))
        try await one.call(
            GroupCommands.invite,
            .init(group: NameOrKey(group.id), person: NameOrKey(other.person), role: .reader))
        try await other.wait(for: InboxCommands.list) { answer in
            answer.items.contains { item in
                item.title.string.hasSuffix("invites you to Group-of-deleted")
            } == true
        }
        try await one.call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(other.person), latitude: Latitude(37.5), longitude: Longitude(127.0),
                locationName: Text("Park"), message: Text("the-text-of-the-deleted")))
        try await other.wait(for: WalkCommands.list) { $0.requests.count == 1 }
        await #expect(throws: CommandFault.self) {
            try await one.call(NodeCommands.deleteMe, .init(yes: nil))
        }

        let mate = try await other.person
        let answer = try await one.call(NodeCommands.deleteMe, .init(yes: true))
        #expect(answer.confirmed == [mate])
        #expect(answer.unconfirmed == [])
        try await other.wait(for: MateCommands.list) { $0.mates.isEmpty }
        try await other.wait(for: WalkCommands.list) { $0.requests.isEmpty }
        let files = [one.home.personRecordFile, one.home.deviceKeyFile, one.home.replicaFile]
        let isGone = await eventually {
            !files.contains { FileManager.default.fileExists(atPath: $0) }
        }
        #expect(isGone)
        let profile = try await other.call(ProfileCommands.show)
        #expect(profile.nickname == "Bob")
        // The card from the meeting, and the inbox's text about the invitation, were stored in the
        // mate's own records.
        for text in ["the-text-of-the-deleted", "Dog-of-deleted", "Group-of-deleted"] {
            // After a scrub the node rests for twenty times as long as that took.
            let isScrubbed = await eventually(seconds: 90) {
                (try? DatabaseBytes(of: other.home.replicaFile).holds(text)) == false
            }
            #expect(isScrubbed, "\(text)")
        }
        try await meeting.end()
    }

    @Test func `the owner of a deleted person's group confirms the deletion`()
        async throws
    {
        let meeting = try await Meeting.linked()
        let (one, other) = (meeting.one, meeting.other)
        try await meeting.drop()
        let group = try await other.call(GroupCommands.create, .init(name: Text("Park")))
        try await other.call(
            GroupCommands.invite,
            .init(
                group: NameOrKey(group.id), person: NameOrKey(try await one.person), role: .writer))
        try await one.wait(for: GroupCommands.list) { $0.groups.first?.state == .invited }
        try await one.call(GroupCommands.accept, .init(group: NameOrKey(group.id)))
        try await one.call(
            GroupCommands.note, .init(group: NameOrKey(group.id), text: Text("Who comes?")))
        try await other.wait(for: GroupCommands.show, .init(group: NameOrKey(group.id))) {
            $0.notes.count == 1
        }
        // The owner confirms what was erased; it never confirms that the other left.
        let mate = try await other.person
        let answer = try await one.call(NodeCommands.deleteMe, .init(yes: true))
        #expect(answer.confirmed == [mate])
        try await other.wait(for: GroupCommands.show, .init(group: NameOrKey(group.id))) {
            $0.notes.isEmpty
        }
        try await meeting.end()
    }
}
