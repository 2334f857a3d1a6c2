import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Replica
@testable import Sync

/// A mate who makes the victim merge a long pair again and again, by one erase after another of
/// records that cannot be erased alone.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RebuildFloodTests {
    private static let (recordsCount, erasesCount) = (1000, 40)

    @Test func `erases are stored at the pace of their work, and other spaces go on meanwhile`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let eve = try await HonestMate.of(mate.victim)
        var log = try await mate.log(in: mate.pair.id)
        for _ in 0..<Self.recordsCount {
            try log.write(log.record("neighbours.invitation/1", []), salt: .zero)
        }
        for batch in log.batches.prefix(Self.erasesCount) {
            let name = BatchName(
                log: batch.header.log, number: batch.header.number, hash: batch.hash)
            try log.write([Operation(control: .erase(name))])
        }
        let peer = try await mate.link()
        _ = try await peer.answers(to: [try log.push(0..<Self.recordsCount)])
        let before = try await mate.pairCounts().batches
        let begun = ContinuousClock.now
        for step in 0..<Self.erasesCount {
            let done = try await mate.pairCounts().batches - before
            let next = Self.recordsCount + done
            _ = try await peer.answers(to: [try log.push(next..<next + 1)])
            if step.isMultiple(of: 10) { try await eve.message("message \(step)") }
        }
        let erased = try await mate.pairCounts().batches - before
        // Each erase costs at least a unit for each of the records. On a slow machine all of them
        // may be stored.
        let atOnce = RebuildDebt.unitsMax / Self.recordsCount
        let seconds = Int(begun.duration(to: .now) / .seconds(1)) + 1
        let later = seconds * RebuildDebt.unitsPerSecond / Self.recordsCount
        #expect(erased > 0)
        #expect(erased <= atOnce + later, "\(erased) erases in \(seconds) s")
        #expect(try await mate.victim.call(NodeCommands.status).links.count == 2)
        peer.close()
        try await eve.node.remove()
        try await mate.end()
    }
}
