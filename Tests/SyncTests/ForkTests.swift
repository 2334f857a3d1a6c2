import Records
import Testing

@testable import Sync

/// Messages of two sessions whose logs forked.
@Suite struct ForkTests {
    private static let device = DeviceID(raw: Digest.header.hash([1]))
    private let main = LogName(device: device)
    private let branches = (1...3).map {
        LogName(device: device, branch: BranchName(raw: Digest.header.hash([9, $0])))
    }

    private func state(
        _ log: LogName, _ numbers: ClosedRange<UInt64>, hash: UInt8 = 0
    ) -> LogState {
        LogState(
            log: log, low: numbers.lowerBound, high: numbers.upperBound,
            headHash: BatchHash(raw: Digest.header.hash([hash, UInt8(numbers.upperBound)])))
    }

    private func here(_ logs: [LogState]) -> SharedSpace {
        SharedSpace(space: SyncPair.space, digest: Digest.ofLogs(logs), logs: logs)
    }

    /// Returns a session that shares these logs with a peer that announced the space and holds
    /// other batches.
    private func session(_ logs: [LogState]) throws -> SyncSession {
        var session = SyncPair(NumberReplica(), NumberReplica()).ends[0].session
        _ = session.share([here(logs)])
        let token = Token(
            SyncPair.space, sender: session.remoteNonce, receiver: session.localNonce)
        _ = try session.receive(
            .have(
                Have(round: .announcement, entries: [.init(token: token, digest: Bytes16.zero)])))
        return session
    }

    private func vector(_ logs: [LogState]) -> Message {
        .vector(Vector(channel: 0, reaches: logs))
    }

    private func pushes(_ effects: [SyncSession.Effect]) -> [SyncSession.Effect] {
        effects.filter { if case .push = $0 { true } else { false } }
    }

    @Test func `an equal number with another hash leads to a push and is reported`() throws {
        var session = try session([state(main, 1...5)])
        let theirs = state(main, 1...5, hash: 1)
        let effects = try session.receive(vector([theirs]))
        #expect(effects.contains(.forked(SyncPair.space, main, number: 5)))
        #expect(
            pushes(effects) == [
                .push(
                    SyncPair.space, main, after: 5, prefix: theirs.headHash.prefix, channel: 0)
            ])
    }

    @Test func `a push names the batch that it continues by the peer's hash`() throws {
        var session = try session([state(main, 1...9)])
        let theirs = state(main, 1...5, hash: 1)
        let effects = try session.receive(vector([theirs]))
        #expect(
            pushes(effects) == [
                .push(
                    SyncPair.space, main, after: 5, prefix: theirs.headHash.prefix, channel: 0)
            ])
    }

    @Test func `a shorter log that is kept instead of the peer's is sent from its beginning`()
        throws
    {
        var session = try session([state(main, 1...5)])
        _ = try session.receive(vector([state(main, 1...9, hash: 1)]))
        #expect(
            session.refusedSide(of: Self.device, in: SyncPair.space) == [
                .push(SyncPair.space, main, after: 0, prefix: 0, channel: 0)
            ])
        for _ in 0..<100 {
            #expect(session.refusedSide(of: Self.device, in: SyncPair.space).isEmpty)
        }
    }

    @Test func `a refused side causes no push of a log that the vectors compare`() throws {
        var session = try session([state(main, 1...5)])
        _ = try session.receive(vector([state(main, 1...5, hash: 1)]))
        #expect(session.refusedSide(of: Self.device, in: SyncPair.space).isEmpty)
        _ = try session.receive(vector([state(main, 1...3)]))
        #expect(session.refusedSide(of: Self.device, in: SyncPair.space).isEmpty)
    }

    @Test func `a branch that the peer does not list is sent from its divergent batch on`() throws {
        var session = try session([state(main, 1...3), state(branches[0], 4...9)])
        let effects = try session.receive(vector([state(main, 1...3)]))
        #expect(
            pushes(effects) == [
                .push(SyncPair.space, branches[0], after: 3, prefix: 0, channel: 0)
            ])
    }

    @Test func `a vector lists branches with their first batch, in order`() throws {
        let logs = [state(branches[1], 6...8), state(main, 1...5), state(branches[0], 6...7)]
        let session = try session(logs)
        let vector = Vector(channel: 0, reaches: logs)
        #expect(vector.logs.map(\.low) == [1] + (branches[0] < branches[1] ? [6, 6] : [6, 6]))
        #expect(vector.logs.map(\.log) == logs.map(\.log).sorted())
        let message = Message.vector(vector)
        let sender = ForkTests.device
        let copy = try Message(
            type: message.type, payload: message.payload(sender: sender), sender: sender)
        #expect(copy == message)
        #expect(session.sharedSpaces == [SyncPair.space])
    }

    @Test func `a fork found here is pushed as branches though the log became shorter`() throws {
        var session = try session([state(main, 1...5)])
        _ = try session.receive(vector([state(main, 1...5, hash: 1)]))
        let forked = [state(main, 1...3), state(branches[0], 4...5), state(branches[1], 4...5)]
        // The peer sent one of the two branches, so only the other one is sent to it.
        _ = session.stored(forked, received: [LogReach(forked[2].head)], in: SyncPair.space)
        let effects = session.advanced(here(forked))
        #expect(
            pushes(effects) == [
                .push(SyncPair.space, branches[0], after: 3, prefix: 0, channel: 0)
            ])
    }

    @Test(arguments: [0, 1024, 1025, 2049])
    func `logs for which one acknowledgement has no room are named by more`(count: Int) throws {
        var session = try session([state(main, 1...5)])
        let logs = (0..<count).map { number in
            let branch = BranchName(
                raw: Digest.header.hash([UInt8(number & 255), UInt8(number >> 8)]))
            return state(LogName(device: ForkTests.device, branch: branch), 6...7)
        }
        let vectors = session.stored(logs, received: [], in: SyncPair.space).compactMap {
            if case .send(.acknowledge(let vector)) = $0 { vector } else { nil }
        }
        #expect(vectors.count == max(1, (count + 1023) / 1024))
        #expect(vectors.allSatisfy { $0.logs.count <= Limits.vectorLogsMax })
        #expect(vectors.flatMap(\.logs).count == count)
        for vector in vectors {
            let message = Message.acknowledge(vector)
            let sender = ForkTests.device
            let copy = try Message(
                type: message.type, payload: message.payload(sender: sender), sender: sender)
            #expect(copy == message)
        }
    }

    @Test func `pushes go out in the order in which the logs are given`() throws {
        let senior = LogName(device: DeviceID(raw: Digest.header.hash([77])))
        for order in [[main, senior], [senior, main]] {
            var session = try session(order.map { state($0, 1...2) })
            let effects = try session.receive(vector([]))
            #expect(
                pushes(effects)
                    == order.map {
                        .push(SyncPair.space, $0, after: 0, prefix: 0, channel: 0)
                    })
        }
    }

    @Test func `an acknowledgement of another batch with the number is ignored`() throws {
        var session = try session([state(main, 1...5)])
        let other = Vector(channel: 0, reaches: [state(main, 1...5, hash: 1)])
        #expect(try session.receive(.acknowledge(other)).isEmpty)
        let same = Vector(channel: 0, reaches: [state(main, 1...5)])
        #expect(
            try session.receive(.acknowledge(same))
                == [.acknowledged(SyncPair.space, [LogReach(state(main, 1...5).head)])])
    }

    @Test func `a log that a cut shortened is compared by the part that counts`() throws {
        let whole = [state(main, 1...9)]
        var session = try session(whole)
        _ = try session.receive(vector(whole))
        let cut = here([state(main, 1...4)])
        #expect(pushes(session.advanced(cut)).isEmpty)
        let token = Token(
            SyncPair.space, sender: session.remoteNonce, receiver: session.localNonce)
        _ = try session.receive(
            .have(
                Have(round: .announcement, entries: [.init(token: token, digest: cut.digest)])))
        #expect(session.isInSync(SyncPair.space))
    }
}
