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

    /// The time left in minutes and seconds, such as "9:59".
    public func clockText(at now: Duration) -> String {
        let seconds = left(at: now).secondsRoundedUp
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// The time from which seconds are not counted one by one.
    private static let longMin = Duration.seconds(3600)

    /// "12 s left", "9:59 left" from a minute on, "2 h 30 min left" from an hour on, or "time is
    /// up".
    public func text(at now: Duration) -> String {
        let left = left(at: now)
        if left >= Self.longMin { return localized("\(AgeText.spanInTwoUnits(left)) left") }
        if left > .seconds(60) { return localized("\(clockText(at: now)) left") }
        return left > .zero ? localized("\(left.secondsRoundedUp) s left") : localized("time is up")
    }
}
