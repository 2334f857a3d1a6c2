internal import GRDB
internal import Records

// Removes the effects of erased batches from the tables.
extension SpaceTransaction {
    /// Merges the records again that erased batches wrote, and counts the work for those who erased
    /// them. Each record is merged once, however many batches of it were erased.
    func remergeTouched() throws {
        let people = Dictionary(grouping: state.erasing.touched, by: \.value)
        for (person, touched) in people.sorted(by: { $0.key < $1.key }) {
            try remerge(Set(touched.lazy.map(\.key)), of: person)
        }
    }

    /// Merges single records again, from all merged batches that write them.
    ///
    /// The merged state of a record depends only on operations on that record. Its id is a hash of
    /// the space and the collection, so no other record has it. The result equals that of a rebuild
    /// of the whole space.
    private func remerge(_ records: Set<EntityCache.Key>, of person: PersonID) throws {
        let mentions = MentionTable(database: database, space: state.space.number, catalog: catalog)
        let places = try mentions.places(of: records)
        var work = RebuildWork(operationsCount: records.count)
        for record in records { try clear(record) }
        var portion = MergePortion()
        for place in places {
            guard let merged = try readMerged(place, about: records, mentions) else { continue }
            work.batchesCount += 1
            work.operationsCount += merged.body.operations.count
            portion.append(merged)
            if portion.isFull { _ = try merge(portion.removeAll(), only: records) }
        }
        _ = try merge(portion.removeAll(), only: records)
        state.remerged[person] = work
    }

    /// Reads a merged batch, and deletes its stored verdicts on these records; nil if it is erased
    /// or damaged.
    private func readMerged(
        _ place: BatchPlace, about records: Set<EntityCache.Key>, _ mentions: MentionTable
    ) throws -> PlacedBatch? {
        guard let stored = try batches.batch(at: place), let author = state.space.author(place.log),
            let content = readableContent(of: stored)
        else { return nil }
        guard let body = content.body else {
            for record in records { try mentions.remove(record, at: place) }
            return nil
        }
        for (index, operation) in body.operations.enumerated()
        where state.space.brokenCount > 0 && records.contains(operation.key) {
            try deleteVerdict(of: index, place)
        }
        return PlacedBatch(
            place: place, author: author, stamp: stored.stamp, hash: stored.hash, body: body)
    }

    private func deleteVerdict(of index: Int, _ place: BatchPlace) throws {
        try PreparedStatement(
            database, "DELETE FROM void WHERE space = ? AND batch = ? AND op = ?"
        ).run {
            $0.append(state.space.number)
            $0.append(place.rowID)
            $0.append(Int64(index))
        }
        state.space.count([place.log: RowCounts(void: -database.changesCount)])
    }

    /// Removes a record from the tables.
    private func clear(_ record: EntityCache.Key) throws {
        if state.space.waitingCount > 0 {
            let waiting = WaitingTable(database: database, space: state.space.number)
            state.space.count(try waiting.removeAll(record))
        }
        guard let table = catalog[record.collection] else { return }
        try delete(record.entity, from: table.name)
        // A record that was ever written has a row. Without one, the id may belong to another
        // collection, and a peer named the wrong one.
        guard database.changesCount > 0 else { return }
        for name in ["register", "element", "removed"] + table.sets.map(table.name(of:)) {
            try delete(record.entity, from: name)
        }
    }

    private func delete(_ entity: EntityID, from table: String) throws {
        try PreparedStatement(
            database, "DELETE FROM \"\(table)\" WHERE space = ? AND entity = ?"
        ).run {
            $0.append(state.space.number)
            $0.append(entity)
        }
    }
}
