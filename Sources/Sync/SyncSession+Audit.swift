public import Records

/// Consecutive batches of one log, to be compared by their hash.
public struct AuditRange: Hashable, Sendable {
    public let log: LogName
    /// The first to the last of the batches.
    public let numbers: ClosedRange<UInt64>

    /// Names a range.
    public init(log: LogName, numbers: ClosedRange<UInt64>) {
        self.log = log
        self.numbers = numbers
    }

    /// How many batches it has.
    public var count: UInt64 { numbers.upperBound - numbers.lowerBound + 1 }

    /// A log in ranges that may be audited, in order.
    public static func covering(_ state: LogState) -> [AuditRange] {
        stride(from: state.low, through: state.high, by: Limits.auditBatchesMax).map { from in
            let through = min(from + UInt64(Limits.auditBatchesMax) - 1, state.high)
            return AuditRange(log: state.log, numbers: from...through)
        }
    }

    /// The first half, which is the longer one if they differ, and the second; nothing of one.
    var halves: [AuditRange] {
        guard count > 1 else { return [] }
        let middle = numbers.lowerBound + (count - 1) / 2
        return [
            AuditRange(log: log, numbers: numbers.lowerBound...middle),
            AuditRange(log: log, numbers: middle + 1...numbers.upperBound),
        ]
    }
}

extension Limits {
    /// Batches in one range that is audited; a longer one gets no answer.
    public static let auditBatchesMax = 4096
}

/// Single batches that this side has said its hash of, so that two who differ say it once each.
struct AuditLedger: Sendable {
    /// How many are remembered; of more the peer hears nothing.
    static let batchesMax = 4096

    private var said: Set<Place> = []

    private struct Place: Hashable {
        let space: SpaceID
        let range: AuditRange
    }

    /// Notes a single batch.
    /// - Returns: whether it is to be said: it was not before, and there is room.
    mutating func note(_ range: AuditRange, in space: SpaceID) -> Bool {
        guard said.count < AuditLedger.batchesMax else { return false }
        return said.insert(Place(space: space, range: range)).inserted
    }

    mutating func forgetAll() { said = [] }
}

// Looking for damage: the hashes of ranges are compared, and of unequal ones those of the halves,
// until single batches differ.
extension SyncSession {
    /// Begins to compare whole logs; the ranges are then said with ``audit(_:in:mine:)``.
    public mutating func beginAudit() { audits.forgetAll() }

    /// Says the hash of a range here. The peer answers only where it finds another.
    public mutating func audit(
        _ range: AuditRange, in space: SpaceID, mine: Bytes32
    ) -> [Effect] {
        guard let state = spaces[space] else { return [] }
        if range.count == 1, !audits.note(range, in: space) { return [] }
        return [
            .send(
                .audit(
                    Audit(
                        channel: state.channel, log: range.log, from: range.numbers.lowerBound,
                        through: range.numbers.upperBound, hash: mine)))
        ]
    }

    /// Compares the peer's hash of a range with the one here.
    /// - Parameter mine: nil where not all of the range is here.
    public mutating func audited(
        _ range: AuditRange, in space: SpaceID, theirs: Bytes32, mine: Bytes32?
    ) -> [Effect] {
        guard let mine, mine != theirs else { return [] }
        guard range.count == 1 else { return range.halves.map { .hash(space, $0) } }
        // Which of the two is damaged each looks for itself: the peer must hear of it too.
        return audit(range, in: space, mine: mine)
            + [.differs(space, range.log, number: range.numbers.lowerBound)]
    }

    mutating func receive(_ audit: Audit) -> [Effect] {
        guard let space = space(ofChannel: audit.channel) else {
            return [.send(.none(channel: audit.channel))]
        }
        let range = AuditRange(log: audit.log, numbers: audit.from...audit.through)
        guard range.count <= UInt64(Limits.auditBatchesMax) else { return [] }
        return [.audit(space, range, theirs: audit.hash)]
    }
}
