import Records
import Testing

@testable import Sync

/// Two sessions that search for the batches in which their replicas differ.
@Suite struct AuditTests {
    private let log = LogName(device: DeviceID(raw: Digest.header.hash([1])))

    /// A log as the hashes of its batches. Some of these are damaged.
    private struct Copy {
        var damaged: Set<UInt64> = []

        func hash(_ numbers: ClosedRange<UInt64>) -> Bytes32 {
            var bytes: [UInt8] = []
            for number in numbers {
                bytes.append(varint: number)
                if damaged.contains(number) { bytes.append(1) }
            }
            return Digest.audit.hash(bytes)
        }
    }

    /// The result of an audit.
    private struct Outcome: Equatable {
        var differing: [Set<UInt64>] = [[], []]
        var messagesCount = 0
    }

    /// Audits a log that both sides hold, and delivers all answers.
    private func audit(_ count: UInt64, _ copies: [Copy]) throws -> Outcome {
        let replica = NumberReplica(logs: [log: count])
        var pair = SyncPair(replica, replica)
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        var outcome = Outcome()
        var waiting: [(to: Int, Message)] = []
        func perform(_ effects: [SyncSession.Effect], at end: Int) {
            for effect in effects {
                switch effect {
                case .send(let message): waiting.append((1 - end, message))
                case .hash(let space, let range):
                    perform(
                        pair.ends[end].session.audit(
                            range, in: space, mine: copies[end].hash(range.numbers)), at: end)
                case .audit(let space, let range, let theirs):
                    perform(
                        pair.ends[end].session.audited(
                            range, in: space, theirs: theirs,
                            mine: copies[end].hash(range.numbers)), at: end)
                case .differs(_, _, let number): outcome.differing[end].insert(number)
                default: break
                }
            }
        }
        pair.ends[0].session.beginAudit()
        for range in AuditRange.covering(NumberReplica.state(log, count)) {
            perform([.hash(SyncPair.space, range)], at: 0)
        }
        while !waiting.isEmpty {
            let (end, message) = waiting.removeFirst()
            outcome.messagesCount += 1
            perform(try pair.ends[end].session.receive(message), at: end)
        }
        return outcome
    }

    @Test func `equal logs are audited with one message a range`() throws {
        #expect(try audit(4096, [Copy(), Copy()]).messagesCount == 1)
        #expect(try audit(4097, [Copy(), Copy()]).messagesCount == 2)
    }

    @Test(arguments: [1, 2, 3, 7, 1000, 4096, 4097, 10_000] as [UInt64])
    func `both ends learn of every batch that differs and of no other`(count: UInt64) throws {
        let damaged: [Set<UInt64>] = [[1, count / 2 + 1], [count]]
        let outcome = try audit(count, damaged.map { Copy(damaged: $0) })
        let differing = damaged[0].symmetricDifference(damaged[1])
        #expect(outcome.differing == [differing, differing])
    }

    @Test func `one damaged batch among 4096 costs a message for each halving and side`() throws {
        let outcome = try audit(4096, [Copy(), Copy(damaged: [77])])
        // Twelve halvings into two ranges each, and the last single batch from the other side.
        #expect(outcome.messagesCount == 1 + 12 * 2 + 1)
    }

    @Test func `a range over the limit gets no answer and one at it does`() throws {
        let replica = NumberReplica(logs: [log: 5000])
        var pair = SyncPair(replica, replica)
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        func message(_ through: UInt64) -> Message {
            .audit(Audit(channel: 0, log: log, from: 1, through: through, hash: .zero))
        }
        #expect(try pair.ends[0].session.receive(message(4097)).isEmpty)
        #expect(try pair.ends[0].session.receive(message(4096)).count == 1)
    }

    @Test func `an audit of a space that is not shared is answered with NONE`() throws {
        var session = SyncPair(NumberReplica(), NumberReplica()).ends[0].session
        let audit = Audit(channel: 3, log: log, from: 1, through: 1, hash: .zero)
        #expect(try session.receive(.audit(audit)) == [.send(.none(channel: 3))])
    }
}
