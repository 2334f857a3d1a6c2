/// Content of an open space that a device looks for, as named by a record it has.
public struct SoughtBlob: Hashable, Sendable {
    /// The SHA-256 of the content.
    public let hash: BlobHash
    /// Its length by that record, in bytes, 1 to ``Limits/blobBytesMax``. Another record may name
    /// the same hash with a wrong length.
    public let bytesCount: Int

    /// Creates the value.
    public init(hash: BlobHash, bytesCount: Int) {
        self.hash = hash
        self.bytesCount = bytesCount
    }
}

/// Whether a replica has content that a peer looks for.
public enum SoughtContent: Hashable, Sendable {
    /// It is here, and the peer may have it.
    case isHere
    /// A record here names it, and it is not here for that space.
    case missing(Blob)
    /// No record here names it.
    case unknown
}
