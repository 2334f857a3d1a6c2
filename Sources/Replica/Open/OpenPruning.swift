public import Records

/// The effects of removing what has expired.
public struct OpenPruning: Hashable, Sendable {
    /// The spaces whose offers changed, in order.
    public internal(set) var spaces: [SpaceID] = []
    /// The records that changed or are gone.
    public internal(set) var removed: [RecordChange] = []
    /// The time after which the next batch expires; nil if none is stored.
    public internal(set) var nextExpiry: Timestamp?
}
