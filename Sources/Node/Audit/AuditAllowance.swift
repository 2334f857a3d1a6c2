/// How many ranges a peer may have hashed: a second's worth at a time.
struct AuditAllowance: Sendable {
    /// Ranges per second.
    static let perSecondMax = 16

    private var second: Int64 = 0
    private var takenCount = 0

    /// Takes one.
    /// - Returns: how long to wait first.
    mutating func take(uptime: Duration) -> Duration {
        let now = uptime.components.seconds
        if now > second { (second, takenCount) = (now, 0) }
        if takenCount == AuditAllowance.perSecondMax { (second, takenCount) = (second + 1, 0) }
        takenCount += 1
        return max(.zero, .seconds(second) - uptime)
    }
}
