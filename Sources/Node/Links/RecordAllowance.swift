/// The signatures of person records that a person's links may have checked: one second's worth at a
/// time. Each record that says something new also costs a fixed number of checks, for its
/// transaction, and each other record one check, for the comparison with the known one.
///
/// All links share another one for the HELLOs of devices with a long chain of former keys.
struct RecordAllowance: Sendable {
    /// The cost that a person may cause per second, in checks.
    static let checksPerSecondMax = 512
    /// The fixed cost of a record that says something new, in checks.
    static let checksPerRecord = 8
    /// The cost of a record that says nothing new, in checks.
    static let checksPerRepeat = 1

    private var second: Int64 = 0
    private var spentCount = 0

    /// Charges the allowance for one record that says something new.
    /// - Parameter count: the number of signatures to check.
    /// - Returns: how long to wait first.
    mutating func spend(_ count: Int, uptime: Duration) -> Duration {
        charge(count + RecordAllowance.checksPerRecord, uptime: uptime)
    }

    /// Charges the allowance for one record that says nothing new.
    /// - Returns: how long to wait first.
    mutating func spendRepeat(uptime: Duration) -> Duration {
        charge(RecordAllowance.checksPerRepeat, uptime: uptime)
    }

    private mutating func charge(_ cost: Int, uptime: Duration) -> Duration {
        let now = uptime.components.seconds
        if now > second { (second, spentCount) = (now, 0) }
        if spentCount + cost > RecordAllowance.checksPerSecondMax {
            (second, spentCount) = (second + 1, 0)
        }
        spentCount += cost
        return max(.zero, .seconds(second) - uptime)
    }

    /// Charges the allowance, unless that would take longer than a limit.
    /// - Returns: how long to wait first; nil if that is over the limit, and nothing is charged.
    mutating func spend(_ count: Int, uptime: Duration, pauseMax: Duration) -> Duration? {
        var charged = self
        let pause = charged.spend(count, uptime: uptime)
        guard pause <= pauseMax else { return nil }
        self = charged
        return pause
    }
}
