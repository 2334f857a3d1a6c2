internal import GRDB
internal import Identity
public import Records

// What erasing leaves to be done outside a transaction: asking for bodies that are missing, and
// getting the last bytes of what went out of the files.
extension Replica {
    /// How far a vector should say that the logs of a space reach where bodies are missing: a log
    /// ends before its first batch without a body, so that a peer which has it sends it again.
    ///
    /// Say it to a peer whose digest is equal: until then the erase may be on its way. A peer that
    /// misses the same bodies sends what is here already, which changes nothing.
    /// - Returns: the logs that miss a body, with the last batch before it; number 0 for none.
    public func reachesBeforeMissing(in space: SpaceID) throws -> [LogHead] {
        guard let state = states[space], state.missingCount > 0 else { return [] }
        return try read { database in
            let batches = BatchTable(database: database)
            let missing = try MissingBodies(database: database, space: state.number).all()
            var first: [LogName: UInt64] = [:]
            for place in missing {
                guard let row = state.namesByNumber[place.log],
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

    /// Gets the bytes of what was erased out of the files: free pages, the copies that SQLite
    /// leaves behind when it divides a page, and the write-ahead log. It writes the whole file
    /// anew, about 4 ms per MiB, so call it now and then and not after each erase.
    /// - Returns: whether nothing is left to do; else a reader had the write-ahead log in use.
    /// - Throws: ``ReplicaFault``; it is due still then.
    @discardableResult
    public func scrub() throws -> Bool {
        guard isScrubDue else { return true }
        let isDone = try ReplicaFault.translating(path: path) {
            try pool.writeWithoutTransaction { database in
                for index in catalog.all.compactMap(\.search) { try index.optimise(database) }
                try database.execute(sql: "VACUUM")
                guard try database.truncateLog() else { return false }
                try database.execute(sql: "DELETE FROM scrub")
                return true
            }
        }
        if isDone { isScrubDue = false }
        return isDone
    }

    /// Notes that bodies went from the disk, and empties the write-ahead log if nobody reads it.
    func noteErased(_ hasErased: Bool) {
        guard hasErased else { return }
        isScrubDue = true
        // Best effort at once: what fails here is done by ``scrub()``, which reports it.
        _ = try? pool.writeWithoutTransaction { try $0.truncateLog() }
    }

    /// Erases all batches of one's own in a space that can be erased, up to what was given.
    /// - Parameter heads: the last batch of each log to go.
    /// - Returns: the commits of the erases; none where nothing was left.
    /// - Throws: as ``author(_:in:wallMilliseconds:)`` does.
    public func eraseOwn(
        in space: SpaceID, through heads: [LogHead], wallMilliseconds: Int64
    ) throws -> [Commit] {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let person = try ownPerson(in: state)
        let names = try ownErasable(in: state, through: heads)
        return try stride(from: 0, to: names.count, by: Replica.erasesPerBatchMax).map { start in
            let some = names[start..<min(start + Replica.erasesPerBatchMax, names.count)]
            return try commit(to: states[space] ?? state, wallMilliseconds) { transaction in
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
    /// The batches of a row that can be erased and were not, and those that the disk damaged:
    /// whoever has them whole judges whether they may go.
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
    /// Brings the write-ahead log into the file and empties it.
    /// - Returns: false where a reader has it in use.
    fileprivate func truncateLog() throws -> Bool {
        do {
            _ = try checkpoint(.truncate)
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return false
        }
    }
}
