internal import GRDB
public import Records

// Content that records of open spaces name.
extension Replica {
    /// Returns what a peer who looks for content of an open space learns here: whether it is here,
    /// and otherwise the blob, if this side may look for it too.
    ///
    /// A hash that no record here names is like an unknown one, also if its content is here for
    /// another space.
    public func sought(_ blob: SoughtBlob, in space: SpaceID) throws -> SoughtContent {
        let (hash, bytes) = (blob.hash, blob.bytesCount)
        guard let state = states[space], state.isOpen, let own = person(of: device) else {
            return .unknown
        }
        let (isServed, stored, wanted) = try read { database in
            let table = BlobTable(database: database)
            return (
                try table.mayServe(hash, in: state.number, by: own), try table.stored(hash),
                try table.wanted(hash, bytes: bytes, in: state.number)
            )
        }
        if isServed, stored?.bytes == bytes { return .isHere }
        return wanted.map { .missing($0) } ?? .unknown
    }

    /// Returns the content that is to be fetched with its record now: of retained people first,
    /// then of others, while there is room for it. The latest records come first.
    public func dueSmallContent(countMax: Int) throws -> [(space: SpaceID, blob: Blob)] {
        guard catalog.hasOpenBlobs else { return [] }
        if contentRoom == nil { try evictSurplus() }
        var room = quota.smallContentBytesMax - (contentRoom?.openBytes ?? 0)
        let ids = Dictionary(
            states.all.map { ($0.number, $0.id) }, uniquingKeysWith: { first, _ in first })
        var (kept, others): ([(SpaceID, Blob)], [(SpaceID, Blob)]) = ([], [])
        var seenCount = 0
        try read { database in
            try SmallContentTable.visitDue(database) { due in
                seenCount += 1
                guard let space = ids[due.space] else { return true }
                if retainedPeople?.contains(due.creator) ?? false {
                    kept.append((space, due.blob))
                } else if others.count < countMax, room >= 0 {
                    room -= due.blob.bytesCount + Limits.blobFileBytes
                    if room >= 0 { others.append((space, due.blob)) }
                }
                return kept.count < countMax && seenCount < Replica.dueContentSeenMax
            }
        }
        return Array((kept + others).prefix(countMax))
    }

    /// The number of rows that one look for due content reads.
    private static let dueContentSeenMax = 16_384

    /// Records that content which is fetched with its record was not found: it is looked for again
    /// only if the user opens it. A record that names its hash with another length counts as
    /// other content.
    public func giveUp(_ blob: Blob, in space: SpaceID) throws {
        guard let state = states[space], state.isOpen else { return }
        try write { database in
            try SmallContentTable(database: database, space: state.number).giveUp(blob)
        }
    }
}
