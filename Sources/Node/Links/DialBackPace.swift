/// Limits how often this side dials the peer of one link because it asks, as a value: one attempt
/// at a time, and one per ``pauseMin``. ``DialBudget`` limits the attempts for all links.
///
/// For example, a peer asks at 0 s and its socket is closed at 1 s: the next attempt begins at 10 s
/// at the earliest. If its socket is open for 11 s, the next one may begin then.
struct DialBackPace: Sendable {
    /// The shortest time from one attempt to the next.
    static let pauseMin: Duration = .seconds(10)

    /// Whether the connection of the last attempt is still open.
    private var isOpen = false
    private var next: Duration = .zero

    /// Whether an attempt may begin.
    func permitsDial(now: Duration) -> Bool { !isOpen && now >= next }

    /// Records that an attempt begins.
    mutating func begin(now: Duration) { (isOpen, next) = (true, now + Self.pauseMin) }

    /// Records that the attempt failed, or that its connection is closed.
    mutating func end() { isOpen = false }
}
