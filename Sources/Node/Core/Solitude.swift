/// The time since another person was last in sight. After 10 s the node looks for the reason, and
/// reports once that it has one.
struct Solitude: Sendable {
    /// The time without a person in sight after which the node looks for the reason.
    static let reasonAfter: Duration = .seconds(10)

    /// When the last person disappeared, as time since the node's start; nil while a person is in
    /// sight.
    private var since: Duration?
    private var isReported = false

    /// Begins without a person in sight.
    init(since: Duration) { self.since = since }

    /// Records whether a person is in sight now.
    /// - Returns: whether followers should ask for the reason now, once after each time that the
    ///   last person disappeared.
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

    /// Whether no person has been in sight for so long that there must be a reason.
    func isLong(now: Duration) -> Bool {
        since.map { now - $0 >= Solitude.reasonAfter } ?? false
    }
}
