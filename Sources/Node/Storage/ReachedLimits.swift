/// The times at which the person was told that storage limits are reached, as a value.
///
/// A peer can fill a limit, erase something and fill it again for ever. So a notice is told at most
/// once per ``repeatMin`` for each limit, and it ends only when there is clearly room.
struct ReachedLimits: Sendable {
    /// The shortest time between two notices of one limit.
    static let repeatMin: Duration = .seconds(86_400)
    /// The part of a limit that must be free, in percent, before its notice ends.
    static let clearRoomPercent = 10

    private var toldAt: [String: Duration] = [:]

    /// Returns whether the person may be told now that a limit is reached, and if so, counts it.
    mutating func permitNotice(about reference: String, now: Duration) -> Bool {
        toldAt = toldAt.filter { now - $0.value < ReachedLimits.repeatMin }
        guard toldAt[reference] == nil else { return false }
        toldAt[reference] = now
        return true
    }
}

extension Int {
    /// Whether so many used bytes leave clear room under a limit.
    func hasClearRoom(under limit: Int) -> Bool {
        self <= limit / 100 * (100 - ReachedLimits.clearRoomPercent)
    }
}
