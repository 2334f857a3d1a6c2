/// The wait before the next attempt: twice as long each time, up to a limit.
struct BackOff: Equatable, Sendable {
    /// The wait before the first attempt, and the longest one.
    static let first = Duration.milliseconds(250)
    static let longest = Duration.seconds(30)

    private var upcoming = BackOff.first

    /// Returns the wait before the next attempt; the one after it will be longer.
    mutating func next() -> Duration {
        defer { upcoming = min(upcoming * 2, Self.longest) }
        return upcoming
    }

    /// Begins again with the shortest wait, because an attempt succeeded.
    mutating func reset() {
        upcoming = Self.first
    }
}
