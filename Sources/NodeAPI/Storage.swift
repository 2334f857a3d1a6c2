public import Contract

/// The request of `storage set`: the limits to change.
public struct StorageLimits: CommandRequest {
    /// A number of mebibytes.
    public typealias Mebibytes = Whole<1, 1_048_576>

    /// The space for what one person writes in one group, pair or card.
    public var authorMebibytes: Mebibytes?
    /// The space for everything.
    public var totalMebibytes: Mebibytes?
    /// The space that others leave free on the disk.
    public var freeMebibytes: Whole<0, 1_048_576>?
    /// The space for photos of others.
    public var photoMebibytes: Mebibytes?

    /// Creates the value.
    public init(
        authorMebibytes: Mebibytes? = nil, totalMebibytes: Mebibytes? = nil,
        freeMebibytes: Whole<0, 1_048_576>? = nil, photoMebibytes: Mebibytes? = nil
    ) {
        self.authorMebibytes = authorMebibytes
        self.totalMebibytes = totalMebibytes
        self.freeMebibytes = freeMebibytes
        self.photoMebibytes = photoMebibytes
    }

    /// The help of each property.
    public static let help = [
        "authorMebibytes": "The limit on what one person writes in one group, chat or card.",
        "totalMebibytes": "The limit on everything that is stored.",
        "freeMebibytes": "The disk space that stays free however much others write.",
        "photoMebibytes":
            "The limit on photos of others; those not seen for longest are removed first.",
    ]
}

/// The storage that a node uses, its limits, and which of them are reached; the answer of
/// `storage show`.
public struct Storage: Codable, Hashable, Sendable {
    /// The bytes that everything stored is counted with.
    public var usedBytes: Count
    /// The bytes that are free on the disk, if the system says so.
    public var freeBytes: Count?
    /// The limit for what one person writes in one group, pair or card.
    public var authorBytesMax: Count
    /// The limit for everything.
    public var totalBytesMax: Count
    /// The bytes that what others write leaves free on the disk.
    public var freeBytesMin: Count
    /// The photos and other content beside the records.
    public var photos: Photos
    /// The people whose quota is full.
    public var full: [Full]

    /// Creates the value.
    public init(
        usedBytes: Int, freeBytes: Int?, authorBytesMax: Int, totalBytesMax: Int,
        freeBytesMin: Int, photos: Photos, full: [Full]
    ) {
        self.usedBytes = Count(clamping: usedBytes)
        self.freeBytes = freeBytes.map { Count(clamping: $0) }
        self.authorBytesMax = Count(clamping: authorBytesMax)
        self.totalBytesMax = Count(clamping: totalBytesMax)
        self.freeBytesMin = Count(clamping: freeBytesMin)
        self.photos = photos
        self.full = full
    }

    /// The files with content.
    public struct Photos: Codable, Hashable, Sendable {
        /// The number of files.
        public var files: Count
        /// The bytes of all files.
        public var bytes: Count
        /// The bytes of those of others, which are removed if there is no room for new ones.
        public var evictableBytes: Count
        /// The limit for those of others.
        public var evictableBytesMax: Count
        /// The bytes of content of which only a part has arrived. They are counted with neither
        /// ``bytes`` nor ``evictableBytes``, and removed after a day in which nothing more came.
        public var arrivingBytes: Count
        /// The limit for these.
        public var arrivingBytesMax: Count

        /// Creates the value.
        public init(
            files: Int, bytes: Int, evictableBytes: Int, evictableBytesMax: Int,
            arrivingBytes: Int, arrivingBytesMax: Int
        ) {
            self.files = Count(clamping: files)
            self.bytes = Count(clamping: bytes)
            self.evictableBytes = Count(clamping: evictableBytes)
            self.evictableBytesMax = Count(clamping: evictableBytesMax)
            self.arrivingBytes = Count(clamping: arrivingBytes)
            self.arrivingBytesMax = Count(clamping: arrivingBytesMax)
        }
    }

    /// A person over quota in a space.
    public struct Full: Codable, Hashable, Sendable {
        /// A limit that is reached.
        public enum Limit: String, OpenChoice {
            /// The limit for one person in one space.
            case author
            /// The limit for everything.
            case total
            /// The disk is nearly full.
            case disk
            /// A limit that a newer node added.
            case unknown
        }

        /// The space.
        public var space: Key
        /// The person.
        public var person: Key
        /// The limit that is reached.
        public var limit: Limit
        /// The bytes that the person's writing takes in the space.
        public var usedBytes: Count

        /// Creates the value.
        public init(space: Key, person: Key, limit: Limit, usedBytes: Int) {
            self.space = space
            self.person = person
            self.limit = limit
            self.usedBytes = Count(clamping: usedBytes)
        }
    }
}
