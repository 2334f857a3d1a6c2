internal import Records
internal import Sync

/// How many batches a peer may have hashed: a second's worth at a time, and fewer where the disk is
/// slow. A range costs as much as it has batches, and something for itself: where hundreds of
/// batches in a row differ, most ranges are short.
struct AuditAllowance: Sendable {
    /// The longest ranges per second.
    static let longestPerSecondMax = 16
    /// What a range costs besides its batches, in batches.
    static let batchesPerRange = 64
    /// What may be spent in a second, in batches.
    static let batchesPerSecondMax =
        longestPerSecondMax * (Limits.auditBatchesMax + batchesPerRange)
    /// The node rests this many times as long as a range took to hash, before the peer's next.
    static let restPerWork = 2

    private var second: Int64 = 0
    private var spentCount = 0
    private var rested: Duration = .zero

    /// Takes a range.
    /// - Parameter count: how many batches it has.
    /// - Returns: how long to wait first.
    mutating func take(_ count: Int, uptime: Duration) -> Duration {
        let cost = min(count, Limits.auditBatchesMax) + AuditAllowance.batchesPerRange
        let now = uptime.components.seconds
        if now > second { (second, spentCount) = (now, 0) }
        if spentCount + cost > AuditAllowance.batchesPerSecondMax {
            (second, spentCount) = (second + 1, 0)
        }
        spentCount += cost
        return max(.zero, .seconds(second) - uptime, rested - uptime)
    }

    /// Notes how long the one taken last took to hash.
    mutating func spend(_ work: Duration, uptime: Duration) {
        rested = uptime + work * AuditAllowance.restPerWork
    }
}
