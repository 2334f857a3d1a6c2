internal import GRDB
public import Records

// Content beside the records. Access is per space and hash: see ``BlobTable/mayServe(_:in:by:)``.
extension Replica {
    /// Stores content that this person's records of a space will name. It is on the disk when this
    /// returns.
    /// - Throws: the first of ``BlobFault/malformed(bytes:kind:)``, ``BatchFault/unknownSpace`` and
    ///   ``ReplicaFault`` found.
    public func put(
        _ content: [UInt8], kind: String, in space: SpaceID, wallTime: Timestamp
    ) throws -> Blob {
        guard let blob = Blob(of: content, kind: kind) else {
            throw BlobFault.malformed(bytes: content.count, kind: kind)
        }
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        if let free = freeBytes() {
            let reserve = min(Limits.reserveFreeBytesMin, quota.freeBytesMin)
            guard free - content.count >= reserve else {
                throw ReplicaFault.diskFull(path: blobFiles.directory)
            }
        }
        try blobFiles.write(content, as: blob.hash)
        try store(blob, in: state, isFetched: false, wallTime)
        return blob
    }

    /// Returns content that may be used for records of a space, after it is compared with its hash;
    /// nil if it is not here. Damaged content is removed, so that it is fetched again.
    public func content(
        of blob: Blob, in space: SpaceID, wallTime: Timestamp
    ) throws -> [UInt8]? {
        guard let state = states[space], let own = person(of: device) else { return nil }
        let stored = try read { database -> BlobTable.Stored? in
            let table = BlobTable(database: database)
            guard try table.mayUse(blob.hash, in: state.number, by: own) else { return nil }
            return try table.stored(blob.hash)
        }
        guard let stored, stored.bytes == blob.bytesCount else { return nil }
        let found = try blobFiles.read(blob.hash, from: 0, count: stored.bytes)
        guard let found, BlobHash(of: found) == blob.hash else {
            try remove([blob.hash])
            return nil
        }
        if wallTime - stored.used >= Replica.useInterval {
            try write { try BlobTable(database: $0).recordUse(of: blob.hash, at: wallTime) }
        }
        return found
    }

    /// The time after which another use of content is recorded.
    private static let useInterval: Duration = .seconds(3600)

    /// Returns the path of the file with that content, to be read only; nil if it is not here. The
    /// file may be removed at any time.
    public func contentFile(
        of blob: Blob, in space: SpaceID, wallTime: Timestamp
    ) throws -> String? {
        let found = try content(of: blob, in: space, wallTime: wallTime)
        return found.map { _ in blobFiles.path(of: blob.hash) }
    }

    /// Copies that content to a new file, readable by its owner only; false if it is not here.
    /// - Throws: ``BackupFault`` if there is a file already, or it cannot be written.
    public func export(
        _ blob: Blob, in space: SpaceID, to path: String, wallTime: Timestamp
    ) throws -> Bool {
        guard let content = try content(of: blob, in: space, wallTime: wallTime) else {
            return false
        }
        let draft = try PrivateDraft(beside: path)
        defer { draft.discard() }
        try BlobFile(writing: draft.path).write(content, at: 0)
        try draft.publish(as: path)
        return true
    }

    /// Returns a piece of content for a member of a space; nil if the member may not have it from
    /// here, or if it is not here. The member cannot tell which. The access is checked before a
    /// file is looked for.
    public func piece(
        of hash: BlobHash, in space: SpaceID, from offset: Int
    ) throws -> [UInt8]? {
        guard let state = states[space], let own = person(of: device) else { return nil }
        let stored = try read { database -> BlobTable.Stored? in
            let table = BlobTable(database: database)
            guard try table.mayServe(hash, in: state.number, by: own) else { return nil }
            return try table.stored(hash)
        }
        guard let stored, (0..<stored.bytes).contains(offset) else { return nil }
        let count = min(Limits.blobPieceBytes, stored.bytes - offset)
        let piece = try blobFiles.read(hash, from: offset, count: count)
        return piece?.count == count ? piece : nil
    }

    /// Checks that the content that edits name is here, and open to their space.
    /// - Throws: ``EditFault/contentMissing(field:)``.
    func requireContent(of edits: [Edit], by person: PersonID, in state: SpaceState) throws {
        guard catalog.hasBlobs else { return }
        for edit in edits {
            let fields: [String: Value]
            switch edit {
            case .create(_, _, let values), .own(_, let values), .set(_, _, let values):
                fields = values
            case .add, .remove, .count, .erase: continue
            }
            guard let table = catalog.table(named: edit.collection), !table.blobs.isEmpty else {
                continue
            }
            for field in table.blobs {
                guard case .bytes(let bytes)? = fields[field.name],
                    let blob = try? Blob(decoding: bytes)
                else { continue }
                let isHere = try read { database in
                    let table = BlobTable(database: database)
                    return try table.mayUse(blob.hash, in: state.number, by: person)
                        && table.stored(blob.hash)?.bytes == blob.bytesCount
                }
                guard isHere else { throw EditFault.contentMissing(field: field.name) }
            }
        }
    }

    // MARK: Fetching

    /// Whether a record of a space that counts names this blob and its content is not here for that
    /// space; if so, the number of bytes that have arrived already.
    public func arrivedBytes(of blob: Blob, in space: SpaceID) throws -> ContentNeed {
        guard let state = states[space], let own = person(of: device) else { return .notNamed }
        let (isNamed, stored) = try read { database in
            let table = BlobTable(database: database)
            let mayUse = try table.mayUse(blob.hash, in: state.number, by: own)
            return (
                try table.isWanted(blob.hash, in: state.number),
                mayUse ? try table.stored(blob.hash) : nil
            )
        }
        guard isNamed else { return .notNamed }
        // Another record may name the same content with its right size.
        if let stored { return stored.bytes == blob.bytesCount ? .isHere : .notNamed }
        if let free = freeBytes(), free - blob.bytesCount < quota.freeBytesMin { return .noRoom }
        let bytesMax = state.isOpen ? quota.openFetchedBytesMax : quota.fetchedBytesMax
        guard blob.bytesCount + Limits.blobFileBytes <= bytesMax else {
            return .noRoom
        }
        return .missing(arrivedBytes: blobFiles.partialBytes(of: blob.hash, in: space))
    }

    /// Stores content of which all bytes have arrived, if it has its hash and a record still names
    /// it. It is on the disk when this returns.
    public func finish(
        _ blob: Blob, in space: SpaceID, wallTime: Timestamp
    ) throws -> ContentEnd {
        guard let state = states[space] else { return .notNamed }
        let isWanted = try read {
            try BlobTable(database: $0).isWanted(blob.hash, in: state.number)
        }
        guard isWanted else {
            removePart(of: blob.hash, in: space)
            return .notNamed
        }
        guard try finishPart(of: blob.hash, in: space) else { return .wrongContent }
        try store(blob, in: state, isFetched: true, wallTime)
        return .stored
    }

    /// Returns blobs that this person's own records name and that are not here: other devices of
    /// the person put them, or a file was lost. They come in a fixed order.
    /// - Parameter last: the blob after which to go on; nil for the first ones.
    public func missingOwnContent(
        after last: (space: SpaceID, blob: Blob)? = nil, countMax: Int
    ) throws -> [(space: SpaceID, blob: Blob)] {
        guard catalog.hasBlobs, let own = person(of: device) else { return [] }
        let ids = Dictionary(
            states.all.map { ($0.number, $0.id) }, uniquingKeysWith: { first, _ in first })
        let position = last.flatMap { last in
            states[last.space].map { (space: $0.number, hash: last.blob.hash) }
        }
        return try read {
            try BlobTable(database: $0).missing(of: own, after: position, countMax: countMax)
        }.compactMap { row in ids[row.space].map { ($0, row.blob) } }
    }

    private func store(
        _ blob: Blob, in state: SpaceState, isFetched: Bool, _ wallTime: Timestamp
    ) throws {
        let own = person(of: device)
        let isOnCard = state.descriptor.kind == .card && own.map { .card($0) } != state.descriptor
        let replaced = try write { database -> [BlobHash] in
            let table = BlobTable(database: database)
            try table.insert(
                blob.hash, bytes: blob.bytesCount, in: state.number, isFetched: isFetched,
                at: wallTime)
            guard isFetched, isOnCard else { return [] }
            // The owner of a card may change its photo as often as they like, and would push out
            // what others show.
            let others = try table.hashes(in: state.number).filter { $0 != blob.hash }
            for hash in others { try table.close(hash, to: state.number) }
            return others
        }
        let bytes = blob.bytesCount + Limits.blobFileBytes
        contentRoom?.bytes += bytes
        if state.isOpen { contentRoom?.openBytes += bytes }
        removeUnreachable(replaced)
        try evictSurplus()
    }
}

/// Whether content must be fetched for a space.
public enum ContentNeed: Hashable, Sendable {
    /// No record of the space that counts names it, or its size there is wrong.
    case notNamed
    /// It is here.
    case isHere
    /// There is no room for it.
    case noRoom
    /// It is not here, or only its first bytes.
    case missing(arrivedBytes: Int)
}

/// The end of a fetch.
public enum ContentEnd: Hashable, Sendable {
    /// The content is stored.
    case stored
    /// The bytes that arrived have another hash; they were removed.
    case wrongContent
    /// No record of the space names it any more; the bytes were removed.
    case notNamed
}
