internal import GRDB
internal import Records

// Erasing within one transaction. An erase names a batch of its author's own person; whichever of
// the two comes first, the operations are void and the body goes.
extension SpaceTransaction {
    private var missing: MissingBodies {
        MissingBodies(database: database, space: space.number)
    }

    var erasures: ErasureTable { ErasureTable(database: database, space: space.number) }

    // MARK: Batches that arrive

    /// What of an arriving batch is stored: without its body where an erase names it. A batch that
    /// comes without its body and without such an erase is counted as missing it.
    func admitted(
        _ batch: CheckedBatch, at place: BatchPlace, by person: PersonID
    ) throws -> CheckedBatch {
        if try isErased(batch.content, named: batch.name, by: person) { return batch.erased }
        if batch.body == nil { try addMissing(place) }
        return batch
    }

    /// Takes the bodies of batches that are here without theirs, unless they were erased. A body
    /// shows, too, that an erase could not concern it: then it counts again.
    func refill(_ known: some Collection<CheckedBatch>) throws {
        guard space.erasureCount + space.missingCount > 0 else { return }
        for batch in known {
            guard let body = batch.body else { continue }
            for place in try places(of: batch.name) {
                guard let author = space.author(place.log),
                    let stored = try batches.batch(at: place),
                    let content = readableContent(of: stored), content.body == nil,
                    try !isErased(batch.content, named: batch.name, by: author.person)
                else { continue }
                try batches.replaceContent(at: place, by: batch.content)
                try removeMissing(place)
                guard try !isHeld(stored) else { continue }
                try apply(
                    PlacedBatch(
                        place: place, author: author, stamp: batch.header.stamp, hash: batch.hash,
                        body: body))
            }
        }
    }

    /// Whether an erase that counts names a batch and concerns it.
    private func isErased(
        _ content: BatchContent, named name: BatchName, by person: PersonID
    ) throws -> Bool {
        guard space.erasureCount > 0, content.mayBeErased else { return false }
        return try erasures.erasers(of: name, by: person).contains(where: counts)
    }

    /// An erase counts if its batch does, whatever its author may write now.
    private func counts(_ eraser: BatchPlace) -> Bool {
        guard let row = space.namesByNumber[eraser.log] else { return false }
        return eraser.number <= space.logs[row]?.counted ?? 0
    }

    // MARK: Erases that arrive

    /// Does what the erases among the batches that will be merged say; what all erases say, where
    /// what counts may have changed.
    func settleErasures() throws {
        if mustRebuild || isJudgedAnew && space.contradicts(merged) { return try reviewErasures() }
        let fresh = applicable.filter(\.body.hasControl)
        guard !fresh.isEmpty else { return }
        try takingFromApplicable { waiting in
            for batch in fresh where counts(batch.place) {
                for name in batch.controlFacts.compactMap(\.erased) {
                    try perform(
                        .init(eraser: batch.place, author: batch.author.person, name: name),
                        waiting)
                }
            }
        }
    }

    /// Does what all erases say that count now, and counts anew which bodies are missing.
    func reviewErasures() throws {
        try takingFromApplicable { waiting in
            try erasures.forEach { if counts($0.eraser) { try perform($0, waiting) } }
        }
        try missing.clear()
        space.missingCount = 0
        for (name, entry) in space.logs {
            for place in try batches.places(withoutBodyIn: entry.number) {
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

    /// Lets erases take batches, and takes these out of what will be merged.
    /// - Parameter work: is told what waits to be merged.
    private func takingFromApplicable(_ work: (Set<BatchPlace>) throws -> Void) rethrows {
        try work(Set(applicable.lazy.map(\.place)))
        guard !erasing.places.isEmpty else { return }
        applicable.removeAll { erasing.places.contains($0.place) }
    }

    /// Where a batch is stored.
    private func places(of name: BatchName) throws -> [BatchPlace] {
        try space.rows(of: name.log.device).compactMap { row in
            guard let entry = space.logs[row], entry.low <= name.number, name.number <= entry.high
            else { return nil }
            let place = BatchPlace(log: entry.number, number: name.number)
            return try batches.hash(at: place) == name.hash ? place : nil
        }
    }

    private func perform(_ erasure: ErasureTable.Erasure, _ waiting: Set<BatchPlace>) throws {
        for place in try places(of: erasure.name) {
            guard let author = space.author(place.log), author.person == erasure.author else {
                continue
            }
            try take(place, of: author, erasure.eraser, waiting)
        }
    }

    /// Takes a batch's body, if it is here and may be erased.
    private func take(
        _ place: BatchPlace, of author: PlacedBatch.Author, _ eraser: BatchPlace,
        _ waiting: Set<BatchPlace>
    ) throws {
        // What is damaged is left to be mended, which asks for erases again.
        guard let stored = try batches.batch(at: place), let content = readableContent(of: stored)
        else { return }
        guard let body = content.body else { return try removeMissing(place) }
        guard content.mayBeErased else { return }
        if !Planted.erasedKept.isIn {
            try batches.replaceContent(at: place, by: .erased(content.bodyHash))
        }
        try requestScrub()
        erasing.hasErased = true
        erasing.gone.append(
            ErasingProgress.Gone(eraser: eraser, author: author, operations: body.operations))
        erasing.places.insert(place)
        guard try !waiting.contains(place) && !isHeld(stored) else { return }
        try forgetVerdicts(of: place, body)
        noteTouched(body)
    }

    /// Notes what must be merged again without a batch that was merged before.
    private func noteTouched(_ body: BatchBody) {
        for key in body.keys {
            // What is not declared here was never merged.
            guard let table = catalog[key.collection] else { continue }
            if table.collection.isErasable {
                erasing.touched.insert(key)
            } else {
                mustRebuild = true
            }
        }
    }

    /// What was noted about single operations of a batch.
    private func forgetVerdicts(of place: BatchPlace, _ body: BatchBody) throws {
        try database.cachedStatement(sql: "DELETE FROM void WHERE space = ? AND batch = ?")
            .execute(arguments: [space.number, place.rowID])
        space.brokenCount -= database.changesCount
        guard space.waitingCount > 0 else { return }
        let waiting = WaitingTable(database: database, space: space.number)
        for key in body.keys { space.waitingCount -= try waiting.remove(key, of: place) }
    }

    /// Says that the files may hold bytes of what was erased.
    private func requestScrub() throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO scrub VALUES (?)", arguments: [wallMilliseconds])
    }

    private func isHeld(_ stored: BatchTable.Stored) throws -> Bool {
        guard space.heldCount > 0 else { return false }
        return try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM held WHERE space = ? AND stamp = ? AND batch = ?"),
            arguments: [space.number, stored.stamp.sql, stored.place.rowID]) != nil
    }

    private func addMissing(_ place: BatchPlace) throws {
        if try missing.add(place) { space.missingCount += 1 }
    }

    private func removeMissing(_ place: BatchPlace) throws {
        guard space.missingCount > 0 else { return }
        if try missing.remove(place) { space.missingCount -= 1 }
    }
}

extension BatchContent {
    /// Whether an erase of the author's may take it: it is salted and holds no control operation.
    /// What is not here any more may be.
    var mayBeErased: Bool {
        guard let body else { return true }
        return body.salt != nil && !body.hasControl
    }
}

extension BatchBody {
    /// What the operations are about.
    fileprivate var keys: Set<EntityCache.Key> { Set(operations.lazy.map(\.key)) }
}

extension CheckedBatch {
    /// The batch by its place and hash.
    var name: BatchName { BatchName(log: header.log, number: header.number, hash: hash) }
}
