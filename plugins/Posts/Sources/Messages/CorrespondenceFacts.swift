internal import PluginKit
internal import PostsAPI

/// A correspondence of which my fact is stored and which is not over.
struct HeldCorrespondence: Hashable, Sendable {
    /// The id of the request that began it.
    let id: Bytes16
    /// The other person.
    let person: PersonID
    /// Whether I asked; otherwise I accepted.
    let isMine: Bool
    /// Whether the other person's fact names it too.
    let stands: Bool
    /// The time of my fact.
    let at: Timestamp

    /// Whether nobody has answered my request.
    var isWaiting: Bool { isMine && !stands }
}

/// The stored facts about correspondences, at one moment.
struct CorrespondenceFacts: Hashable, Sendable {
    /// Those that are not over.
    var held: [HeldCorrespondence] = []
    /// Those that are over, with the other person of each.
    var ended: [Bytes16: PersonID] = [:]
    /// Those of ``ended`` of which the other person may not know: I ended it, and they have not
    /// said that they know, or I took back a request a short time ago.
    var untold: Set<Bytes16> = []
    /// The requests that I declined.
    var declined: Set<Bytes16> = []
    /// My mates, who need no request.
    var mates: Set<PersonID> = []
    /// The people I blocked.
    var blocked: Set<PersonID> = []
}
