public import Records

/// One applied batch, and the records it changed.
public struct Commit: Hashable, Sendable {
    /// The space of the batch.
    public let space: SpaceID
    /// The log of the batch.
    public let log: LogName
    /// The batch's hash.
    public let hash: BatchHash
    /// The batch's number in its log.
    public let number: UInt64
    /// The time at which the batch was authored, by its author's clock.
    public let stamp: Stamp
    /// Each entity the batch wrote, once per author. A write is included even if it lost to
    /// another.
    public let changes: [RecordChange]
    /// Whether the batch changes the membership of the space, so that different batches may count.
    public let membershipChanged: Bool
    /// The entities that its create edits began, in the order of the edits.
    public let created: [EntityID]
}
