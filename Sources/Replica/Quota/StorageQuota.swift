public import Records

extension Limits {
    /// The bytes that one person's batches may take in one space, unless a person chose another
    /// number.
    public static let storedAuthorBytesMax = 64 * 1024 * 1024
    /// The bytes that all batches may take together, unless a person chose another number.
    public static let storedBytesMax = 2 * 1024 * 1024 * 1024
    /// The bytes that other people's batches leave free on the disk, unless a person chose another
    /// number.
    public static let freeBytesMin = 200 * 1024 * 1024
    /// The bytes beyond each of these limits that a person's batches may take if they make room or
    /// end something: control operations, records of collections with reserved room, and batches
    /// whose bodies were erased.
    public static let reservedBytesMax = 1024 * 1024
    /// The bytes of that kind that all people together may take beyond the limit of everything and
    /// that of the disk.
    public static let reservedTotalBytesMax = 32 * 1024 * 1024
    /// The bytes that stay free on the disk for erases and control operations of this device:
    /// nothing else is written if less would be left.
    public static let reserveFreeBytesMin = 64 * 1024
    /// The number of times that the length of the file must be free on the disk before the file is
    /// rewritten to remove erased bytes: a copy, and SQLite's log with all of it.
    public static let scrubFilesCount = 2
    /// The bytes that a stored batch is counted with besides its body: its row with the header's
    /// fields, its hash and its signature.
    public static let batchRowBytes = 160
    /// The bytes that an operation is counted with that broke a rule: its row in a table.
    public static let voidRowBytes = 24
    /// The bytes that an operation is counted with while its entity is not known: its row in a
    /// table.
    public static let waitingRowBytes = 48
    /// The bytes that one person's own batches may take in one space. It is less than others store
    /// of them, since operations of this person may wait there.
    public static let ownAuthorBytesMax =
        storedAuthorBytesMax - waitingOperationsMax * waitingRowBytes
}

/// Limits what a replica stores, so that no member fills the disk.
///
/// Example: Ben has written 64 MiB into a group. His next run is refused and not acknowledged, so
/// his device keeps it and sends it again after growing pauses. Other people's batches in the group
/// are stored meanwhile. When Ben erases some of it, or the owner removes him, there is room again.
public struct StorageQuota: Hashable, Sendable {
    /// The bytes that one person's batches may take in one space, of all the person's devices, with
    /// the rows of operations that broke a rule or wait for their entity.
    public var authorBytesMax: Int
    /// The bytes that all batches of all spaces may take together.
    public var totalBytesMax: Int
    /// The bytes that other people's batches and content leave free on the disk.
    public var freeBytesMin: Int
    /// The bytes that content may take which own records do not name; beyond that, the content that
    /// was not used for longest is removed, and it is fetched again when it is wanted. Content for
    /// open spaces has ``openFetchedBytesMax`` of it, and is removed before any other.
    public var fetchedBytesMax: Int
    /// The bytes that content may take of which only a part has arrived, besides the content that
    /// is whole; beyond that, parts are removed.
    public var arrivingBytesMax: Int

    /// Creates a quota.
    public init(
        authorBytesMax: Int = Limits.storedAuthorBytesMax,
        totalBytesMax: Int = Limits.storedBytesMax, freeBytesMin: Int = Limits.freeBytesMin,
        fetchedBytesMax: Int = Limits.fetchedBytesMax,
        arrivingBytesMax: Int = Limits.arrivingBytesMax
    ) {
        self.authorBytesMax = authorBytesMax
        self.totalBytesMax = totalBytesMax
        self.freeBytesMin = freeBytesMin
        self.fetchedBytesMax = fetchedBytesMax
        self.arrivingBytesMax = arrivingBytesMax
    }

    /// The limits that a replica can reach.
    public enum Limit: Hashable, Sendable {
        /// ``StorageQuota/authorBytesMax``.
        case author
        /// ``StorageQuota/totalBytesMax``.
        case total
        /// ``StorageQuota/freeBytesMin``.
        case disk
    }
}

/// Knows how much is free on the disk of a file.
public protocol DiskSpace: Sendable {
    /// Returns the bytes that may still be written beside a file; nil if the system does not say.
    func freeBytes(at path: String) -> Int?
}
