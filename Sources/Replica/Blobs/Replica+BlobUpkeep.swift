internal import GRDB
public import Records

// Removes content that was erased, that no space may use, or for which there is no room.
extension Replica {
    /// Compares files and tables after a start: the program may have ended between the two.
    ///
    /// A file without a row is removed: its record was erased, or its row was never written. A row
    /// without a file is removed too, and the content is fetched again when it is wanted. Content
    /// that no record has named for a week is evicted.
    public func reconcileContent(wallTime: Timestamp) throws {
        let files = Set(blobFiles.hashes())
        let rows = try read { Set(try BlobTable(database: $0).hashes()) }
        for hash in files.subtracting(rows) { blobFiles.remove(hash) }
        try remove(rows.subtracting(files).sorted())
        if let own = person(of: device) {
            try remove(try read { try BlobTable(database: $0).unreachable(by: own) })
        }
        try reconcileParts(wallTime: wallTime)
        try evictUnnamed(wallTime: wallTime)
        contentRoom = nil
        try evictSurplus()
    }

    /// Removes the files of content that the committed transactions closed to spaces, unless
    /// another space may still use it. If the program ends before this,
    /// ``reconcileContent(wallTime:)`` does it.
    func removeUnreachable(_ hashes: some Collection<BlobHash>) {
        guard !hashes.isEmpty, let own = person(of: device) else { return }
        // Best effort: the next start does the rest.
        let unreachable = try? read { database in
            try hashes.filter { try BlobTable(database: database).isUnreachable($0, by: own) }
        }
        try? remove(unreachable ?? [])
    }

    /// Removes the content that committed transactions closed.
    func adoptClosedContent(of results: [SpaceTransaction.Result]) {
        for result in results {
            for hash in result.closedContent { removePart(of: hash, in: result.space.id) }
            removeUnreachable(result.closedContent)
        }
    }

    /// Removes content, first its rows and then its files.
    func remove(_ hashes: some Collection<BlobHash>) throws {
        guard !hashes.isEmpty else { return }
        try write { database in
            for hash in hashes { try BlobTable(database: database).forget(hash) }
        }
        for hash in hashes { blobFiles.remove(hash) }
    }

    /// Evicts content that own records do not name until the rest fits into the quota: what is
    /// here for open spaces only, then what no record names, then what was not used for longest. It
    /// comes again when it is wanted.
    func evictSurplus() throws {
        guard contentRoom.map({ !$0.fits(quota) }) ?? true, let own = person(of: device) else {
            return
        }
        var eviction = ContentEviction(quota)
        try read { database in
            let table = BlobTable(database: database)
            try table.visitEvictable(by: own) { stored, isNamed, isOpen in
                eviction.add(stored, isNamed: isNamed, isOpen: isOpen)
                return true
            }
            guard eviction.isNecessary else { return }
            let retained = retainedPeople ?? []
            try eviction.choose { try !table.creators(naming: $0).isDisjoint(with: retained) }
        }
        contentRoom = eviction.room
        try remove(eviction.evicted)
    }

    private func evictUnnamed(wallTime: Timestamp) throws {
        guard let own = person(of: device) else { return }
        var evicted: [BlobHash] = []
        try read { database in
            try BlobTable(database: database).visitEvictable(by: own) { stored, isNamed, _ in
                guard !isNamed else { return false }
                if wallTime - stored.used >= Limits.unnamedBlobAge { evicted.append(stored.hash) }
                return true
            }
        }
        try remove(evicted)
    }

    /// Checks all content, and removes what is damaged so that it is fetched again.
    public func checkContent() throws -> ContentCheck {
        let stored = try read { try BlobTable(database: $0).allNamed() }
        let damaged = try stored.filter { try blobFiles.isSound($0.hash) != true }
        try remove(damaged.map(\.hash))
        let ids = Dictionary(
            states.all.map { ($0.number, $0.id) }, uniquingKeysWith: { first, _ in first })
        return ContentCheck(
            checkedCount: stored.count,
            damaged: damaged.map { row in
                DamagedContent(
                    hash: row.hash, bytesCount: row.bytes,
                    named: row.named.flatMap { named in
                        ids[named.space].map { .init(space: $0, blob: named.blob) }
                    })
            })
    }

    /// Returns the number and the bytes of all files with content.
    public func contentUse() throws -> ContentUse {
        guard let own = person(of: device) else {
            return ContentUse(filesCount: 0, bytesCount: 0, evictableBytes: 0)
        }
        var use = try read { try BlobTable(database: $0).use(by: own) }
        // When they arrived makes no difference here.
        use.arrivingBytes = (arriving ?? ArrivingContent(blobFiles.parts(now: .max))).bytes
        return use
    }

    /// Returns the hashes of all content that is here.
    public func storedContent() throws -> Set<BlobHash> {
        Set(try read { try BlobTable(database: $0).hashes() })
    }
}

extension SpaceTransaction {
    /// Closes the content to this space that only erased records named here.
    ///
    /// A record that is void because of a cut keeps its content, which may be evicted but is not
    /// erased: the cut may turn out not to count.
    func closeErasedContent() throws {
        guard catalog.hasBlobs else { return }
        let table = BlobTable(database: database)
        let erased = state.erasing.batches.lazy.flatMap(\.operations).compactMap(blobHash)
        for hash in Set(erased) where try !table.isNamed(hash, in: state.space.number) {
            try table.close(hash, to: state.space.number)
            state.closedContent.insert(hash)
        }
    }

    private func blobHash(_ operation: Operation) -> BlobHash? {
        guard case .set(let number, .bytes(let bytes)) = operation.action,
            catalog[operation.collection]?.field(number)?.type.isBlob ?? false
        else { return nil }
        return (try? Blob(decoding: bytes))?.hash
    }
}

extension Limits {
    /// The bytes that content of others may take, unless a person chose another number (2 GiB).
    public static let fetchedBytesMax = 2 * 1024 * 1024 * 1024
    /// The bytes that content may take which is here for open spaces only, if that is no more than
    /// an eighth of ``StorageQuota/fetchedBytesMax`` (256 MiB).
    public static let openFetchedBytesMax = 256 * 1024 * 1024
    /// The bytes that each file with content is counted with besides its length: a block of the
    /// disk and its rows.
    public static let blobFileBytes = 4096
    /// The time after which content is removed that no record names (7 days): its record was never
    /// written, replaced, or is void.
    public static let unnamedBlobAge: Duration = .seconds(7 * 24 * 60 * 60)
}
