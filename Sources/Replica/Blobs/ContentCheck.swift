public import Records

/// The result of a check of all content.
public struct ContentCheck: Hashable, Sendable {
    /// The number of files that were compared with their hashes.
    public let checkedCount: Int
    /// The content that was lost or changed on the disk, and removed.
    public let damaged: [DamagedContent]
}

/// Content that was lost or changed on the disk.
public struct DamagedContent: Hashable, Sendable {
    /// The hash that its bytes should have.
    public let hash: BlobHash
    /// The length that it should have, in bytes.
    public let bytesCount: Int
    /// A record that counts and names it; nil if there is none any more.
    public let named: Named?

    /// The space of a record, and the blob that it names.
    public struct Named: Hashable, Sendable {
        /// The space.
        public let space: SpaceID
        /// The blob.
        public let blob: Blob
    }
}

/// The files with content, and how much of them may be evicted.
public struct ContentUse: Hashable, Sendable {
    /// The number of files.
    public let filesCount: Int
    /// The bytes of all files.
    public let bytesCount: Int
    /// The bytes that count towards ``StorageQuota/fetchedBytesMax``: of content that own records
    /// do not name, with ``Limits/blobFileBytes`` for each file.
    public let evictableBytes: Int
    /// The bytes that count towards ``StorageQuota/arrivingBytesMax``: of content of which only a
    /// part has arrived, with ``Limits/blobFileBytes`` for each part. The other counts are without
    /// it.
    public var arrivingBytes = 0
}
