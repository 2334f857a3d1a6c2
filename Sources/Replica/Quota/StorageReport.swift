internal import Records

/// The storage that a replica uses, and the limits of its quota that are reached.
public struct StorageReport: Hashable, Sendable {
    /// The limits.
    public let quota: StorageQuota
    /// The bytes that all batches are counted with.
    public let usedBytes: Int
    /// The bytes that are free on the disk and in the database; nil if that is not known.
    public let freeBytes: Int?
    /// Authors whose new batches are refused, in a stable order.
    public let full: [Full]

    /// An author whose new batches in one space are refused.
    public struct Full: Hashable, Sendable {
        /// The author and the space.
        public let share: SpaceShare
        /// The limit that is reached.
        public let limit: StorageQuota.Limit
        /// The bytes that the author's batches take in the space.
        public let usedBytes: Int
    }
}
