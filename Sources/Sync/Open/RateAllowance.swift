/// An allowance that refills evenly: a number of units per second, and those of some seconds at
/// once.
struct RateAllowance: Hashable, Sendable {
    /// The time that one unit costs.
    private let unit: Duration
    /// The time whose units are permitted at once.
    private let burst: Duration
    /// The time until which what was spent is paid for.
    private var paid: Duration

    /// Creates an allowance that is whole.
    init(unitsPerMinute: Int, burst: Duration) {
        unit = .seconds(60) / unitsPerMinute
        self.burst = burst
        paid = .zero - burst
    }

    /// Whether something may be spent now. What is spent last may exceed the allowance.
    func isOpen(now: Duration) -> Bool { paid <= now }

    /// The time from which on something may be spent.
    var opening: Duration { paid }

    /// Returns the time from which on a number of units is permitted.
    func opening(of units: Int) -> Duration { paid + unit * units }

    /// Spends units.
    mutating func spend(_ units: Int, now: Duration) {
        paid = max(paid, now - burst) + unit * units
    }

    /// Spends units if all of them are permitted now.
    /// - Returns: false if nothing was spent.
    mutating func permit(_ units: Int, now: Duration) -> Bool {
        let next = max(paid, now - burst) + unit * units
        guard next <= now else { return false }
        paid = next
        return true
    }

    /// Gives back units that were spent and not used.
    mutating func refund(_ units: Int) { paid -= unit * units }
}
