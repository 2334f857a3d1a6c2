/// Limits how often departures and arrivals are stored for one promise. Each of them counts once
/// for a time of the promise, but its maker may move it again and again.
struct DeclaringPace: Sendable {
    /// The batches that are stored at once.
    static let atOnceMax = 4
    /// The time after which one more is stored.
    static let interval = Duration.seconds(60)

    /// The uptime at which everything is permitted again.
    private var full = Duration.zero

    /// Permits one batch and counts it, or refuses it.
    mutating func permit(uptime: Duration) -> Bool {
        guard full - Self.interval * (Self.atOnceMax - 1) <= uptime else { return false }
        full = max(full, uptime) + Self.interval
        return true
    }

    /// Whether nothing is counted any more.
    func isFull(uptime: Duration) -> Bool { full <= uptime }
}
