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
            (one.batch.rowID, one.index) < (other.batch.rowID, other.index)
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

    private static let ofEntity = "WHERE space = ? AND collection = ? AND entity = ?"

    /// Removes and returns the first operations that wait for an entity, in order.
    /// - Parameter countMax: the maximum number of them, so that they fit into memory.
    func removeFirst(_ countMax: Int, of key: EntityCache.Key) throws -> [Place] {
        var places: [Place] = []
        try PreparedStatement(
            database,
            "SELECT batch, op FROM waiting \(WaitingTable.ofEntity) ORDER BY batch, op LIMIT ?"
        ).rows({
            $0.append(space, key)
            $0.append(Int64(countMax))
        }) { columns in
            places.append(
                Place(
                    batch: BatchPlace(rowID: columns.integer(0)), index: Int(columns.integer(1))))
            return true
        }
        guard let last = places.last else { return [] }
        try PreparedStatement(
            database,
            "DELETE FROM waiting \(WaitingTable.ofEntity) AND (batch, op) <= (?, ?)"
        ).run {
            $0.append(space, key)
            $0.append(last.batch.rowID)
            $0.append(Int64(last.index))
        }
        return places
    }

    /// Removes all operations that wait for an entity.
    /// - Returns: what this adds to the counts of each log.
    func removeAll(_ key: EntityCache.Key) throws -> [Int64: RowCounts] {
        var gone: [Int64: RowCounts] = [:]
        try PreparedStatement(
            database,
            "SELECT batch >> 40, count(*) FROM waiting \(WaitingTable.ofEntity) GROUP BY 1"
        ).rows({ $0.append(space, key) }) { columns in
            gone[columns.integer(0)] = RowCounts(waiting: -Int(columns.integer(1)))
            return true
        }
        guard !gone.isEmpty else { return [:] }
        try PreparedStatement(database, "DELETE FROM waiting \(WaitingTable.ofEntity)")
            .run { $0.append(space, key) }
        return gone
    }
}

extension Bindings {
    fileprivate mutating func append(_ space: Int64, _ key: EntityCache.Key) {
        append(space)
        append(Int64(key.collection.rawValue))
        append(key.entity)
    }
}
