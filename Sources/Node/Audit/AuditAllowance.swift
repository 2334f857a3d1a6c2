internal import Records
internal import Sync

/// The number of batches that a person's links may have hashed: one second's worth at a time, and
/// fewer if the disk is slow. The cost of a range is its number of batches plus a fixed cost: if
/// hundreds of batches in a row differ, most ranges are short.
struct AuditAllowance: Sendable {
    /// The longest ranges per second.
    static let longestPerSecondMax = 16
    /// The fixed cost of a range, in batches.
    static let batchesPerRange = 64
    /// The largest total cost per second, in batches.
    static let batchesPerSecondMax =
        longestPerSecondMax * (Limits.auditBatchesMax + batchesPerRange)
    /// After hashing a range, the node rests this many times as long before the person's next one.
    static let restPerWork = 2

    private var second: Int64 = 0
    private var spentCount = 0
    private var rested: Duration = .zero

    /// Charges the allowance for one range.
    /// - Parameter count: the number of batches in the range.
    /// - Returns: how long to wait first.
    mutating func spend(_ count: Int, uptime: Duration) -> Duration {
        let cost = min(count, Limits.auditBatchesMax) + AuditAllowance.batchesPerRange
        let now = uptime.components.seconds
        if now > second { (second, spentCount) = (now, 0) }
        if spentCount + cost > AuditAllowance.batchesPerSecondMax {
            (second, spentCount) = (second + 1, 0)
        }
        spentCount += cost
        return max(.zero, .seconds(second) - uptime, rested - uptime)
    }

    /// Records how long the latest range took to hash.
    mutating func recordWork(_ work: Duration, uptime: Duration) {
        rested = uptime + work * AuditAllowance.restPerWork
    }
}
