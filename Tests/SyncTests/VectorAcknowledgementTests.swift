import Records
import Testing

@testable import Sync

/// A vector acknowledges what it names: the ACK for it may have been lost with an earlier link.
@Suite struct VectorAcknowledgementTests {
    private static let device = DeviceID(raw: Digest.header.hash([1]))
    private let main = LogName(device: device)
    private let other = LogName(device: DeviceID(raw: Digest.header.hash([2])))

    private func state(_ log: LogName, _ high: UInt64, hash: UInt8 = 0) -> LogState {
        LogState(
            log: log, low: 1, high: high,
            headHash: BatchHash(raw: Digest.header.hash([hash, UInt8(high)])))
    }

    /// Returns a session that shares these logs with a peer that holds other batches.
    private func session(_ logs: [LogState]) throws -> SyncSession {
        var session = SyncPair(NumberReplica(), NumberReplica()).ends[0].session
        _ = session.share([
            SharedSpace(space: SyncPair.space, digest: Digest.ofLogs(logs), logs: logs)
        ])
        let token = Token(
            SyncPair.space, sender: session.remoteNonce, receiver: session.localNonce)
        _ = try session.receive(
            .have(
                Have(round: .announcement, entries: [.init(token: token, digest: Bytes16.zero)])))
        return session
    }

    /// Returns what a session takes for acknowledged when it receives the peer's vector.
    private func acknowledged(
        by logs: [LogState], to session: inout SyncSession
    ) throws -> [LogReach] {
        try session.receive(.vector(Vector(channel: 0, reaches: logs))).flatMap { effect in
            guard case .acknowledged(SyncPair.space, let reaches) = effect else {
                return [LogReach]()
            }
            return reaches
        }
    }

    @Test func `a vector acknowledges the batches that it names, also while digests differ`() throws
    {
        var session = try session([state(main, 5), state(other, 2)])
        let held = [state(main, 3), state(other, 2)]
        #expect(
            try acknowledged(by: held, to: &session).sorted { $0.number < $1.number }
                == held.map { LogReach($0.head) }.sorted { $0.number < $1.number })
        #expect(!session.isInSync(SyncPair.space))
    }

    @Test func `a vector acknowledges no batch that is not here, and no other with its number`()
        throws
    {
        var session = try session([state(main, 5)])
        #expect(try acknowledged(by: [state(main, 6)], to: &session).isEmpty)
        #expect(try acknowledged(by: [state(other, 1)], to: &session).isEmpty)
        #expect(try acknowledged(by: [state(main, 5, hash: 1)], to: &session).isEmpty)
    }

    @Test func `a vector that asks for a body again takes no acknowledgement back`() throws {
        var session = try session([state(main, 5)])
        _ = try session.receive(.acknowledge(Vector(channel: 0, reaches: [state(main, 5)])))
        #expect(try acknowledged(by: [state(main, 4)], to: &session).isEmpty)
        // The vector replaced what is known of the peer, so it may tell of the whole log again.
        let whole = state(main, 5)
        #expect(try acknowledged(by: [whole], to: &session) == [LogReach(whole.head)])
    }
}
