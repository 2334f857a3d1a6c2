internal import GRDB
internal import Records

/// The batches of one space whose body is not here though no erase that counts names them.
struct MissingBodies {
    let database: Database
    let space: Int64

    /// Counts a batch among them.
    /// - Returns: whether it was not.
    func add(_ place: BatchPlace) throws -> Bool {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO missing_body VALUES (?, ?)")
            .execute(arguments: [space, place.rowID])
        return database.changesCount > 0
    }

    /// Takes a batch out of them.
    /// - Returns: whether it was among them.
    func remove(_ place: BatchPlace) throws -> Bool {
        try database.cachedStatement(
            sql: "DELETE FROM missing_body WHERE space = ? AND batch = ?"
        ).execute(arguments: [space, place.rowID])
        return database.changesCount > 0
    }

    /// All of them, in the order of their rows.
    func all() throws -> [BatchPlace] {
        try Int64.fetchAll(
            database, sql: "SELECT batch FROM missing_body WHERE space = ? ORDER BY batch",
            arguments: [space]
        ).map(BatchPlace.init(rowID:))
    }

    /// Forgets them all.
    func clear() throws {
        try database.execute(
            sql: "DELETE FROM missing_body WHERE space = ?", arguments: [space])
    }
}
