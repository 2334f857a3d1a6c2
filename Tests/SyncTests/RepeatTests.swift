import Records
import TestSupport
import Testing

@testable import Sync

/// Tests that batches are not sent again on every request.
@Suite struct RepeatTests {
    private let log = LogName(device: DeviceID(raw: Digest.header.hash([1])))
    private let nothing = Message.vector(Vector(channel: 0, logs: []))

    /// Returns a pair in which one end has sent a thousand batches and the other stores nothing.
    private func pairAfterFirstPush() throws -> SyncPair {
        var pair = SyncPair(NumberReplica(logs: [log: 1000]), NumberReplica())
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        #expect(pair.ends[0].sentBatchesCount == 1000)
        return pair
    }

    /// Returns the digest of an end without batches, as the answer to one question.
    private func answerOfNothing(_ pair: SyncPair) -> Message {
        answer(NumberReplica().here(SyncPair.space).digest, pair)
    }

    private func answer(_ digest: Bytes16, _ pair: SyncPair) -> Message {
        let token = Token(
            SyncPair.space, sender: pair.ends[1].session.localNonce,
            receiver: pair.ends[1].session.remoteNonce)
        return .have(Have(round: .answer, entries: [.init(token: token, digest: digest)]))
    }

    private func isPush(_ effect: SyncSession.Effect) -> Bool {
        if case .push = effect { true } else { false }
    }

    @Test func `a thousand vectors that request everything again cause no push`() throws {
        var pair = try pairAfterFirstPush()
        for _ in 0..<1000 {
            let effects = try pair.ends[0].session.receive(nothing)
            #expect(!effects.contains(where: isPush))
        }
    }

    @Test func `a vector that requests everything is served after an answered question`() throws {
        var pair = try pairAfterFirstPush()
        _ = try pair.ends[0].session.receive(nothing)
        _ = pair.ends[0].session.askDigests(onlyUnknown: true)
        let effects = try pair.ends[0].session.receive(answerOfNothing(pair))
        #expect(effects.contains(where: isPush))
    }

    @Test func `batches sent after the question was asked are not sent again for its answer`()
        throws
    {
        var pair = try pairAfterFirstPush()
        _ = pair.ends[0].session.askDigests(onlyUnknown: false)
        pair.ends[0].replica.logs[log] = 1001
        let live = pair.ends[0].session.advanced(pair.ends[0].replica.here(SyncPair.space))
        #expect(live.count(where: isPush) == 1)
        let effects = try pair.ends[0].session.receive(answerOfNothing(pair))
        #expect(!effects.contains(where: isPush))
    }

    @Test func `the n-th repeat waits for n answers`() throws {
        var pair = try pairAfterFirstPush()
        var repeats: [Int] = []
        for answer in 1...10 {
            _ = try pair.ends[0].session.receive(nothing)
            _ = pair.ends[0].session.askDigests(onlyUnknown: true)
            let effects = try pair.ends[0].session.receive(answerOfNothing(pair))
            if effects.contains(where: isPush) { repeats.append(answer) }
        }
        #expect(repeats == [1, 3, 6, 10])
    }

    @Test func `a repeat is refused one answer early and permitted after it`() {
        var allowance = RepeatAllowance()
        let permitted = (0..<4).map { answers in
            if answers > 0 { allowance.recordAnswer() }
            return allowance.permitRepeat(of: log, after: 0, through: 5)
        }
        #expect(permitted == [false, true, false, true])
    }

    @Test func `the first repeat of a batch waits for no earlier repeat`() {
        var allowance = RepeatAllowance()
        for _ in 1...6 {
            allowance.recordAnswer()
            _ = allowance.permitRepeat(of: log, after: 0, through: 5)
        }
        allowance.recordAnswer()
        let old = allowance.permitRepeat(of: log, after: 4, through: 6)
        let new = allowance.permitRepeat(of: log, after: 5, through: 6)
        #expect(!old)
        #expect(new)
    }

    @Test func `new batches do not shorten the wait for old ones`() {
        var allowance = RepeatAllowance()
        var repeats: [Int] = []
        for answer in 1...10 {
            allowance.recordAnswer()
            if allowance.permitRepeat(of: log, after: 0, through: 5) { repeats.append(answer) }
            _ = allowance.permitRepeat(
                of: log, after: 4 + UInt64(answer), through: 5 + UInt64(answer))
        }
        #expect(repeats == [1, 3, 6, 10])
    }

    @Test func `each log has its own repeats`() {
        let other = LogName(device: DeviceID(raw: Digest.header.hash([2])))
        var allowance = RepeatAllowance()
        allowance.recordAnswer()
        let permitted = [log, log, other].map {
            allowance.permitRepeat(of: $0, after: 0, through: 1)
        }
        #expect(permitted == [true, false, true])
    }

    @Test func `a batch lost late is sent again after one answer, independent of earlier losses`()
        throws
    {
        var pair = try pairAfterFirstPush()
        for high in UInt64(1001)...1010 {
            pair.ends[0].replica.logs[log] = high
            let before = LogReach(NumberReplica.state(log, high - 1).head)
            _ = pair.ends[0].session.stored([], received: [before], in: SyncPair.space)
            let here = pair.ends[0].replica.here(SyncPair.space)
            #expect(pair.ends[0].session.advanced(here).count(where: isPush) == 1)
            _ = pair.ends[0].session.askDigests(onlyUnknown: true)
            let effects = try pair.ends[0].session.receive(answerOfNothing(pair))
            #expect(effects.count(where: isPush) == 1)
        }
    }

    @Test func `requested bodies are sent although the digests are equal`() throws {
        var pair = try pairAfterFirstPush()
        let whole = LogReach(NumberReplica.state(log, 10).head)
        let wanted = pair.ends[1].session.wants(
            after: [whole], in: SyncPair.space, now: .zero)
        pair.perform(wanted, at: 1)
        try pair.step(to: 0)
        #expect(!pair.ends[0].session.isInSync(SyncPair.space))
        #expect(pair.ends[0].sentBatchesCount == 1000)
        pair.perform(pair.ends[0].session.askDigests(onlyUnknown: true), at: 0)
        #expect(try pair.settle())
        #expect(pair.ends[0].sentBatchesCount == 1990)
        pair.perform(pair.ends[0].session.askDigests(onlyUnknown: true), at: 0)
        #expect(try pair.settle())
        #expect(pair.ends[0].session.isInSync(SyncPair.space))
    }

    @Test func `a peer that got refused batches from others is in sync before the next repeat`()
        throws
    {
        var pair = try pairAfterFirstPush()
        let digest = pair.ends[0].replica.here(SyncPair.space).digest
        for digest in [NumberReplica().here(SyncPair.space).digest, digest] {
            _ = try pair.ends[0].session.receive(nothing)
            _ = pair.ends[0].session.askDigests(onlyUnknown: true)
            _ = try pair.ends[0].session.receive(answer(digest, pair))
        }
        #expect(pair.ends[0].session.isInSync(SyncPair.space))
    }

    @Test func `a burst of gaps is answered with one vector`() throws {
        var pair = try pairAfterFirstPush()
        let replica = NumberReplica(logs: [log: 7])
        _ = pair.ends[1].session.advanced(replica.here(SyncPair.space))
        #expect(pair.ends[1].session.missing(in: SyncPair.space).count == 1)
        #expect(pair.ends[1].session.missing(in: SyncPair.space).isEmpty)
    }
}
