import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// A mate who dates batches decades ahead, to be held for ever.
@Suite(.serialized) struct DatedAheadTests {
    @Test func `so many batches of the year 2100 are held as the limit allows, and nobody waits`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let eve = try await HonestMate.of(mate.victim)
        let before = try await mate.pairCounts()
        var log = try await mate.log(in: mate.pair.id)
        let late = Timestamp(milliseconds: 4_102_444_800_000)
        for number in 0..<2 * Limits.heldBatchesMax {
            try log.write([HostileMate.harmless], at: late + .milliseconds(number))
        }
        let peer = try await mate.link()
        let frames = try stride(from: 0, to: log.batches.count, by: Limits.heldBatchesMax).map {
            try log.push($0..<$0 + Limits.heldBatchesMax)
        }
        _ = try await peer.answers(to: frames)
        let after = try await mate.pairCounts()
        #expect(after.held == Limits.heldBatchesMax)
        #expect(after.batches == before.batches + Limits.heldBatchesMax)
        try await eve.message("still today")
        let links = try await mate.victim.call(NodeCommands.status).links
        #expect(links.count == 2)
        peer.close()
        try await eve.node.remove()
        try await mate.end()
    }
}
