public import Records

/// A range of consecutive batches of one log, compared by its hash.
public struct AuditRange: Hashable, Sendable {
    /// The log.
    public let log: LogName
    /// The numbers of the first and the last batch.
    public let numbers: ClosedRange<UInt64>

    /// Creates a range.
    public init(log: LogName, numbers: ClosedRange<UInt64>) {
        self.log = log
        self.numbers = numbers
    }

    /// The number of batches.
    public var count: UInt64 { numbers.upperBound - numbers.lowerBound + 1 }

    /// Divides a log into ranges that may be audited, in order.
    public static func covering(_ state: LogState) -> [AuditRange] {
        stride(from: state.low, through: state.high, by: Limits.auditBatchesMax).map { from in
            let through = min(from + UInt64(Limits.auditBatchesMax) - 1, state.high)
            return AuditRange(log: state.log, numbers: from...through)
        }
    }

    /// The two halves, the first being the longer one if they differ; empty for a single batch.
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
    /// The number of batches in an audited range; a longer range is not answered.
    public static let auditBatchesMax = 4096
}

/// The single batches whose hash this side has sent, so that each side sends a differing hash only
/// once.
struct AuditLedger: Sendable {
    /// The number of remembered batches. The hashes of further ones are not sent.
    static let batchesMax = 4096

    private var sent: Set<Entry> = []

    private struct Entry: Hashable {
        let space: SpaceID
        let range: AuditRange
    }

    /// Records a single batch.
    /// - Returns: true if its hash is to be sent: it was not sent before, and the limit is not
    ///   reached.
    mutating func record(_ range: AuditRange, in space: SpaceID) -> Bool {
        guard sent.count < AuditLedger.batchesMax else { return false }
        return sent.insert(Entry(space: space, range: range)).inserted
    }

    mutating func forgetAll() { sent = [] }
}

// The search for damage: the hashes of ranges are compared, and for unequal ranges those of the
// halves, until single batches differ.
extension SyncSession {
    /// Starts to compare whole logs. The hashes of their ranges are then sent with
    /// ``audit(_:in:mine:)``.
    public mutating func beginAudit() { audits.forgetAll() }

    /// Sends the local hash of a range. The peer answers only if its own hash differs.
    public mutating func audit(
        _ range: AuditRange, in space: SpaceID, mine: Bytes32
    ) -> [Effect] {
        guard let state = spaces[space] else { return [] }
        if range.count == 1, !audits.record(range, in: space) { return [] }
        return [
            .send(
                .audit(
                    Audit(
                        channel: state.channel, log: range.log, from: range.numbers.lowerBound,
                        through: range.numbers.upperBound, hash: mine)))
        ]
    }

    /// Compares the peer's hash of a range with the local one.
    /// - Parameter mine: the local hash; nil if part of the range is not stored here.
    public mutating func audited(
        _ range: AuditRange, in space: SpaceID, theirs: Bytes32, mine: Bytes32?
    ) -> [Effect] {
        guard let mine, mine != theirs else { return [] }
        guard range.count == 1 else { return range.halves.map { .hash(space, $0) } }
        // Each side checks whether its own batch is damaged, so the peer must learn of the
        // difference.
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
