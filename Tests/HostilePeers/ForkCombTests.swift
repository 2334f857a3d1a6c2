import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// A mate who forks their own long log at a thousand numbers at once. `ForkWorkTests` counts the
/// work that this causes, since time says little on a busy machine.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ForkCombTests {
    private static let logBatchesCount = 1500
    /// The numbers after which the log is forked. They fall, so each side displaces an earlier one.
    private static let forks = stride(from: 1200, to: 200, by: -1)

    @Test func `four sides of a log are kept, and the node answers and receives meanwhile`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let eve = try await HonestMate.of(mate.victim)
        let before = try await mate.pairCounts()
        var log = try await mate.log(in: mate.pair.id)
        for _ in 0..<Self.logBatchesCount { try log.write([HostileMate.harmless]) }
        let later = HostilePeer.now() + .seconds(10)
        let teeth = try Self.forks.map { count in
            var tooth = log.back(to: count)
            try tooth.write([HostileMate.harmless], at: later + .milliseconds(count))
            return try tooth.push(count..<count + 1)
        }
        let victim = mate.victim
        let peer = try await mate.link()
        _ = try await peer.answers(to: [try log.push()])
        // All at once, so that many share one transaction.
        _ = try await peer.answers(to: teeth)
        try await eve.message("in one piece")
        // Only the last batches of sides are stored besides the log.
        let stored = try await mate.pairCounts().batches - before.batches
        #expect((2...Self.logBatchesCount + Limits.forkSidesMax).contains(stored))
        let kinds = try await victim.noticeKinds()
        #expect(kinds.count { $0 == .forked } <= 1, "\(kinds)")
        let links = try await victim.call(NodeCommands.status).links
        #expect(links.count == 2)
        peer.close()
        try await eve.node.remove()
        try await mate.end()
    }
}
