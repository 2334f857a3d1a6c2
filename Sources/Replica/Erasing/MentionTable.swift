internal import GRDB
internal import Records

/// The merged batches that write a record which can be erased. An erase remerges only the records
/// of its batch, not the whole space.
struct MentionTable {
    let database: Database
    /// The space's number in this database.
    let space: Int64
    let catalog: Catalog

    /// Stores the mentions of batches that are about to be merged.
    func insert(_ placed: [PlacedBatch]) throws {
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

    /// Stores one mention.
    func insert(_ entity: EntityID, _ place: BatchPlace) throws {
        try PreparedStatement(database, "INSERT OR IGNORE INTO mention VALUES (?, ?, ?)").run {
            $0.append(space)
            $0.append(entity)
            $0.append(place.rowID)
        }
    }

    /// Estimates the work of merging records again. It looks at a limited number of mentions, since
    /// a batch may write thousands of records of which each has thousands of mentions.
    /// - Parameter erased: the batches that are not merged again.
    func work(
        of records: Set<EntityCache.Key>, without erased: Set<BatchPlace>, mentionsMax: Int
    ) throws -> MergeWork.Remerge {
        var work = MergeWork.Remerge()
        var (count, found) = (0, Set(erased.lazy.map(\.rowID)))
        for record in records where count < mentionsMax {
            try PreparedStatement(
                database,
                """
                SELECT mention.batch, length(batch.body) FROM mention
                JOIN batch ON batch.id = mention.batch WHERE space = ? AND entity = ?
                """
            ).rows({
                $0.append(space)
                $0.append(record.entity)
            }) {
                count += 1
                if found.insert($0.integer(0)).inserted {
                    work.batchesCount += 1
                    work.bodiesBytes += Int(clamping: $0.integer(1))
                }
                return count < mentionsMax
            }
        }
        return work
    }

    /// Returns the batches that mention records, ordered by row.
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

    /// Removes one mention.
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
