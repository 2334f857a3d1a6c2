internal import GRDB
internal import Records

/// One space within one transaction: takes batches into its log and merges them at the end.
///
/// It works on a copy of the space's state, which counts only once the transaction has committed.
final class SpaceTransaction {
    private(set) var space: SpaceState
    private let database: Database
    private let catalog: Catalog
    private let device: DeviceID
    private let wallMilliseconds: Int64
    private let batches: BatchTable
    private var applicable: [PlacedBatch] = []

    /// - Parameter device: the replica's own.
    init(
        _ database: Database, _ space: SpaceState, _ catalog: Catalog, device: DeviceID,
        wallMilliseconds: Int64
    ) {
        self.database = database
        self.space = space
        self.catalog = catalog
        self.device = device
        self.wallMilliseconds = wallMilliseconds
        batches = BatchTable(database: database)
    }

    // MARK: Batches of others

    /// Takes what is new of a run into the log.
    /// - Parameter claimants: who lists the author's device as theirs.
    /// - Returns: the new numbers, or nil where all of it was here before.
    /// - Throws: the first ``BatchFault`` found, in the order membership, gap, stamps within the
    ///   run, signature, fork, stamps against the head; nothing was stored then.
    func take(_ run: Run, claimants: [PersonID]) throws -> ClosedRange<UInt64>? {
        let entry = space.logs[run.log]
        let person = try writer(of: run.log, entry, claimants)
        guard run.log.branch == .main else {
            throw BatchFault.forked(author: run.log.device, number: run.firstNumber)
        }
        let next = (entry?.high ?? 0) + 1
        guard (1...next).contains(run.firstNumber) else {
            throw BatchFault.gap(expected: next, found: run.firstNumber)
        }
        let checked = try run.check(in: space.id, after: try hash(before: run.firstNumber, entry))
        let known = try checkOverlap(checked, entry)
        let new = checked.batches.dropFirst(known)
        guard let first = new.first, let last = new.last else { return nil }
        guard entry.map({ first.header.stamp > $0.headStamp }) ?? true else {
            throw BatchFault.stampNotRising
        }
        let log = try entry?.number ?? createLog(run.log, person)
        for batch in new {
            let isLast = batch.header.number == last.header.number
            try store(batch, log, person, signature: isLast ? checked.signature : nil)
        }
        return first.header.number...last.header.number
    }

    /// Control operations change nobody's membership yet, so the space itself says who may write.
    private func writer(
        of log: LogName, _ entry: SpaceState.LogEntry?, _ claimants: [PersonID]
    ) throws(BatchFault) -> PersonID {
        let writers = claimants.filter(space.descriptor.isWriter)
        if let entry {
            guard writers.contains(entry.person) else { throw .notAMember(log.device) }
            return entry.person
        }
        guard let person = writers.first else { throw .notAMember(log.device) }
        return person
    }

    private func hash(before number: UInt64, _ entry: SpaceState.LogEntry?) throws -> BatchHash {
        guard let entry, number > 1 else { return .none }
        if number == entry.high + 1 { return entry.headHash }
        let place = BatchPlace(log: entry.number, number: number - 1)
        guard let hash = try batches.hash(at: place) else { throw RecordFault.truncated }
        return hash
    }

    /// - Returns: how many of the batches are here already.
    private func checkOverlap(
        _ run: CheckedRun, _ entry: SpaceState.LogEntry?
    ) throws -> Int {
        guard let entry else { return 0 }
        var count = 0
        for batch in run.batches {
            guard batch.header.number <= entry.high else { break }
            let place = BatchPlace(log: entry.number, number: batch.header.number)
            guard try batches.hash(at: place) == batch.hash else {
                throw BatchFault.forked(
                    author: batch.header.log.device, number: batch.header.number)
            }
            count += 1
        }
        return count
    }

    /// Merges held batches whose time has come, in the order of their stamps.
    func releaseDue() throws {
        guard space.heldCount > 0 else { return }
        let merge = OperationMerge(database, space, catalog, device: device)
        let rows = try GRDB.Row.fetchAll(
            database, sql: "SELECT stamp, batch FROM held WHERE space = ? ORDER BY stamp, batch",
            arguments: [space.number])
        for row in rows {
            let stamp = try row.stamp(0)
            guard !HybridClock.isHeld(stamp, wallMilliseconds: wallMilliseconds) else { return }
            let batch: Int64 = row[1]
            try database.execute(
                sql: "DELETE FROM held WHERE space = ? AND stamp = ? AND batch = ?",
                arguments: [space.number, stamp.sql, batch])
            space.heldCount -= 1
            space.clock.follow(stamp, wallMilliseconds: wallMilliseconds)
            applicable.append(try merge.stored(BatchPlace(rowID: batch)))
        }
    }

    // MARK: Batches of one's own

    /// Authors one batch.
    /// - Throws: ``EditFault``, or ``BatchFault`` for a batch that comes out too large.
    func author(
        _ edits: [Edit], by person: PersonID, salt: Bytes16?,
        sign: ([UInt8]) throws -> Signature
    ) throws {
        let known = OperationMerge(database, space, catalog, device: device)
        var plan = EditPlan(
            space: space, catalog: catalog, device: device, person: person, known: known)
        let body = BatchBody(try plan.operations(for: edits), salt: salt)
        let name = LogName(device: device)
        let entry = space.logs[name]
        let stamp = try nextStamp(after: entry?.headStamp)
        let run = try CheckedRun(
            authoring: body, in: space.id, log: name, number: (entry?.high ?? 0) + 1,
            previous: entry?.headHash ?? .none, epoch: 0, stamp: stamp, sign: sign)
        let log = try entry?.number ?? createLog(name, person)
        for batch in run.batches {
            try store(batch, log, person, signature: run.signature, isOwn: true)
        }
    }

    /// The log's stamps rise even after a batch of one's own that came back dated ahead.
    private func nextStamp(after head: Stamp?) throws(RecordFault) -> Stamp {
        if let head, head > space.clock.latest { space.clock = HybridClock(latest: head) }
        return try space.clock.tick(wallMilliseconds: wallMilliseconds)
    }

    // MARK: Storing

    private func createLog(_ log: LogName, _ person: PersonID) throws -> Int64 {
        try database.execute(
            sql: "INSERT INTO log (space, device, branch, person) VALUES (?, ?, ?, ?)",
            arguments: [space.number, log.device.sql, log.branch.sql, person.sql])
        return database.lastInsertedRowID
    }

    private func store(
        _ batch: CheckedBatch, _ log: Int64, _ person: PersonID, signature: Signature?,
        isOwn: Bool = false
    ) throws {
        let header = batch.header
        let place = BatchPlace(log: log, number: header.number)
        try batches.insert(batch, at: place, signature: signature, arrived: wallMilliseconds)
        var entry = space.logs[header.log] ?? SpaceState.LogEntry(number: log, person: person)
        entry.high = header.number
        entry.headHash = batch.hash
        entry.headStamp = header.stamp
        space.update(header.log, entry)
        guard isOwn || !HybridClock.isHeld(header.stamp, wallMilliseconds: wallMilliseconds) else {
            return try hold(header.stamp, place)
        }
        space.clock.follow(header.stamp, wallMilliseconds: wallMilliseconds)
        applicable.append(
            PlacedBatch(
                place: place, author: PlacedBatch.Author(log: header.log, person: person),
                stamp: header.stamp, hash: batch.hash, body: batch.body))
    }

    private func hold(_ stamp: Stamp, _ place: BatchPlace) throws {
        try database.execute(
            sql: "INSERT INTO held VALUES (?, ?, ?)",
            arguments: [space.number, stamp.sql, place.rowID])
        space.heldCount += 1
    }

    // MARK: The end

    /// Merges what was taken and brings the state up to date.
    /// - Returns: a commit for each batch that was applied.
    func finish() throws -> [Commit] {
        defer { space.refreshDigest() }
        guard !applicable.isEmpty else { return [] }
        let merge = OperationMerge(database, space, catalog, device: device)
        let commits = try merge.apply(applicable)
        space.voidCount += merge.voidCount
        space.waitingCount += merge.waitingCount
        applicable = []
        return commits
    }

    /// Empties what was merged in this space and merges its log anew.
    func rebuild() throws {
        for table in ["register", "element", "removed", "waiting", "void"]
            + catalog.all.flatMap(\.allNames)
        {
            try database.execute(
                sql: "DELETE FROM \"\(table)\" WHERE space = ?", arguments: [space.number])
        }
        space.voidCount = 0
        space.waitingCount = 0
        for log in space.namesByNumber.keys.sorted() { try replay(log: log) }
    }

    /// Batches merged at a time while rebuilding; it bounds the memory.
    private static let replayedBatchesMax = 1024

    private func replay(log: Int64) throws {
        guard let author = space.author(log) else { return }
        let held = Set(
            try Int64.fetchAll(
                database, sql: "SELECT batch FROM held WHERE space = ?", arguments: [space.number]))
        try batches.walk(log: log, after: 0) { stored in
            guard !held.contains(stored.place.rowID) else { return true }
            applicable.append(
                PlacedBatch(
                    place: stored.place, author: author, stamp: stored.stamp, hash: stored.hash,
                    body: try BatchBody(decoding: stored.body)))
            if applicable.count == SpaceTransaction.replayedBatchesMax { _ = try finish() }
            return true
        }
        _ = try finish()
    }
}
