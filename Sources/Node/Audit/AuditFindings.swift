internal import Records

/// What the audit with one peer shows, as the links' frames bring it.
struct AuditFindings: Sendable {
    /// A batch of which the peer holds another.
    struct Differing: Hashable, Sendable {
        let space: SpaceID
        let log: LogName
        let number: UInt64
    }

    /// How many of them are remembered.
    static let differingMax = 4096

    /// AUDITs of one audit that count as progress: those of a tree of halves with so many leaves,
    /// twice over. So a peer that goes on for ever is not waited for as long.
    static let heardMax = 4 * differingMax

    private(set) var differing: Set<Differing> = []
    /// How many AUDITs the peer has sent since the audit began.
    private(set) var heardCount = 0

    /// The peer said a range.
    mutating func noteHeard() { heardCount = min(heardCount + 1, AuditFindings.heardMax) }

    /// The peer holds another batch.
    mutating func note(_ found: Differing) {
        if differing.count < AuditFindings.differingMax { differing.insert(found) }
    }

    /// A new audit begins.
    mutating func beginAnew() { self = AuditFindings() }
}
