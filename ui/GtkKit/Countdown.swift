/// Seconds that count down: the seconds left at one moment, minus those that passed since.
public struct Countdown: Equatable, Sendable {
    /// Seconds left at ``measuredAt``.
    public var secondsLeft: Int
    /// The moment of ``secondsLeft``, on the clock of ``MainLoop/now``.
    public var measuredAt: Duration

    /// Creates a countdown of so many seconds that began at `measuredAt`.
    public init(secondsLeft: Int, measuredAt: Duration) {
        self.secondsLeft = secondsLeft
        self.measuredAt = measuredAt
    }

    /// Whole seconds left now, from 0 to ``secondsLeft``.
    public func left(at now: Duration) -> Int {
        let passed = max(now - measuredAt, .zero).components.seconds
        let (left, overflow) = Int64(secondsLeft).subtractingReportingOverflow(passed)
        return overflow ? 0 : Int(clamping: max(left, 0))
    }

    /// "12 s left", or "time is up".
    public func text(at now: Duration) -> String {
        let left = left(at: now)
        return left > 0 ? "\(left) s left" : "time is up"
    }
}
