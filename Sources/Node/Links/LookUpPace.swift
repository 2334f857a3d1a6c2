/// Limits how often strangers are dialled only to learn whose an announcement is, as a value.
///
/// For example, eight strangers are linked, Ben ended the mateship with Ann, and both have new tag
/// keys. Ann's node misses Ben, and looks up the four other announcements in sight within 8 s. One
/// of them is Ben's, and she is told.
struct LookUpPace: Sendable {
    /// The maximum number of strangers who are looked up at a time.
    static let atOnceMax = 4
    /// The shortest time from one look-up to the next.
    static let pause: Duration = .seconds(2)

    private var next: Duration = .zero

    /// Whether one may begin.
    /// - Parameter openCount: the look-ups that have led to no HELLO yet.
    func permits(_ openCount: Int, now: Duration) -> Bool {
        now >= next && openCount < LookUpPace.atOnceMax
    }

    /// Records that one begins.
    mutating func begin(now: Duration) { next = now + LookUpPace.pause }
}
