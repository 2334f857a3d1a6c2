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

    /// Returns all of them, ordered by row.
    func all() throws -> [BatchPlace] {
        try Int64.fetchAll(
            database, sql: "SELECT batch FROM missing_body WHERE space = ? ORDER BY batch",
            arguments: [space]
        ).map(BatchPlace.init(rowID:))
    }

    /// Removes all of them.
    func clear() throws {
        try database.execute(
            sql: "DELETE FROM missing_body WHERE space = ?", arguments: [space])
    }
}
