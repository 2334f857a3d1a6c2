/// The changes of known people's records that one person's links may have stored: a few at once,
/// then one a second. Each is a transaction that waits for the disk, and a person can sign any
/// number of changes of their own record in advance.
///
/// A record of a person who is not known yet is no change: there is room for few people; see
/// ``RecordAllowance``.
struct RecordChanges: Sendable {
    /// The number of changes at once.
    static let atOnceMax = 8
    /// The time per change after that.
    static let pausePerChange: Duration = .seconds(1)

    /// The time until which the changes so far use up the allowance.
    private var usedUntil: Duration = .zero - pausePerChange * atOnceMax

    /// Charges the allowance for one change.
    /// - Returns: how long to wait first.
    mutating func spend(uptime: Duration) -> Duration {
        let earliest = uptime - Self.pausePerChange * Self.atOnceMax
        usedUntil = max(usedUntil, earliest) + Self.pausePerChange
        return max(.zero, usedUntil - uptime)
    }
}
