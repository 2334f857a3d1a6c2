internal import Contract

/// A time that runs down: the time left at one moment, minus the time that passed since.
public struct Countdown: Equatable, Sendable {
    /// The time left at ``measuredAt``.
    public var timeLeft: Duration
    /// The moment of ``timeLeft``, on the window's clock.
    public var measuredAt: Duration

    /// Creates a countdown of this time that began at `measuredAt`.
    public init(timeLeft: Duration, measuredAt: Duration) {
        self.timeLeft = timeLeft
        self.measuredAt = measuredAt
    }

    /// Returns the time left now, from 0 to ``timeLeft``.
    public func left(at now: Duration) -> Duration {
        max(timeLeft - max(now - measuredAt, .zero), .zero)
    }

    /// "12 s left", or "time is up".
    public func text(at now: Duration) -> String {
        let left = left(at: now)
        return left > .zero ? "\(left.secondsRoundedUp) s left" : "time is up"
    }
}
