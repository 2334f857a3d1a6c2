import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// A mate who forks their own long log at a thousand numbers at once.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ForkCombTests {
    /// The longest time that an answer of the local API may take meanwhile, beyond the longest time
    /// by which this process itself was late: other suites run beside this one. `ForkWorkTests`
    /// counts the work.
    private static let answerMax = Duration.seconds(5)
    private static let pause = Duration.milliseconds(50)
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
        let watching = Task {
            var (slowest, latest) = (Duration.zero, Duration.zero)
            while !Task.isCancelled {
                do {
                    let took = try await ContinuousClock().measure {
                        _ = try await victim.call(NodeCommands.status)
                    }
                    slowest = max(slowest, took)
                } catch {
                    // The request that was under way at the end is cancelled with the task.
                    guard Task.isCancelled else { throw error }
                }
                let slept = await ContinuousClock().measure {
                    try? await Task.sleep(for: Self.pause)
                }
                latest = max(latest, slept - Self.pause)
            }
            return slowest - latest
        }
        let peer = try await mate.link()
        _ = try await peer.answers(to: [try log.push()])
        // All at once, so that many share one transaction.
        _ = try await peer.answers(to: teeth)
        try await eve.message("in one piece")
        watching.cancel()
        #expect(try await watching.value < Self.answerMax)
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
