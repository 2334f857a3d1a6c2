internal import GRDB
internal import Records

// Erasing within one transaction. An erase names a batch of its author's own person; whichever of
// the two comes first, the operations are void and the body goes.
extension SpaceTransaction {
    private var missing: MissingBodies {
        MissingBodies(database: database, space: space.number)
    }

    // MARK: Batches that arrive

    /// What of an arriving batch is stored: without its body where an erase names it. A batch that
    /// comes without its body and without such an erase is counted as missing it.
    func admitted(
        _ batch: CheckedBatch, at place: BatchPlace, by person: PersonID
    ) throws -> CheckedBatch {
        if isErased(batch.content, named: batch.name, by: person) { return batch.erased }
        if batch.body == nil { try addMissing(place) }
        return batch
    }

    /// Takes the bodies of batches that are here without theirs, unless they were erased. A body
    /// shows, too, that an erase could not concern it: then it counts again.
    func refill(_ known: some Collection<CheckedBatch>) throws {
        guard space.erasures.count + space.missingCount > 0 else { return }
        for batch in known {
            guard let body = batch.body else { continue }
            for place in try places(of: batch.name) {
                guard let author = space.author(place.log),
                    let stored = try batches.batch(at: place),
                    let content = readableContent(of: stored), content.body == nil,
                    !isErased(batch.content, named: batch.name, by: author.person)
                else { continue }
                try batches.replaceContent(at: place, by: batch.content)
                try removeMissing(place)
                guard try !isHeld(place) else { continue }
                apply(
                    PlacedBatch(
                        place: place, author: author, stamp: batch.header.stamp, hash: batch.hash,
                        body: body))
            }
        }
    }

    /// Whether an erase that counts names a batch and concerns it.
    private func isErased(
        _ content: BatchContent, named name: BatchName, by person: PersonID
    ) -> Bool {
        guard space.erasures.count > 0, content.mayBeErased else { return false }
        return space.erasures.naming(name).contains { $0.author == person && counts($0) }
    }

    /// An erase counts if its batch does, whatever its author may write now.
    private func counts(_ erase: ControlFact) -> Bool {
        erase.batch.number <= space.logs[erase.batch.log]?.counted ?? 0
    }

    // MARK: Erases that arrive

    /// Does what the erases among the batches that will be merged say; what all erases say, where
    /// what counts may have changed.
    func settleErasures() throws {
        if mustRebuild || isJudgedAnew && space.contradicts(merged) { return try reviewErasures() }
        guard space.erasures.count > merged.erasures.count else { return }
        let fresh = applicable.filter(\.body.hasControl).flatMap(\.controlFacts)
        for fact in fresh where counts(fact) { try perform(fact) }
    }

    /// Does what all erases say that count now, and counts anew which bodies are missing.
    func reviewErasures() throws {
        for fact in space.erasures.all where counts(fact) { try perform(fact) }
        try missing.clear()
        space.missingCount = 0
        for (name, entry) in space.logs {
            for place in try batches.places(withoutBodyIn: entry.number) {
                guard let stored = try batches.batch(at: place) else { continue }
                let batch = BatchName(log: name, number: place.number, hash: stored.hash)
                if try !isErased(stored.content(), named: batch, by: entry.person) {
                    try addMissing(place)
                }
            }
        }
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

    private func perform(_ erase: ControlFact) throws {
        guard let name = erase.erased else { return }
        for place in try places(of: name) where space.author(place.log)?.person == erase.author {
            try take(place, erase)
        }
    }

    /// Takes a batch's body, if it is here and may be erased.
    private func take(_ place: BatchPlace, _ erase: ControlFact) throws {
        guard let stored = try batches.batch(at: place), let author = space.author(place.log)
        else { return }
        // What is damaged is left to be mended, which asks for erases again.
        guard let content = readableContent(of: stored) else { return }
        guard let body = content.body else { return try removeMissing(place) }
        guard content.mayBeErased else { return }
        if !Planted.erasedKept.isIn {
            try batches.replaceContent(at: place, by: .erased(content.bodyHash))
        }
        try requestScrub()
        try forgetVerdicts(of: place)
        erasing.hasErased = true
        erasing.gone.append(
            ErasingProgress.Gone(eraser: erase.batch, author: author, operations: body.operations))
        let isMerged = try !applicable.contains { $0.place == place } && !isHeld(place)
        applicable.removeAll { $0.place == place }
        if isMerged { mustRebuild = true }
    }

    /// What was noted about single operations of a batch.
    private func forgetVerdicts(of place: BatchPlace) throws {
        for (table, count) in [("void", \SpaceState.brokenCount), ("waiting", \.waitingCount)] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE space = ? AND batch = ?",
                arguments: [space.number, place.rowID])
            space[keyPath: count] -= database.changesCount
        }
    }

    /// Says that the files may hold bytes of what was erased.
    private func requestScrub() throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO scrub VALUES (?)", arguments: [wallMilliseconds])
    }

    private func isHeld(_ place: BatchPlace) throws -> Bool {
        guard space.heldCount > 0 else { return false }
        return try Int.fetchOne(
            database, sql: "SELECT 1 FROM held WHERE space = ? AND batch = ?",
            arguments: [space.number, place.rowID]) != nil
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

extension CheckedBatch {
    /// The batch by its place and hash.
    var name: BatchName { BatchName(log: header.log, number: header.number, hash: hash) }
}
