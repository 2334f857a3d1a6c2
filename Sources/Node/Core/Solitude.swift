/// The time for which no one has been seen. After 10 s the node can say why, and says once that it
/// can.
struct Solitude: Sendable {
    /// How long no one must be seen before the node looks for the reason.
    static let reasonAfter: Duration = .seconds(10)

    /// Since when no one has been seen, in time since the node's start; nil while someone is seen.
    private var since: Duration?
    private var isReported = false

    /// Begins without anyone in sight.
    init(since: Duration) { self.since = since }

    /// Records whether someone is seen now.
    /// - Returns: whether followers should ask for the reason now, for the first time since someone
    ///   was seen.
    mutating func look(isAnybodyNear: Bool, now: Duration) -> Bool {
        guard !isAnybodyNear else {
            (since, isReported) = (nil, false)
            return false
        }
        if since == nil { since = now }
        guard isLong(now: now), !isReported else { return false }
        isReported = true
        return true
    }

    /// Whether no one has been seen for so long that there must be a reason.
    func isLong(now: Duration) -> Bool {
        since.map { now - $0 >= Solitude.reasonAfter } ?? false
    }
}
