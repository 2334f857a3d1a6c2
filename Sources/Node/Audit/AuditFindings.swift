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

    private(set) var differing: Set<Differing> = []
    /// How many AUDITs the peer has sent on the link.
    private(set) var heardCount = 0

    /// The peer said a range.
    mutating func noteHeard() { heardCount += 1 }

    /// The peer holds another batch.
    mutating func note(_ found: Differing) {
        if differing.count < AuditFindings.differingMax { differing.insert(found) }
    }

    /// A new audit begins.
    mutating func forgetDiffering() { differing = [] }
}
