internal import GRDB
internal import Records

// Removes batches of an open space: what expired, and what makes room. It always takes the
// beginning of a log, so what stays is proven by the hash before it.
extension SpaceTransaction {
    /// Removes the first batches of a row through a number, with their effects and their bytes.
    ///
    /// A row without batches goes too, except one of this replica's own device: its last number
    /// must never be used again. If sides of a fork continue it, they begin logs of their own.
    /// The caller refreshes the membership after all removals.
    func removeBeginning(of row: LogName, through number: UInt64) throws {
        guard let entry = state.space.logs[row], !entry.isEmpty, number >= entry.low else { return }
        let wanted = min(number, entry.high)
        let stored = try batches.batch(at: BatchPlace(log: entry.number, number: wanted))
        // Nothing proves what follows a batch that the disk lost, so all of the row goes.
        // Which records it wrote is not known either.
        if stored == nil {
            state.space.damage.recordFound()
            state.mustRebuild = true
        }
        let last = stored == nil ? entry.high : wanted
        let end = (
            hash: stored?.hash ?? entry.headHash, stamp: stored?.stamp ?? entry.headStamp
        )
        let gone = try remove(entry.low...last, of: row)
        try erasures.forget(device: row.device, of: entry.person, through: last)
        let next = try batches.first(ofLog: entry.number)
        state.space.change(row) { entry in
            entry.begunCount -= gone.begunCount
            entry.bytes -= gone.bytes
            entry.summed = 0
            entry.low = last + 1
            (entry.previous, entry.previousStamp) = (end.hash, end.stamp)
            entry.lowStamp = next?.stamp ?? end.stamp
            entry.counted = max(entry.counted, last)
        }
        state.space.hasErasures = try erasures.hasAny()
        if last == entry.high { try removeEmpty(row) }
    }

    /// Removes the batches of a row beyond those that count, up to the last one that a signature
    /// must prove: without an effect, they would count again once the cut expired.
    func removeUncounted(in row: LogName) throws {
        guard let entry = state.space.logs[row], entry.counted < entry.high,
            state.space.sides(of: row).isEmpty
        else { return }
        guard entry.counts else { return try removeBeginning(of: row, through: entry.high) }
        let proven = try batches.firstSigned(
            from: BatchPlace(log: entry.number, number: entry.counted))
        guard let proven, proven.place.number < entry.high else { return }
        let gone = try remove(proven.place.number + 1...entry.high, of: row)
        state.space.change(row) { entry in
            entry.begunCount -= gone.begunCount
            entry.bytes -= gone.bytes
            entry.summed = 0
            entry.high = proven.place.number
            (entry.headHash, entry.headStamp) = (proven.hash, proven.stamp)
        }
    }

    /// Removes the batches of a log from a damaged one on, and the rows that continue them. Peers
    /// may pass them again, so they are given back to their author's days.
    func cut(_ range: DamagedRange) throws {
        let first = range.numbers.lowerBound
        for row in state.space.path(range.log)?.rows ?? [range.log] {
            guard let entry = state.space.logs[row], !entry.isEmpty, entry.high >= first else {
                continue
            }
            let division = LogDivision(database: database)
            for side in state.space.sides(of: row) { try division.drop(side, in: &state.space) }
            guard entry.low < first else {
                if entry.origin == nil {
                    try removeBeginning(of: row, through: entry.high)
                } else {
                    try division.drop(row, in: &state.space)
                }
                continue
            }
            let gone = try remove(first...entry.high, of: row)
            let end = try batches.batch(at: BatchPlace(log: entry.number, number: first - 1))
            state.space.change(row) { entry in
                entry.begunCount -= gone.begunCount
                entry.bytes -= gone.bytes
                entry.summed = 0
                entry.high = first - 1
                entry.headHash = end?.hash ?? .none
                entry.headStamp = end?.stamp ?? entry.lowStamp
                entry.counted = min(entry.counted, entry.high)
            }
        }
    }

    private func remove(
        _ numbers: ClosedRange<UInt64>, of row: LogName
    ) throws -> (begunCount: Int, bytes: Int) {
        guard let entry = state.space.logs[row] else { return (0, 0) }
        let author = PlacedBatch.Author(log: row, person: entry.person)
        var (begunCount, bytes) = (0, 0)
        var freed = FreedAllowance(by: author)
        try batches.walk(log: entry.number, after: numbers.lowerBound - 1) { stored in
            guard stored.place.number <= numbers.upperBound else { return false }
            let storedBytes = stored.encodedContent.count + Limits.batchRowBytes
            bytes += storedBytes
            let body = readableContent(of: stored)?.body
            if !Expiry.isExpired(stored.stamp, wallTime: wallTime) {
                freed.add(body, stored.stamp, bytes: storedBytes)
            }
            guard let body else { return true }
            begunCount += body.begunCount
            try unmerge(body, at: stored.place, by: author)
            return true
        }
        let first = BatchPlace(log: entry.number, number: numbers.lowerBound).rowID
        let last = BatchPlace(log: entry.number, number: numbers.upperBound).rowID
        for (table, column) in LogDivision.placeColumns {
            try database.cachedStatement(
                sql: "DELETE FROM \(table) WHERE \(column) BETWEEN ? AND ?"
            ).execute(arguments: [first, last])
            if table == "held" { state.space.heldCount -= database.changesCount }
        }
        try giveBack(freed)
        let factsCount = state.space.factsByPerson[entry.person]?.count
        state.space.mapFacts(of: entry.person) {
            $0.batch.log == row && numbers.contains($0.batch.number) ? nil : $0
        }
        if state.space.factsByPerson[entry.person]?.count != factsCount {
            markMembershipStale(by: entry.person)
        }
        state.applicable.removeAll {
            $0.place.log == entry.number && numbers.contains($0.place.number)
        }
        state.removed.hasBatches = true
        try requestScrub()
        return (begunCount, bytes)
    }

    /// Removes a row without batches.
    func removeEmpty(_ row: LogName) throws {
        guard let entry = state.space.logs[row] else { return }
        let sides = state.space.sides(of: row)
        try promote(sides, from: row, entry)
        guard row.device != device || !sides.isEmpty else { return }
        try database.execute(sql: "DELETE FROM log WHERE number = ?", arguments: [entry.number])
        state.space.remove(row)
        state.removed.logs[row.device] = entry.person
    }

    /// Makes sides of a fork logs of their own.
    private func promote(
        _ sides: [LogName], from row: LogName, _ entry: SpaceState.LogEntry
    ) throws {
        guard !sides.isEmpty else { return }
        let root = state.space.root(of: row)
        for name in state.space.rows(of: row.device) where name != root {
            guard state.space.root(of: name) == root, let side = state.space.logs[name] else {
                continue
            }
            // Headers of batches without a branch of their own name the row that is gone.
            let places = BatchPlace.rows(ofLog: side.number)
            try database.execute(
                sql: "UPDATE batch SET branch = ? WHERE id BETWEEN ? AND ? AND branch IS NULL",
                arguments: [root.branch.sql, places.lowerBound, places.upperBound])
        }
        for side in sides {
            state.space.change(side) {
                $0.origin = nil
                ($0.previous, $0.previousStamp) = (entry.headHash, entry.headStamp)
                $0.bringer = entry.bringer
            }
            if let number = state.space.logs[side]?.number {
                try database.execute(
                    sql: "UPDATE log SET parent = NULL WHERE number = ?", arguments: [number])
            }
        }
        markMembershipStale(by: entry.person)
    }

    /// Stores the columns of the changed rows that only open spaces use.
    func storeOpenRows() throws {
        for row in state.space.rowsToStore {
            guard let entry = state.space.logs[row] else { continue }
            let before = merged.logs[row]
            guard
                before?.number != entry.number || before?.low != entry.low
                    || before?.begunCount != entry.begunCount || before?.previous != entry.previous
                    || before?.previousStamp != entry.previousStamp
                    || before?.bringer != entry.bringer
            else { continue }
            try database.cachedStatement(
                sql: """
                    UPDATE log SET low = ?, previous = ?, previous_stamp = ?, bringer = ?, begun = ?
                    WHERE number = ?
                    """
            ).execute(arguments: [
                Int64(clamping: entry.low),
                entry.previous == .none ? nil : entry.previous.sql,
                entry.previousStamp?.sql, entry.bringer?.sql, entry.begunCount, entry.number,
            ])
        }
    }
}

extension BatchBody {
    /// The number of records that the batch begins.
    var begunCount: Int { hasCreate ? operations.count(where: \.action.isCreate) : 0 }
}

extension BatchTable {
    /// Returns the first batch of a row with a signature of its own, from a place on.
    fileprivate func firstSigned(
        from place: BatchPlace
    ) throws -> (place: BatchPlace, hash: BatchHash, stamp: Stamp)? {
        try PreparedStatement(
            database,
            """
            SELECT id, hash, stamp FROM batch
            WHERE id BETWEEN ? AND ? AND signature IS NOT NULL ORDER BY id LIMIT 1
            """
        ).first({
            $0.append(place.rowID)
            $0.append(BatchPlace.rows(ofLog: place.log).upperBound)
        }) { (BatchPlace(rowID: $0.integer(0)), $0.storedHash(1), $0.storedStamp(2)) }
    }
}

extension ErasureTable {
    /// Forgets the erases of a device's batches that are gone.
    fileprivate func forget(device: DeviceID, of person: PersonID, through number: UInt64) throws {
        try PreparedStatement(
            database,
            "DELETE FROM erasure WHERE space = ? AND person = ? AND device = ? AND number <= ?"
        ).run {
            $0.append(space)
            $0.append(person)
            $0.append(device)
            $0.append(Int64(clamping: number))
        }
    }
}
