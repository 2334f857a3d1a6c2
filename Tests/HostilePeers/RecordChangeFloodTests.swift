import Identity
import NodeTestSupport
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// Tests a mate who changes their own record as often as eight devices can send it. Each change is
/// a transaction that waits for the disk.
@Suite(.serialized, .timeLimit(.minutes(3))) struct RecordChangeFloodTests {
    private static let (devicesCount, perDeviceCount) = (8, 6)

    @Test func `a mate's eight devices cause few transactions, and an honest mate is served`()
        async throws
    {
        let mate = try await HostileMate.capture()
        try await mate.victim.stop()
        let victim = try await OpenVictim.start(mate.victim.home)
        let peers = try await mate.links(Self.devicesCount, with: victim.port)
        let before = try await removalsCount(of: mate, at: victim)
        let person = mate.identity.person
        let messages = try (0..<Self.devicesCount * Self.perDeviceCount).map { _ in
            let removal = try DeviceEntry.removing(
                DeviceKey().id, from: person.person, by: mate.identity.key)
            return Message.identity([ClaimedPersonRecord(try person.adding(removal))])
        }
        let begun = ContinuousClock.now
        for (number, message) in messages.enumerated() {
            try await peers[number % peers.count].send(message)
        }
        // Each removal came in a message of its own, and was stored in a transaction of its own.
        #expect(
            await eventually {
                let count = try? await removalsCount(of: mate, at: victim)
                return (count ?? 0) - before >= RecordChanges.atOnceMax
            })
        try await Task.sleep(for: .seconds(3))
        let changes = try await removalsCount(of: mate, at: victim) - before
        let seconds = Int(begun.duration(to: .now) / .seconds(1))
        #expect(changes <= RecordChanges.atOnceMax + seconds + 1)
        for peer in peers { peer.close() }
        try await victim.end()
        mate.removeHomes()
    }

    private func removalsCount(of mate: HostileMate, at victim: OpenVictim) async throws -> Int {
        let record = await victim.node.replica.personRecord(mate.identity.person.person)
        return try #require(record).entries.count { $0.kind == .remove }
    }
}
