internal import GRDB
internal import Records

// Taking the effect of erased batches out of the tables.
extension SpaceTransaction {
    /// Merges single records anew, from all batches that are merged already and are about them.
    ///
    /// What is merged of a record depends on the operations on that record alone, and its id, a
    /// hash of the space and the collection, is no other record's. So this leaves what a rebuild
    /// of the whole space would.
    func mergeAgain(_ records: Set<EntityCache.Key>) throws {
        guard !records.isEmpty else { return }
        let mentions = MentionTable(database: database, space: space.number, catalog: catalog)
        let places = try mentions.places(of: records)
        for record in records { try empty(record) }
        for start in stride(
            from: 0, to: places.count, by: SpaceTransaction.replayedBatchesMax)
        {
            let end = min(start + SpaceTransaction.replayedBatchesMax, places.count)
            let merged = try places[start..<end].compactMap { place in
                try readMerged(place, about: records, mentions)
            }
            _ = try merge(merged, only: records)
        }
    }

    /// A batch that was merged before, without what was noted of its operations on records; nil
    /// where it is erased or damaged.
    private func readMerged(
        _ place: BatchPlace, about records: Set<EntityCache.Key>, _ mentions: MentionTable
    ) throws -> PlacedBatch? {
        guard let stored = try batches.batch(at: place), let author = space.author(place.log),
            let content = readableContent(of: stored)
        else { return nil }
        guard let body = content.body else {
            for record in records { try mentions.remove(record, at: place) }
            return nil
        }
        for (index, operation) in body.operations.enumerated()
        where space.brokenCount > 0 && records.contains(operation.key) {
            try forgetVerdict(of: index, place)
        }
        return PlacedBatch(
            place: place, author: author, stamp: stored.stamp, hash: stored.hash, body: body)
    }

    private func forgetVerdict(of index: Int, _ place: BatchPlace) throws {
        try PreparedStatement(
            database, "DELETE FROM void WHERE space = ? AND batch = ? AND op = ?"
        ).run {
            $0.append(space.number)
            $0.append(place.rowID)
            $0.append(Int64(index))
        }
        space.brokenCount -= database.changesCount
    }

    /// Takes all that is merged of a record out of the tables.
    private func empty(_ record: EntityCache.Key) throws {
        if space.waitingCount > 0 {
            let waiting = WaitingTable(database: database, space: space.number)
            space.waitingCount -= try waiting.take(record).count
        }
        guard let table = catalog[record.collection] else { return }
        try delete(record.entity, from: table.name)
        // Only a record that has a row was ever written. Another may be one of another collection
        // that somebody named as of this one.
        guard database.changesCount > 0 else { return }
        for name in ["register", "element", "removed"] + table.sets.map(table.name(of:)) {
            try delete(record.entity, from: name)
        }
    }

    private func delete(_ entity: EntityID, from table: String) throws {
        try PreparedStatement(
            database, "DELETE FROM \"\(table)\" WHERE space = ? AND entity = ?"
        ).run {
            $0.append(space.number)
            $0.append(entity)
        }
    }
}
