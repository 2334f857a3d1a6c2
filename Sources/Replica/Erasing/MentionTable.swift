internal import GRDB
internal import Records

/// Which batches that are merged say anything of a record that can be erased, so that an erase
/// merges again what it touched and not the whole space.
struct MentionTable {
    let database: Database
    /// The space's number in this database.
    let space: Int64
    let catalog: Catalog

    /// Notes what batches that will be merged mention.
    func note(_ placed: [PlacedBatch]) throws {
        for batch in placed {
            var (last, isErasable): (EntityCache.Key?, Bool) = (nil, false)
            for operation in batch.body.operations where operation.key != last {
                if operation.collection != last?.collection {
                    isErasable = catalog[operation.collection]?.collection.isErasable ?? false
                }
                last = operation.key
                if isErasable { try insert(operation.entity, batch.place) }
            }
        }
    }

    private func insert(_ entity: EntityID, _ place: BatchPlace) throws {
        try PreparedStatement(database, "INSERT OR IGNORE INTO mention VALUES (?, ?, ?)").run {
            $0.append(space)
            $0.append(entity)
            $0.append(place.rowID)
        }
    }

    /// The batches that mention records, in the order of their rows.
    func places(of records: Set<EntityCache.Key>) throws -> [BatchPlace] {
        var found: Set<Int64> = []
        for record in records {
            try PreparedStatement(
                database, "SELECT batch FROM mention WHERE space = ? AND entity = ?"
            ).rows({
                $0.append(space)
                $0.append(record.entity)
            }) {
                found.insert($0.integer(0))
                return true
            }
        }
        return found.sorted().map(BatchPlace.init(rowID:))
    }

    /// Forgets that a batch mentions a record.
    func remove(_ record: EntityCache.Key, at place: BatchPlace) throws {
        try PreparedStatement(
            database, "DELETE FROM mention WHERE space = ? AND entity = ? AND batch = ?"
        ).run {
            $0.append(space)
            $0.append(record.entity)
            $0.append(place.rowID)
        }
    }
}
