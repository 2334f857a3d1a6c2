public import Records

/// One batch that was applied, and what it changed.
public struct Commit: Hashable, Sendable {
    public let space: SpaceID
    public let log: LogName
    public let hash: BatchHash
    /// The batch's number in its log.
    public let number: UInt64
    public let stamp: Stamp
    /// Each entity the batch wrote, once per author. A write counts though an older value stands.
    public let changes: [RecordChange]
    /// The entities its create edits began, in the order of the edits.
    public let created: [EntityID]
}
