/// Limits a rate: some steps are permitted at once, and then one in each interval.
///
/// ```swift
/// var bucket = TokenBucket(atOnceMax: 2, interval: .seconds(60))
/// bucket.permit(uptime: .seconds(0))  // true
/// bucket.permit(uptime: .seconds(0))  // true
/// bucket.permit(uptime: .seconds(59))  // false
/// bucket.permit(uptime: .seconds(60))  // true
/// ```
public struct TokenBucket: Hashable, Sendable {
    /// The number of steps that are permitted at once, at least 1.
    public let atOnceMax: Int
    /// The time after which one more step is permitted.
    public let interval: Duration
    /// The uptime at which ``atOnceMax`` steps are permitted again.
    private var full = Duration.zero

    /// Creates a bucket that permits everything it ever permits at once.
    public init(atOnceMax: Int, interval: Duration) {
        self.atOnceMax = atOnceMax
        self.interval = interval
    }

    /// Returns the time until the next step is permitted; zero if it is permitted now.
    public func wait(uptime: Duration) -> Duration {
        max(.zero, full - interval * (atOnceMax - 1) - uptime)
    }

    /// Whether ``atOnceMax`` steps are permitted now, so that the bucket need not be kept.
    public func isFull(uptime: Duration) -> Bool { full <= uptime }

    /// Returns the time until ``atOnceMax`` steps are permitted; zero if they are permitted now.
    public func waitUntilFull(uptime: Duration) -> Duration { max(.zero, full - uptime) }

    /// Permits one step and counts it, or refuses it. A refused step costs nothing.
    public mutating func permit(uptime: Duration) -> Bool {
        guard wait(uptime: uptime) == .zero else { return false }
        full = max(full, uptime) + interval
        return true
    }
}
