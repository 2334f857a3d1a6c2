import Identity
import Node
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import Testing

@testable import Sync

/// A mate who writes megabytes of control operations, most of which have no effect in a pair.
@Suite(.serialized) struct ControlOperationTests {
    /// The memory that the victim may take for all; a fact of each would take twice as much.
    private static let memoryMiBMax = 48

    @Test func `half a million accepts and a hundred cuts stay small in memory`() async throws {
        let mate = try await HostileMate.capture()
        let second = DeviceKey()
        let person = try mate.identity.person.adding(
            try DeviceEntry.adding(
                DeviceConsent(of: second, to: mate.identity.person.person, name: "second"),
                by: mate.identity.key))
        var other = WrittenLog(second, in: mate.pair.id)
        try other.write([HostileMate.harmless])
        let head = LogHead(
            log: LogName(device: second.id), number: other.number,
            hash: other.batches.last?.hash ?? .none)
        let accepts = [Operation](
            repeating: Operation(control: .accept), count: Limits.batchOperationsMax - 1)
        let cut = Operation(control: .cut(mate.identity.person.person, [head]))
        var log = try await mate.log(in: mate.pair.id)
        for _ in 0..<120 { try log.write(accepts + [cut]) }

        let victim = try await mate.victimAsProcess()
        let before = await victim.settledMiB()
        let peer = try await HostilePeer.dial(victim.port, as: mate.identity.key, person)
        try await peer.announce([mate.pair.id])
        _ = try await peer.answers(to: [try other.push()])
        for first in stride(from: 0, to: 120, by: 40) {
            _ = try await peer.answers(to: [try log.push(first..<first + 40)])
        }
        let space = try await victim.status().spaces.first {
            $0.id.description == mate.pair.id.description
        }
        #expect((space?.batches.value ?? 0) > 120)
        let after = await victim.settledMiB()
        #expect(after < before + Self.memoryMiBMax, "\(before) MiB, then \(after)")
        peer.close()
        try await victim.remove()
        mate.removeHome()
    }
}
