public import Records

// Content that arrives, in files of its own until it is whole.
extension Replica {
    /// Adds a piece to content that arrives. It is not synced: what a power cut loses of it arrives
    /// again.
    /// - Returns: false if nothing was stored, since no record of the space names it any more, or
    ///   since what came before the piece was removed meanwhile. Then ask ``arrivedBytes(of:in:)``
    ///   again.
    @discardableResult
    public func append(
        _ piece: [UInt8], at offset: Int, of blob: Blob, in space: SpaceID, wallTime: Timestamp
    ) throws -> Bool {
        guard let state = states[space],
            try read({ try BlobTable(database: $0).isWanted(blob.hash, in: state.number) })
        else {
            removePart(of: blob.hash, in: space)
            return false
        }
        let key = ArrivingContent.Key(space: space, hash: blob.hash)
        var arriving = withdrawArriving(now: wallTime)
        let before = arriving.parts[key]?.bytes ?? 0
        guard offset <= before else {
            self.arriving = arriving
            return false
        }
        // If this fails, the files are looked at again.
        try blobFiles.append(piece, at: offset, of: blob.hash, in: space)
        arriving.record(
            key, .init(bytes: max(before, offset + piece.count), changed: wallTime))
        prune(&arriving, keeping: key, now: wallTime)
        self.arriving = arriving
        return true
    }

    /// Removes what has arrived of content.
    public func discard(_ blob: Blob, in space: SpaceID) { removePart(of: blob.hash, in: space) }

    /// Makes a part whole content, if it has its hash.
    /// - Returns: false if it has another hash; it is removed then.
    func finishPart(of hash: BlobHash, in space: SpaceID) throws -> Bool {
        // If this fails, the files are looked at again.
        var known = arriving
        arriving = nil
        let isRight = try blobFiles.finishPartial(hash, in: space)
        known?.remove(.init(space: space, hash: hash))
        arriving = known
        return isRight
    }

    /// Removes one part.
    func removePart(of hash: BlobHash, in space: SpaceID) {
        blobFiles.removePartial(hash, in: space)
        arriving?.remove(.init(space: space, hash: hash))
    }

    /// Removes the parts that no record names, those of open spaces, old ones, and those for which
    /// there is no room.
    func reconcileParts(wallTime: Timestamp) throws {
        try blobFiles.removePartials { space, hash in
            // Strangers must not leave parts of content here that never ends.
            guard let state = states[space], !state.isOpen else { return false }
            return try read { try BlobTable(database: $0).isNamed(hash, in: state.number) }
        }
        arriving = nil
        var found = withdrawArriving(now: wallTime)
        prune(&found, keeping: nil, now: wallTime)
        arriving = found
    }

    /// Withdraws the parts, so that changing them copies nothing.
    private func withdrawArriving(now: Timestamp) -> ArrivingContent {
        defer { arriving = nil }
        return arriving ?? ArrivingContent(blobFiles.parts(now: now))
    }

    private func prune(
        _ arriving: inout ArrivingContent, keeping key: ArrivingContent.Key?, now: Timestamp
    ) {
        for gone in arriving.prune(keeping: key, bytesMax: quota.arrivingBytesMax, now: now) {
            blobFiles.removePartial(gone.hash, in: gone.space)
        }
    }
}

extension Limits {
    /// The bytes that content may take of which only a part has arrived, besides the content that
    /// is whole (256 MiB). Each part is counted with ``blobFileBytes`` more.
    public static let arrivingBytesMax = 256 * 1024 * 1024
    /// The number of such parts.
    public static let arrivingCountMax = 2048
    /// The time without a piece after which such a part is removed (a day), when a piece of other
    /// content comes or the replica is opened.
    public static let arrivingAge: Duration = .seconds(24 * 60 * 60)
}
