import ControlAPI
import FeaturesAPI
import class Foundation.FileManager
import Identity
import Node
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// A device that consents to two members of one group.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ClaimedTwiceTests {
    @Test func `its notes have one author at everybody, whichever claim arrives first`()
        async throws
    {
        let ana = try await RunningNode.start()
        try await ana.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        let eve = try await HonestMate.of(ana).node
        let captured = [try await HonestMate.of(ana).node, try await HonestMate.of(ana).node]
        let created = try await ana.call(GroupCommands.create, .init(name: Text("Walkers")))
        let group = NameOrKey(created.id)
        let space = try #require(SpaceID(created.id.string))
        try await Self.join([eve] + captured, to: group, of: ana)
        for node in captured {
            _ = await eventually {
                (try? await node.call(NodeCommands.verify, .init()))?.equal == true
            }
            try await node.stop()
        }

        // The device of the first is also one of the second's.
        let owners = try captured.map { try NodeIdentity.load(from: $0.home) }
        let key = owners[0].key
        let consent = try DeviceConsent(of: key, to: owners[1].person.person, name: "mine too")
        let records = [
            owners[0].person,
            try owners[1].person.adding(try DeviceEntry.adding(consent, by: owners[1].key)),
        ]
        var log = try await NodeIdentity.log(
            of: key, in: space, from: captured[0].home.replicaFile)
        try log.write(
            log.record(
                "neighbours.note/1",
                [(1, .text("Whose?")), (2, .integer(HostilePeer.now().milliseconds))]))
        let push = try log.push()
        for (node, order) in [(ana, records), (eve, records.reversed())] {
            let peer = try await HostilePeer.dial(node.port, as: key, order[0])
            try await peer.announce([space])
            let other = Message.identity([ClaimedPersonRecord(order[1])])
            _ = try await peer.answers(to: [push, other, push])
            peer.close()
        }
        let agreed = await eventually {
            let notes = [try? await ana.notes(of: group), try? await eve.notes(of: group)]
            return notes[0] != nil && notes[0]?.isEmpty == false && notes[0] == notes[1]
        }
        #expect(agreed)
        #expect(try await ana.digest(of: space) == eve.digest(of: space))
        for node in [ana, eve] { try await node.remove() }
        for node in captured { try FileManager.default.removeItem(atPath: node.home.directory) }
    }

    /// Makes people members of a group, and waits until each knows all of them.
    private static func join(
        _ nodes: [RunningNode], to group: NameOrKey, of owner: RunningNode
    ) async throws {
        for node in nodes {
            try await owner.call(
                GroupCommands.invite, .init(group: group, person: NameOrKey(node.person))
            )
            try await node.wait(for: GroupCommands.list) {
                $0.groups.first?.state == .invited
            }
            try await node.call(GroupCommands.accept, .init(group: group))
        }
        for node in [owner] + nodes {
            try await node.wait(for: GroupCommands.show, .init(group: group)) {
                $0.peopleCount == nodes.count + 1
            }
        }
    }
}

extension RunningNode {
    /// The notes of a group, each with its author.
    fileprivate func notes(of group: NameOrKey) async throws -> [String] {
        let notes = try await call(GroupCommands.show, .init(group: group)).notes
        return notes.map { "\($0.person): \($0.text)" }
    }

    /// The digest of a space.
    fileprivate func digest(of space: SpaceID) async throws -> DigestDigits? {
        let spaces = try await call(NodeCommands.status).spaces
        return spaces.first { $0.id == Key(space) }?.digest
    }
}
