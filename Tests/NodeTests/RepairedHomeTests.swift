import ControlAPI
import FeaturesAPI
import Foundation
import GRDB
import NodeAPI
import NodeTestSupport
import PluginKit
import Replica
import TestSupport
import Testing

@testable import Node

/// A repair that cuts a log of this device.
@Suite(.serialized) struct RepairedHomeTests {
    /// Damages the last batch but one of the device's log with the most batches.
    private func ruin(_ home: Home, device: Key) async throws {
        let queue = try DatabaseQueue(path: home.replicaFile)
        try await queue.write { database in
            try database.execute(
                sql: """
                    UPDATE batch SET body = body || x'00' WHERE id = (
                        SELECT max(b.id) - 1 FROM batch b JOIN log l ON l.number = b.id >> 40
                        JOIN space s ON s.number = l.space AND s.kind = 'card'
                        WHERE lower(hex(l.device)) = ?)
                    """, arguments: [device.string])
            #expect(database.changesCount == 1)
        }
        try queue.close()
    }

    /// Returns the number of a device's batches in the card, according to a home's file.
    private func batches(of device: Key, in home: Home) async throws -> Int {
        let queue = try DatabaseQueue(path: home.replicaFile)
        let count = try await queue.read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM batch b JOIN log l ON l.number = b.id >> 40
                    JOIN space s ON s.number = l.space AND s.kind = 'card'
                    WHERE lower(hex(l.device)) = ?
                    """, arguments: [device.string])
        }
        try queue.close()
        return count ?? 0
    }

    @Test func `a node that was killed right after the cut also continues under a new key`()
        async throws
    {
        let node = try await RunningNode.start()
        try await node.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        for dog in ["Rolf", "Rudi"] {
            try await node.call(ProfileCommands.edit, .init(dogName: Text(dog)))
        }
        let device = try await node.device
        try await node.stop()
        let before = try await batches(of: device, in: node.home)
        try await ruin(node.home, device: device)
        try await repairAlone(node.home)

        let again = try await RunningNode.start(node.home)
        let hasNewKey = await eventually {
            let fresh = try? await again.device
            return fresh != nil && fresh != device
        }
        #expect(hasNewKey)
        try await again.call(ProfileCommands.edit, .init(dogName: Text("Afresh")))
        let fresh = try await again.device
        try await again.stop()
        #expect(try await batches(of: device, in: node.home) == before - 2)
        // The next start has nothing left to do.
        let last = try await RunningNode.start(node.home)
        #expect(try await last.device == fresh)
        try await last.call(ProfileCommands.edit, .init(dogName: Text("Again")))
        try await last.remove()
    }

    /// Repairs a home's replica in a process that does nothing else afterwards.
    private func repairAlone(_ home: Home) async throws {
        let replica = try Replica(
            path: home.replicaFile, key: NodeIdentity.load(from: home).key, collections: [],
            views: [])
        var hasCutOwn = false
        for space in await replica.spaces() {
            hasCutOwn = try await replica.repair(space.id).hasCutOwn || hasCutOwn
        }
        #expect(hasCutOwn)
        try await replica.close()
    }

    @Test func `after a cut of its own log, a device continues under a new key, from number one`()
        async throws
    {
        let node = try await RunningNode.start()
        try await node.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        for dog in ["Rolf", "Rudi"] {
            try await node.call(ProfileCommands.edit, .init(dogName: Text(dog)))
        }
        let device = try await node.device
        try await node.stop()
        let before = try await batches(of: device, in: node.home)
        try await ruin(node.home, device: device)

        let again = try await RunningNode.start(node.home)
        let report = try await again.call(NodeCommands.repair, .init())
        #expect(!report.isWhole && report.newKey)
        let hasNewKey = await eventually {
            let fresh = try? await again.device
            return fresh != nil && fresh != device
        }
        #expect(hasNewKey)
        try await again.call(ProfileCommands.edit, .init(dogName: Text("Afresh")))
        #expect(try await again.call(ProfileCommands.show).dogName == "Afresh")
        let status = try await again.call(NodeCommands.status)
        #expect(
            status.notices.contains {
                $0.kind == .newDevice
                    && $0.text.string.contains("cut off by a repair")
            })
        let fresh = try await again.device
        #expect(try await again.call(NodeCommands.repair, .init()).isWhole)
        try await again.stop()
        #expect(try await batches(of: device, in: node.home) == before - 2)
        #expect(try await batches(of: fresh, in: node.home) > 0)
        try FileManager.default.removeItem(atPath: node.home.directory)
    }
}
