internal import GRDB
internal import Records

/// The operations of a space on entities that are not known yet, by entity.
struct WaitingTable {
    let database: Database
    /// The space's number in this database.
    let space: Int64

    /// One waiting operation.
    struct Place: Comparable {
        let batch: BatchPlace
        /// The operation's index in its batch.
        let index: Int

        static func < (one: Place, other: Place) -> Bool {
            one.batch.rowID != other.batch.rowID
                ? one.batch.rowID < other.batch.rowID : one.index < other.index
        }
    }

    /// Adds a waiting operation; one that waits already changes nothing.
    func insert(_ key: EntityCache.Key, _ place: Place) throws {
        try PreparedStatement(
            database, "INSERT OR IGNORE INTO waiting VALUES (?, ?, ?, ?, ?)"
        ).run {
            $0.append(space, key)
            $0.append(place.batch.rowID)
            $0.append(Int64(place.index))
        }
    }

    /// Removes the operations of one batch that wait for an entity.
    /// - Returns: the number of removed operations.
    func remove(_ key: EntityCache.Key, of place: BatchPlace) throws -> Int {
        try PreparedStatement(
            database,
            "DELETE FROM waiting WHERE space = ? AND collection = ? AND entity = ? AND batch = ?"
        ).run {
            $0.append(space, key)
            $0.append(place.rowID)
        }
        return database.changesCount
    }

    /// Removes and returns all operations that wait for an entity.
    func removeAll(_ key: EntityCache.Key) throws -> [Place] {
        let condition = "WHERE space = ? AND collection = ? AND entity = ?"
        var places: [Place] = []
        try PreparedStatement(database, "SELECT batch, op FROM waiting \(condition)")
            .rows({ $0.append(space, key) }) { columns in
                places.append(
                    Place(
                        batch: BatchPlace(rowID: columns.integer(0)),
                        index: Int(columns.integer(1))))
                return true
            }
        guard !places.isEmpty else { return [] }
        try PreparedStatement(database, "DELETE FROM waiting \(condition)")
            .run { $0.append(space, key) }
        return places
    }
}

extension Bindings {
    fileprivate mutating func append(_ space: Int64, _ key: EntityCache.Key) {
        append(space)
        append(Int64(key.collection.rawValue))
        append(key.entity)
    }
}
