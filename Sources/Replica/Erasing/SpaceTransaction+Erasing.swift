internal import GRDB
internal import Records

// Erasing within one transaction. An erase names a batch of the same person. The batch's operations
// become void and its body is removed, whether the erase or the batch arrives first.
//
// Example: Ann's batch 7 holds a chat message, her batch 9 erases batch 7. A replica that has 7
// first merges the message, and deletes its body and its row when 9 arrives. A replica that gets 9
// first stores the erase, and stores 7 without its body when that arrives. Both end with the header
// and body hash of 7, so both can prove the chain of hashes to others. If a cut voids 9, the erase
// no longer counts: 7 counts as missing its body, and the replicas ask peers for it.
extension SpaceTransaction {
    private var missing: MissingBodies {
        MissingBodies(database: database, space: state.space.number)
    }

    var erasures: ErasureTable { ErasureTable(database: database, space: state.space.number) }

    // MARK: Batches that arrive

    /// Returns the form in which an arriving batch is stored: without its body if an erase names
    /// it. A batch that arrives without its body and without an erase is recorded as missing it.
    func admitted(
        _ batch: CheckedBatch, at place: BatchPlace, by person: PersonID
    ) throws -> CheckedBatch {
        if try isErased(batch.content, named: batch.name, by: person) { return batch.erased }
        // The erase of a batch that arrives without its body has expired in an open space, or will
        // arrive.
        if batch.body == nil, !isOpen { try addMissing(place) }
        return batch
    }

    /// A batch with a body that is stored without one.
    struct Lacking {
        let batch: CheckedBatch
        let body: BatchBody
        let place: BatchPlace
        /// The content that is stored in place of the body.
        let content: BatchContent
    }

    /// Returns the known batches that are stored without their body although no erase that counts
    /// concerns them. A body may also show that no erase could concern it.
    func lackingBody(among known: some Collection<CheckedBatch>) throws -> [Lacking] {
        guard state.space.hasErasures || state.space.missingCount > 0 else { return [] }
        return try known.flatMap { batch -> [Lacking] in
            guard let body = batch.body else { return [] }
            return try places(of: batch.name).compactMap { place in
                guard let author = state.space.author(place.log), counts(place),
                    let stored = try batches.batch(at: place),
                    let content = readableContent(of: stored), content.body == nil,
                    try !isErased(batch.content, named: batch.name, by: author.person)
                else { return nil }
                return Lacking(batch: batch, body: body, place: place, content: content)
            }
        }
    }

    /// Stores bodies of known batches that lack theirs. A batch whose body shows that it cannot be
    /// erased counts again.
    /// - Parameter mayGrow: whether there is room for a batch's body, by its author, of so many
    ///   bytes.
    func refill(
        _ lacking: [Lacking], mayGrow: (CheckedBatch, PlacedBatch.Author, Int) throws -> Bool
    ) throws {
        for found in lacking {
            guard let author = state.space.author(found.place.log) else { continue }
            let growth = found.batch.content.storedBytes - found.content.storedBytes
            guard try mayGrow(found.batch, author, growth) else { continue }
            try replaceContent(
                at: found.place, by: found.batch.content, insteadOf: found.content)
            try removeMissing(found.place)
            if found.body.hasControl { try control.insert(found.place) }
            guard try !isHeld(found.place) else { continue }
            try apply(
                PlacedBatch(
                    place: found.place, author: author, stamp: found.batch.header.stamp,
                    hash: found.batch.hash, body: found.body))
        }
    }

    /// Whether an erase that counts names a batch and concerns it.
    func isErased(
        _ content: BatchContent, named name: BatchName, by person: PersonID
    ) throws -> Bool {
        guard state.space.hasErasures, content.mayBeErased else { return false }
        return try erasures.erasers(of: name, by: person).contains(where: counts)
    }

    /// Whether a stored batch counts. An erase counts if its batch does, whatever its author may
    /// write now.
    private func counts(_ place: BatchPlace) -> Bool {
        guard let row = state.space.namesByNumber[place.log] else { return false }
        return place.number <= state.space.logs[row]?.counted ?? 0
    }

    // MARK: Erases that arrive

    /// Returns the work that erases in arrived batches cause: a rebuild, if they empty a batch
    /// whose records cannot be merged again alone, or the batches that write the same records.
    /// Records that other erases of this transaction concern are merged again only once.
    func work(
        ofErasesIn arrived: some Collection<CheckedBatch>, by person: PersonID
    ) throws -> MergeWork.Need {
        var erased: Set<BatchPlace> = []
        var records: Set<EntityCache.Key> = []
        for batch in arrived {
            guard let body = batch.body, body.hasControl,
                !HybridClock.isHeld(batch.header.stamp, wallTime: wallTime)
            else { continue }
            for case .erase(let name) in body.operations.lazy.map(\.action) {
                for place in try places(of: name)
                where state.space.author(place.log)?.person == person
                    && erased.insert(place).inserted
                {
                    guard let found = try erasableRecords(ofBatchAt: place) else {
                        return MergeWork.Need(isRebuild: true)
                    }
                    records.formUnion(found)
                }
            }
        }
        records.subtract(state.erasing.estimated)
        guard !records.isEmpty else { return MergeWork.Need() }
        state.erasing.estimated.formUnion(records)
        let mentions = MentionTable(database: database, space: state.space.number, catalog: catalog)
        return MergeWork.Need(
            remerged: try mentions.work(
                of: records, without: erased, mentionsMax: RebuildDebt.unitsMax))
    }

    /// Returns the records that must be merged again without a batch; nil if one of them cannot be
    /// merged again alone.
    private func erasableRecords(ofBatchAt place: BatchPlace) throws -> Set<EntityCache.Key>? {
        guard let body = try batches.batch(at: place)?.readableContent?.body, body.salt != nil
        else { return [] }
        var records: Set<EntityCache.Key> = []
        for key in body.keys {
            guard let table = catalog[key.collection] else { continue }
            guard table.collection.isErasable else { return nil }
            records.insert(key)
        }
        return records
    }

    /// Applies the erases among the batches that are about to be merged, or all erases if the set
    /// of batches that count may have changed.
    func applyNewErasures() throws {
        if mustRemergeAll { return try applyAllErasures() }
        let fresh = state.applicable.filter(\.body.hasControl)
        guard !fresh.isEmpty else { return }
        try withdrawingErased { waiting in
            for batch in fresh where counts(batch.place) {
                for name in batch.controlFacts.compactMap(\.erased) {
                    try perform(
                        .init(eraser: batch.place, author: batch.author.person, name: name),
                        waiting)
                }
            }
        }
    }

    /// Applies all erases that count now, and finds the missing bodies again.
    func applyAllErasures() throws {
        try withdrawingErased { waiting in
            try erasures.forEach { erasure in
                state.work.operationsCount += 1
                if counts(erasure.eraser) { try perform(erasure, waiting) }
            }
        }
        try missing.clear()
        state.space.clearCounts { $0.missing = 0 }
        for (name, entry) in state.space.logs where !isOpen {
            for place in try batches.places(withoutBodyIn: entry.number)
            where place.number <= entry.counted {
                guard let stored = try batches.batch(at: place),
                    let content = readableContent(of: stored)
                else { continue }
                let batch = BatchName(log: name, number: place.number, hash: stored.hash)
                if try !isErased(content, named: batch, by: entry.person) {
                    try addMissing(place)
                }
            }
        }
    }

    /// Applies erases, and removes the erased batches from those to be merged.
    /// - Parameter work: gets the places of the batches to be merged.
    private func withdrawingErased(_ work: (Set<BatchPlace>) throws -> Void) rethrows {
        try work(Set(state.applicable.lazy.map(\.place)))
        let erased = state.erasing.places
        guard !erased.isEmpty else { return }
        state.applicable.removeAll { erased.contains($0.place) }
    }

    /// Returns the places at which a batch is stored.
    func places(of name: BatchName) throws -> [BatchPlace] {
        try state.space.rows(of: name.log.device).compactMap { row in
            guard let entry = state.space.logs[row], entry.low <= name.number,
                name.number <= entry.high
            else { return nil }
            let place = BatchPlace(log: entry.number, number: name.number)
            return try batches.hash(at: place) == name.hash ? place : nil
        }
    }

    private func perform(_ erasure: ErasureTable.Erasure, _ waiting: Set<BatchPlace>) throws {
        for place in try places(of: erasure.name) {
            guard let author = state.space.author(place.log), author.person == erasure.author else {
                continue
            }
            try eraseBody(at: place, of: author, erasure.eraser, waiting)
        }
    }

    /// Removes a batch's body, if it is here and may be erased.
    private func eraseBody(
        at place: BatchPlace, of author: PlacedBatch.Author, _ eraser: BatchPlace,
        _ waiting: Set<BatchPlace>
    ) throws {
        // A damaged batch is not touched: its repair applies erases again.
        guard let stored = try batches.batch(at: place), let content = readableContent(of: stored)
        else { return }
        guard let body = content.body else { return try removeMissing(place) }
        guard content.mayBeErased else { return }
        try replaceContent(at: place, by: .erased(content.bodyHash), insteadOf: content)
        try requestScrub()
        state.erasing.batches.append(
            ErasingProgress.ErasedBatch(eraser: eraser, author: author, operations: body.operations)
        )
        state.erasing.places.insert(place)
        guard try !waiting.contains(place) && !isHeld(place) else { return }
        if isOpen { return try unmerge(body, at: place, by: author) }
        try deleteVerdicts(of: place, body)
        recordTouched(body, by: author.person)
    }

    /// Records which merged records must be merged again without the batch.
    private func recordTouched(_ body: BatchBody, by person: PersonID) {
        for key in body.keys {
            // Records of undeclared collections were never merged.
            guard let table = catalog[key.collection] else { continue }
            if table.collection.isErasable {
                if state.erasing.touched[key] == nil { state.erasing.touched[key] = person }
            } else {
                state.mustRebuild = true
            }
        }
    }

    /// Deletes the stored verdicts on single operations of a batch.
    func deleteVerdicts(of place: BatchPlace, _ body: BatchBody) throws {
        try database.cachedStatement(sql: "DELETE FROM void WHERE space = ? AND batch = ?")
            .execute(arguments: [state.space.number, place.rowID])
        var gone = RowCounts(void: -database.changesCount)
        if state.space.waitingCount > 0 {
            let waiting = WaitingTable(database: database, space: state.space.number)
            for key in body.keys { gone.waiting -= try waiting.remove(key, of: place) }
        }
        state.space.count([place.log: gone])
    }

    /// Records that the files may hold erased bytes.
    func requestScrub() throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO scrub VALUES (?)", arguments: [wallTime.milliseconds])
    }

    func isHeld(_ place: BatchPlace) throws -> Bool {
        guard state.space.heldCount > 0 else { return false }
        return try held.contains(place)
    }

    private func addMissing(_ place: BatchPlace) throws {
        if try missing.add(place) { state.space.count([place.log: RowCounts(missing: 1)]) }
    }

    private func removeMissing(_ place: BatchPlace) throws {
        guard state.space.missingCount > 0 else { return }
        if try missing.remove(place) { state.space.count([place.log: RowCounts(missing: -1)]) }
    }
}

extension BatchContent {
    /// Whether an erase by the author may remove the body: it is salted and has no control
    /// operation. A missing body may be erased.
    var mayBeErased: Bool {
        guard let body else { return true }
        return body.salt != nil && !body.hasControl
    }
}

extension BatchBody {
    /// The entities that the operations write.
    fileprivate var keys: Set<EntityCache.Key> { Set(operations.lazy.map(\.key)) }
}

extension CheckedBatch {
    /// The batch's log, number and hash.
    var name: BatchName { BatchName(log: header.log, number: header.number, hash: hash) }
}
