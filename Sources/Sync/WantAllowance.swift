internal import Records

/// How often a peer is asked for what is here without its body or damaged. It is asked once for
/// each state of what is wanted, and for the same again after a pause that doubles: a peer that
/// wants the same itself cannot send it, and takes the question as the word that its digests must
/// be compared anew, whereupon it would ask too, and so on for ever.
struct WantAllowance: Sendable {
    /// The first pause before the same is asked for again, and the longest.
    static let pauseMin: Duration = .seconds(10)
    static let pauseMax: Duration = .seconds(3600)

    private var asked: [SpaceID: Asked] = [:]

    /// What was asked for last.
    private struct Asked {
        let ends: Set<LogReach>
        var next: Duration
        var pause = WantAllowance.pauseMin
    }

    /// Takes the right to ask for what follows these ends, or says that it is too early.
    /// - Parameter now: time since any fixed point.
    mutating func take(_ ends: Set<LogReach>, in space: SpaceID, now: Duration) -> Bool {
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

    /// Somebody here wants it asked for at once.
    mutating func forget(_ space: SpaceID) { asked[space] = nil }
}
