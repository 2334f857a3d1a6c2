internal import GRDB
internal import Identity
public import Records

// The parts of erasing outside a transaction: requests for missing bodies, and removal of the last
// erased bytes from the files.
extension Replica {
    /// Returns the ends that a vector should claim for logs with missing bodies: a log ends before
    /// its first batch without a body, so that a peer which has the body sends it again.
    ///
    /// Send it to a peer with an equal digest only: before that, the erase may still arrive. A peer
    /// that misses the same bodies sends known content, which changes nothing.
    /// - Returns: the logs with a missing body, and the last batch before it; number 0 for none.
    public func reachesBeforeMissing(in space: SpaceID) throws -> [LogHead] {
        guard let state = states[space], state.missingCount > 0 else { return [] }
        return try read { database in
            let batches = BatchTable(database: database)
            let missing = MissingBodies(database: database, space: state.number)
            var first: [LogName: UInt64] = [:]
            for (row, entry) in state.logs where entry.rows.missing > 0 {
                // Nobody sends a body for a batch beyond a cut.
                let last = BatchPlace(log: entry.number, number: entry.counted)
                guard let place = try missing.first(through: last),
                    let log = state.path(containing: row)?.state.log
                else { continue }
                first[log] = min(first[log] ?? place.number, place.number)
            }
            return try first.map { log, number in
                let before = state.place(of: log, number: number - 1)
                let hash = try before.flatMap(batches.hash)
                return LogHead(log: log, number: number - 1, hash: hash ?? .none)
            }.sorted()
        }
    }

    /// Removes erased bytes from the files: from free pages, from the copies that SQLite leaves
    /// when it splits a page, and from the write-ahead log. It rewrites the whole file, about 4 ms
    /// per MiB, so call it occasionally and not after each erase.
    /// - Returns: whether all is done; if not, a reader used the write-ahead log.
    /// - Throws: ``ReplicaFault``; the scrub is still due then. It does not begin on a disk without
    ///   room for a copy of the file and a write-ahead log of its length.
    @discardableResult
    public func scrub() throws -> Bool {
        guard dueScrub != nil else { return true }
        guard try hasRoomToScrub() else { throw ReplicaFault.diskFull(path: path) }
        let isDone = try ReplicaFault.translating(path: path) {
            try pool.writeWithoutTransaction { database in
                for index in catalog.all.compactMap(\.indexes) { try index.scrub(database) }
                try database.execute(sql: "VACUUM")
                guard try database.truncateLog() else { return false }
                try database.execute(sql: "DELETE FROM scrub")
                return true
            }
        }
        if isDone { dueScrub = nil }
        return isDone
    }

    private func hasRoomToScrub() throws -> Bool {
        guard let free = diskSpace.freeBytes(at: path) else { return true }
        let fileBytes = try read { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return count * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
        return free >= Limits.scrubFilesCount * fileBytes
    }

    /// Records that bodies were removed, and truncates the write-ahead log if it has no reader.
    /// - Parameter cause: the people who erased them; nothing was removed if nil.
    func recordErased(_ cause: DueScrub?) {
        guard let cause else { return }
        if dueScrub != .ownErase { dueScrub = cause }
        // Best effort: if it fails, ``scrub()`` does it later and reports the error.
        _ = try? pool.writeWithoutTransaction { try $0.truncateLog() }
    }

    /// Erases all erasable batches of this person in a space, up to given heads.
    /// - Parameter heads: the last batch to erase of each log.
    /// - Returns: the commits of the erases; none if there was nothing to erase.
    /// - Throws: the same as ``author(_:in:wallTime:)``.
    public func eraseOwn(
        in space: SpaceID, through heads: [LogHead], wallTime: Timestamp
    ) throws -> [Commit] {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let person = try ownPerson(in: state)
        let names = try ownErasable(in: state, through: heads)
        return try stride(from: 0, to: names.count, by: Replica.erasesPerBatchMax).map { start in
            let some = names[start..<min(start + Replica.erasesPerBatchMax, names.count)]
            return try commit(to: states[space] ?? state, wallTime) { transaction in
                try transaction.erase(some, by: person) { try key.sign($0) }
            }
        }
    }

    /// Erases in one batch: each has up to 105 bytes, and a batch 64 KiB.
    static let erasesPerBatchMax = 512

    private func ownErasable(
        in state: SpaceState, through heads: [LogHead]
    ) throws -> [BatchName] {
        let person = try ownPerson(in: state)
        return try read { database in
            let batches = BatchTable(database: database)
            return try heads.sorted().flatMap { head -> [BatchName] in
                try (state.path(head.log)?.rows ?? []).flatMap { row -> [BatchName] in
                    guard let entry = state.logs[row], entry.person == person else { return [] }
                    return try batches.erasable(in: entry, of: head.log, through: head.number)
                }
            }
        }
    }
}

extension BatchTable {
    /// Returns the batches of a row that can be erased and are not yet, and the damaged ones: a
    /// replica with an intact copy decides whether those may be erased.
    fileprivate func erasable(
        in entry: SpaceState.LogEntry, of log: LogName, through last: UInt64
    ) throws -> [BatchName] {
        var names: [BatchName] = []
        try walk(log: entry.number, after: entry.low - 1) { stored in
            guard stored.place.number <= last else { return false }
            let content = stored.readableContent
            if content == nil || content?.body != nil && content?.mayBeErased == true {
                names.append(
                    BatchName(log: log, number: stored.place.number, hash: stored.hash))
            }
            return true
        }
        return names
    }
}

extension Database {
    /// Copies the write-ahead log into the file and truncates it.
    /// - Returns: false if a reader uses it.
    fileprivate func truncateLog() throws -> Bool {
        do {
            _ = try checkpoint(.truncate)
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return false
        }
    }
}
