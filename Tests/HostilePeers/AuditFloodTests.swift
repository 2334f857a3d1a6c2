import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// Tests a mate whose eight devices have ranges hashed without a pause.
@Suite(.serialized, .timeLimit(.minutes(3))) struct AuditFloodTests {
    // So few at a time that the link of a person who must wait is not ended for the memory.
    private static let (roundsCount, perRoundCount) = (3, 250)

    @Test func `a mate's eight devices have as many ranges hashed as one`() async throws {
        let mate = try await HostileMate.capture()
        let peers = try await mate.links(8, with: mate.victim.port)
        let audit = Message.audit(
            Audit(channel: 0, log: mate.head.log, from: 1, through: 1, hash: .zero))
        // On a busy machine an answer may take longer than a link may be silent.
        let alive = Task { await Self.keepAlive(peers) }
        defer { alive.cancel() }
        let begun = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for peer in peers {
                group.addTask {
                    let flood = Array(repeating: audit, count: Self.perRoundCount)
                    for _ in 0..<Self.roundsCount { _ = try await peer.answers(to: flood) }
                }
            }
            try await group.waitForAll()
        }
        let rangesCount = peers.count * Self.roundsCount * Self.perRoundCount
        let cost = 1 + AuditAllowance.batchesPerRange
        let seconds = Int(begun.duration(to: .now) / .seconds(1)) + 2
        #expect(rangesCount * cost <= seconds * AuditAllowance.batchesPerSecondMax)
        for peer in peers { peer.close() }
        try await mate.end()
    }

    /// Sends a message that has no answer on each link from time to time, until the task is
    /// cancelled. A pong could replace the one that ``HostilePeer/answers(to:)`` waits for.
    private static func keepAlive(_ peers: [HostilePeer]) async {
        while !Task.isCancelled {
            for peer in peers { try? await peer.send(.announced(AnnouncedFields())) }
            try? await Task.sleep(for: .seconds(10))
        }
    }
}
