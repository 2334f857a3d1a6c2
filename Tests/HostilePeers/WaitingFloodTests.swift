import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// A mate who writes a record that does not exist, again and again.
@Suite(.serialized) struct WaitingFloodTests {
    @Test func `as many operations on an unknown record wait as the limit allows, and nobody else`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let eve = try await HonestMate.of(mate.victim)
        let before = try await mate.pairCounts()
        var log = try await mate.log(in: mate.pair.id)
        let unknown = EntityID(raw: Bytes16(prefixOf: mate.victimPerson.raw))
        let note = Operation(
            collection: CollectionID(name: "neighbours.walk/1"), entity: unknown,
            action: .set(field: 12, .text("x")))
        let fullCount = Limits.waitingOperationsMax / Limits.batchOperationsMax
        for _ in 0..<3 * fullCount {
            try log.write([Operation](repeating: note, count: Limits.batchOperationsMax))
        }
        let peer = try await mate.link()
        _ = try await peer.answers(to: try log.batches.indices.map { try log.push($0..<$0 + 1) })
        let after = try await mate.pairCounts()
        #expect(after.batches == before.batches + fullCount)
        try await eve.message("about a record that exists")
        let links = try await mate.victim.call(NodeCommands.status).links
        #expect(links.count == 2)
        peer.close()
        try await eve.node.remove()
        try await mate.end()
    }
}
