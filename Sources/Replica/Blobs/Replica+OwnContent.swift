internal import GRDB
public import Records

/// The number of files with content that own records name: those that are here, and those that are
/// missing.
public struct OwnContentCount: Hashable, Sendable {
    /// The files that are here.
    public var hereCount = 0
    /// The files that are not here, although another device may have them.
    public var missingCount = 0

    /// Creates a count of nothing.
    public init() {}
}

extension Replica {
    /// Counts the files with content that this person's own records of some spaces name. Content
    /// with the same hash is one file.
    /// - Parameter lacked: missing content that is not counted, since the device that is asked does
    ///   not have it.
    public func countOwnContent(
        in spaces: Set<SpaceID>, besides lacked: Set<BlobHash>
    ) throws -> OwnContentCount {
        guard catalog.hasBlobs, let own = person(of: device) else { return OwnContentCount() }
        let numbers = Set(states.all.filter { spaces.contains($0.id) }.map(\.number))
        var count = OwnContentCount()
        var last: BlobHash?
        try read { database in
            try BlobTable(database: database).visitNamed(by: own) { space, hash, isHere in
                guard numbers.contains(space), hash != last else { return }
                last = hash
                if isHere {
                    count.hereCount += 1
                } else if !lacked.contains(hash) {
                    count.missingCount += 1
                }
            }
        }
        return count
    }
}

extension BlobTable {
    /// Visits the content that a person's counting records name, by hash.
    /// - Parameter visit: gets a space, the hash, and whether the file is here.
    fileprivate func visitNamed(
        by creator: PersonID, _ visit: (Int64, BlobHash, Bool) throws -> Void
    ) throws {
        try PreparedStatement(
            database,
            """
            SELECT space, hash, EXISTS (SELECT 1 FROM blob b WHERE b.hash = r.hash)
            FROM blob_reference r WHERE creator = ? ORDER BY hash
            """
        ).rows({ $0.append(creator) }) { columns in
            try visit(
                columns.integer(0), try columns.identifier(1, as: BlobHash.self),
                columns.integer(2) != 0)
            return true
        }
    }
}
