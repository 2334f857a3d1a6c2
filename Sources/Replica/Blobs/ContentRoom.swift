internal import Records

/// Upper bounds of the bytes of content that may be evicted.
struct ContentRoom {
    /// All of it.
    var bytes = 0
    /// The part that is here for open spaces only.
    var openBytes = 0

    /// Whether it is within a quota.
    func fits(_ quota: StorageQuota) -> Bool {
        bytes <= quota.fetchedBytesMax && openBytes <= quota.openFetchedBytesMax
    }
}

/// Chooses the content that makes room. What is here for open spaces only goes first, and of that
/// the content of strangers, so that strangers never push out what mates or people met show.
struct ContentEviction {
    private struct Item {
        let hash: BlobHash
        let bytes: Int
        let isNamed: Bool
        let isOpen: Bool
    }

    private let quota: StorageQuota
    /// In the order in which they go: unnamed content first, then what was not used for longest.
    private var items: [Item] = []
    /// The room that is taken after the eviction.
    private(set) var room = ContentRoom()
    /// The content that goes.
    private(set) var evicted: [BlobHash] = []

    init(_ quota: StorageQuota) { self.quota = quota }

    /// Adds content; call it in the order in which content goes.
    mutating func add(_ stored: BlobTable.Stored, isNamed: Bool, isOpen: Bool) {
        let bytes = stored.bytes + Limits.blobFileBytes
        items.append(Item(hash: stored.hash, bytes: bytes, isNamed: isNamed, isOpen: isOpen))
        room.bytes += bytes
        if isOpen { room.openBytes += bytes }
    }

    /// Whether content must be evicted.
    var isNecessary: Bool { !room.fits(quota) }

    /// Chooses what goes.
    /// - Parameter isRetained: whether records of mates or of people met name the content.
    mutating func choose(isRetained: (BlobHash) throws -> Bool) rethrows {
        var (strangers, retained, others): ([Item], [Item], [Item]) = ([], [], [])
        for item in items {
            if !item.isOpen {
                others.append(item)
            } else if try item.isNamed && isRetained(item.hash) {
                retained.append(item)
            } else {
                strangers.append(item)
            }
        }
        // A tenth is freed at once, so that this is done seldom.
        let isOpenFull = room.openBytes > quota.openFetchedBytesMax
        let isFull = room.bytes > quota.fetchedBytesMax
        let openTarget = isOpenFull ? quota.openFetchedBytesMax / 10 * 9 : .max
        let target = isFull ? quota.fetchedBytesMax / 10 * 9 : .max
        for item in strangers + retained where room.openBytes > openTarget || room.bytes > target {
            remove(item)
        }
        for item in others where room.bytes > target { remove(item) }
    }

    private mutating func remove(_ item: Item) {
        evicted.append(item.hash)
        room.bytes -= item.bytes
        if item.isOpen { room.openBytes -= item.bytes }
    }
}

extension StorageQuota {
    /// The bytes that content may take which is here for open spaces only: an eighth of
    /// ``fetchedBytesMax``, and at most ``Limits/openFetchedBytesMax``.
    public var openFetchedBytesMax: Int { min(Limits.openFetchedBytesMax, fetchedBytesMax / 8) }
    /// The bytes at which content of strangers is not fetched with its record any more. The rest is
    /// for content that is opened, and for mates and people met.
    var smallContentBytesMax: Int { openFetchedBytesMax / 4 * 3 }
}
