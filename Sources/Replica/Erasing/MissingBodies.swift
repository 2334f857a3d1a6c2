internal import GRDB
internal import Records

/// The batches of one space that lack their body although no erase that counts names them.
struct MissingBodies {
    let database: Database
    let space: Int64

    /// Adds a batch.
    /// - Returns: whether it was new.
    func add(_ place: BatchPlace) throws -> Bool {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO missing_body VALUES (?, ?)")
            .execute(arguments: [space, place.rowID])
        return database.changesCount > 0
    }

    /// Removes a batch.
    /// - Returns: whether it was there.
    func remove(_ place: BatchPlace) throws -> Bool {
        try database.cachedStatement(
            sql: "DELETE FROM missing_body WHERE space = ? AND batch = ?"
        ).execute(arguments: [space, place.rowID])
        return database.changesCount > 0
    }

    /// Returns the first of them in a log up to a batch, or nil if there is none.
    func first(through last: BatchPlace) throws -> BatchPlace? {
        try PreparedStatement(
            database,
            """
            SELECT batch FROM missing_body WHERE space = ? AND batch BETWEEN ? AND ?
            ORDER BY batch LIMIT 1
            """
        ).first({
            $0.append(space)
            $0.append(BatchPlace.rows(ofLog: last.log).lowerBound)
            $0.append(last.rowID)
        }) { BatchPlace(rowID: $0.integer(0)) }
    }

    /// Removes all of them.
    func clear() throws {
        try database.execute(
            sql: "DELETE FROM missing_body WHERE space = ?", arguments: [space])
    }
}
