internal import Records

/// Limits how often a peer is asked for batches that are damaged here or lack their bodies.
///
/// The peer is asked once for each set of wanted batches, and again for the same set after a pause
/// that doubles. A peer that lacks the same batches cannot send them. It treats the request as a
/// reason to compare digests again and would then ask in turn; without the pause the two would ask
/// each other for ever.
struct WantAllowance: Sendable {
    /// The first and the longest pause before the same batches are requested again.
    static let pauseMin: Duration = .seconds(10)
    static let pauseMax: Duration = .seconds(3600)

    private var asked: [SpaceID: Asked] = [:]

    /// The last request.
    private struct Asked {
        let ends: Set<LogReach>
        var next: Duration
        var pause = WantAllowance.pauseMin
    }

    /// Records a request for the batches after these ends, if it is permitted now.
    /// - Parameter now: the time since any fixed point.
    /// - Returns: false if it is too early.
    mutating func permitRequest(_ ends: Set<LogReach>, in space: SpaceID, now: Duration) -> Bool {
        guard var last = asked[space], last.ends == ends else {
            asked[space] = Asked(ends: ends, next: now + WantAllowance.pauseMin)
            return true
        }
        guard now >= last.next else { return false }
        last.pause = min(last.pause * 2, WantAllowance.pauseMax)
        last.next = now + last.pause
        asked[space] = last
        return true
    }

    /// Permits the next request at once.
    mutating func forget(_ space: SpaceID) { asked[space] = nil }
}
