public import Records

/// One batch that was applied, and what it changed.
public struct Commit: Hashable, Sendable {
    /// The space of the batch.
    public let space: SpaceID
    /// The log of the batch.
    public let log: LogName
    /// The batch's name.
    public let hash: BatchHash
    /// The batch's number in its log.
    public let number: UInt64
    /// When the batch was authored, by its author's clock.
    public let stamp: Stamp
    /// Each entity the batch wrote, once per author. A write counts though an older value stands.
    public let changes: [RecordChange]
    /// Whether the batch says who belongs to the space; what counts there may have changed with it.
    public let membershipChanged: Bool
    /// The entities its create edits began, in the order of the edits.
    public let created: [EntityID]
}
