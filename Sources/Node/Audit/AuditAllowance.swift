/// How many ranges a peer may have hashed: a second's worth at a time, and long ones fewer.
struct AuditAllowance: Sendable {
    /// Ranges per second.
    static let perSecondMax = 16
    /// The node rests this many times as long as a range took to hash, before the peer's next.
    static let restPerWork = 2

    private var second: Int64 = 0
    private var takenCount = 0
    private var rested: Duration = .zero

    /// Takes one.
    /// - Returns: how long to wait first.
    mutating func take(uptime: Duration) -> Duration {
        let now = uptime.components.seconds
        if now > second { (second, takenCount) = (now, 0) }
        if takenCount == AuditAllowance.perSecondMax { (second, takenCount) = (second + 1, 0) }
        takenCount += 1
        return max(.zero, .seconds(second) - uptime, rested - uptime)
    }

    /// Notes how long the one taken last took to hash.
    mutating func spend(_ work: Duration, uptime: Duration) {
        rested = uptime + work * AuditAllowance.restPerWork
    }
}
