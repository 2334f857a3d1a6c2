import Crypto
import Records

@testable import Sync

/// A replica of numbers alone: the hash of a batch follows from its device and number.
struct NumberReplica {
    var logs: [LogName: UInt64] = [:]

    func here(_ space: SpaceID) -> SharedSpace {
        let states = logs.filter { $0.value > 0 }.map(NumberReplica.state)
        return SharedSpace(
            space: space, digest: Digest.ofLogs(states), logs: states.sorted { $0.log < $1.log })
    }

    static func state(_ log: LogName, _ number: UInt64) -> LogState {
        LogState(log: log, low: 1, high: number, headHash: hash(log, number))
    }

    static func hash(_ log: LogName, _ number: UInt64) -> BatchHash {
        var bytes = log.device.bytes
        bytes.append(varint: number)
        return BatchHash(raw: Digest.header.hash(bytes))
    }
}

/// Two sessions over an ordered link, driven message by message.
struct SyncPair {
    static let space = SpaceDescriptor.card(PersonID(raw: Digest.person.hash([1]))).id

    /// One end of the link.
    struct End {
        var session: SyncSession
        var replica: NumberReplica
        var inbox: [Message] = []
        var faultedBatchesCount = 0
        var acknowledged: [LogName: UInt64] = [:]
        /// The number of sent batches, including repeats.
        var sentBatchesCount: UInt64 = 0
    }

    var ends: [End]

    init(_ one: NumberReplica, _ other: NumberReplica) {
        let nonces = [
            Bytes16(prefixOf: Digest.token.hash([1])), Bytes16(prefixOf: Digest.token.hash([2])),
        ]
        ends = [
            End(
                session: SyncSession(localNonce: nonces[0], remoteNonce: nonces[1]),
                replica: one),
            End(
                session: SyncSession(localNonce: nonces[1], remoteNonce: nonces[0]),
                replica: other),
        ]
    }

    /// Shares the space at one end.
    mutating func share(_ end: Int) {
        let effects = ends[end].session.share([ends[end].replica.here(Self.space)])
        perform(effects, at: end)
    }

    /// Writes a batch at one end.
    mutating func author(_ log: LogName, at end: Int) {
        ends[end].replica.logs[log, default: 0] += 1
        perform(ends[end].session.advanced(ends[end].replica.here(Self.space)), at: end)
    }

    /// Delivers one waiting message.
    mutating func step(to end: Int) throws {
        guard !ends[end].inbox.isEmpty else { return }
        let message = ends[end].inbox.removeFirst()
        perform(try ends[end].session.receive(message), at: end)
    }

    /// Delivers all messages until none waits; stops after 10 000 messages.
    mutating func settle() throws -> Bool {
        for _ in 0..<10_000 {
            guard let end = ends.indices.first(where: { !ends[$0].inbox.isEmpty }) else {
                return true
            }
            try step(to: end)
        }
        return false
    }

    var isEqual: Bool { ends[0].replica.logs == ends[1].replica.logs }

    mutating func perform(_ effects: [SyncSession.Effect], at end: Int) {
        let other = 1 - end
        for effect in effects {
            switch effect {
            case .send(let message): ends[other].inbox.append(message)
            case .push(let space, let log, let after, _, let channel):
                guard let head = ends[end].replica.logs[log], head > after, space == Self.space
                else { continue }
                ends[end].sentBatchesCount += head - after
                ends[other].inbox.append(push(log, after: after, through: head, channel))
            case .merge(_, let run): merge(run, at: end)
            case .acknowledged(_, let reaches):
                for reach in reaches { ends[end].acknowledged[reach.log] = reach.number }
            default: break
            }
        }
    }

    private static let signature: Signature = {
        guard let signature = Signature([UInt8](repeating: 0, count: 64)) else {
            preconditionFailure("a signature has 64 bytes")
        }
        return signature
    }()

    private func push(
        _ log: LogName, after: UInt64, through: UInt64, _ channel: UInt64
    ) -> Message {
        let operation = Operation(
            collection: CollectionID(rawValue: 7), entity: EntityID(raw: Bytes16.zero),
            action: .set(field: 1, .null))
        let links = (after..<through).map {
            Run.Link(
                stamp: Stamp(Timestamp(milliseconds: Int64($0) + 1)), body: BatchBody([operation]))
        }
        let run = Run(
            log: log, firstNumber: after + 1, epoch: 0, batches: links,
            signature: Self.signature)
        return .push(Push(channel: channel, run: run))
    }

    private mutating func merge(_ run: Run, at end: Int) {
        let here = ends[end].replica.logs[run.log] ?? 0
        guard run.firstNumber <= here + 1 else {
            ends[end].faultedBatchesCount += 1
            perform(ends[end].session.missing(in: Self.space), at: end)
            return
        }
        let head = max(here, run.lastNumber)
        ends[end].replica.logs[run.log] = head
        let sent = LogReach(NumberReplica.state(run.log, run.lastNumber).head)
        perform(
            ends[end].session.stored(
                [NumberReplica.state(run.log, head)], received: [sent], in: Self.space),
            at: end)
        perform(ends[end].session.advanced(ends[end].replica.here(Self.space)), at: end)
    }
}
