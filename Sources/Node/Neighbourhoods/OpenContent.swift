internal import Records
internal import Sync

/// The content that records of joined neighbourhoods name, as a value: what is looked for, what is
/// fetched, and when the replica is asked what is due.
struct OpenContent: Sendable {
    /// The shortest time between two questions to the replica.
    static let lookPauseMin: Duration = .milliseconds(200)
    /// The time after which the replica is asked even if nothing has arrived.
    static let lookPauseMax: Duration = .seconds(600)

    var seeking = ContentSeeking()
    var fetching = ContentFetching(.open)
    /// Whether new records may name content that must be fetched.
    private var isLookDue = true
    private var lastLook: Duration?

    /// Records that records of a neighbourhood arrived.
    mutating func requestLook() { isLookDue = true }

    /// Whether to ask the replica now; then the next time is later.
    mutating func beginLook(ifDueAt now: Duration) -> Bool {
        let pause = isLookDue ? OpenContent.lookPauseMin : OpenContent.lookPauseMax
        guard lastLook.map({ now - $0 >= pause }) ?? true else { return false }
        isLookDue = false
        lastLook = now
        return true
    }
}
