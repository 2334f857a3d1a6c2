public import Records

/// What a replica holds of one space, in counts.
public struct SpaceSummary: Hashable, Sendable {
    /// The space.
    public let id: SpaceID
    /// What the space is.
    public let descriptor: SpaceDescriptor
    /// Equal on two replicas exactly when they hold the same batches.
    public let digest: Bytes16
    /// Batches stored, held ones included.
    public let batches: Int
    /// Batches dated over 24 h ahead, which are inert until due.
    public let held: Int
    /// Operations that broke a rule and count for nothing.
    public let void: Int
    /// Operations on entities that are not known here yet.
    public let waiting: Int
}
