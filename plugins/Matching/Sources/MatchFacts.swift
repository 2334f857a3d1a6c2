internal import PluginKit

/// A match of which my fact is stored and which is not over.
struct HeldMatch: Hashable, Comparable, Sendable {
    /// The other person.
    let person: PersonID
    /// The id of the match.
    let id: MatchID
    /// Whether the other person's fact names it too.
    let stands: Bool
    /// The time of my fact in milliseconds; the earliest of several is kept.
    let order: Int64

    /// Orders matches so that the one to keep comes first: one that stands, then my earlier fact.
    static func < (one: HeldMatch, other: HeldMatch) -> Bool {
        (one.stands ? 0 : 1, one.order, one.id) < (other.stands ? 0 : 1, other.order, other.id)
    }
}

/// The facts of matches on the disk.
struct MatchFacts: Hashable, Sendable {
    /// My matches that are not over.
    var held: [HeldMatch] = []
    /// The matches that I ended, if the other side may not know.
    var untold: [MatchID: PersonID] = [:]
    /// The matches that are over, at most ``MatchLimits/endedMax`` of them, the newest first.
    var ended: Set<MatchID> = []
}
