internal import Records

/// The results of the audit with one peer, collected as frames arrive.
struct AuditFindings: Sendable {
    /// A batch that differs from the peer's batch with the same number.
    struct Differing: Hashable, Sendable {
        let space: SpaceID
        let log: LogName
        let number: UInt64
    }

    /// The maximum number of differing batches that are remembered.
    static let differingMax = 4096

    /// The number of AUDITs in one audit that count as progress: twice those of a binary tree with
    /// ``differingMax`` leaves. A peer that never stops is therefore not waited for forever.
    static let heardMax = 4 * differingMax

    private(set) var differing: Set<Differing> = []
    /// The number of AUDITs the peer has sent since the audit began.
    private(set) var heardCount = 0

    /// Counts an AUDIT that the peer sent.
    mutating func recordHeard() { heardCount = min(heardCount + 1, AuditFindings.heardMax) }

    /// Records a batch that differs from the peer's.
    mutating func record(_ found: Differing) {
        if differing.count < AuditFindings.differingMax { differing.insert(found) }
    }

    /// Resets the findings for a new audit.
    mutating func beginAnew() { self = AuditFindings() }
}
