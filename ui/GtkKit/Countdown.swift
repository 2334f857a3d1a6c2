/// Seconds that run out: what was said to be left, minus what passed since.
public struct Countdown: Equatable, Sendable {
    /// Seconds left when it was said.
    public var secondsLeft: Int
    /// When it was said, on the clock of ``MainLoop/now``.
    public var takenAt: Duration

    /// A countdown of so many seconds that began at `takenAt`.
    public init(secondsLeft: Int, takenAt: Duration) {
        self.secondsLeft = secondsLeft
        self.takenAt = takenAt
    }

    /// Whole seconds left now, never below 0 and never above what was said.
    public func left(at now: Duration) -> Int {
        let passed = max(now - takenAt, .zero).components.seconds
        let (left, overflow) = Int64(secondsLeft).subtractingReportingOverflow(passed)
        return overflow ? 0 : Int(clamping: max(left, 0))
    }

    /// "12 s left", or "time is up".
    public func text(at now: Duration) -> String {
        let left = left(at: now)
        return left > 0 ? "\(left) s left" : "time is up"
    }
}
