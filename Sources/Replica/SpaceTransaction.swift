internal import GRDB
internal import Records

/// One space within one transaction: takes batches into its log and merges them at the end.
///
/// It works on a copy of the space's state, which counts only once the transaction has committed.
final class SpaceTransaction {
    var space: SpaceState
    /// The space as it was merged last.
    let merged: SpaceState
    let database: Database
    let catalog: Catalog
    let device: DeviceID
    let wallMilliseconds: Int64
    let batches: BatchTable
    /// What is stored and will be merged at the end.
    var applicable: [PlacedBatch] = []
    /// What erases took so far.
    var erasing = ErasingProgress()
    /// The last batch of one's own that was stored.
    private(set) var authored: BatchHash?
    /// Whether the membership must be judged anew before it is asked.
    var membershipIsStale = false
    /// Whether the membership was judged anew, so that what counts may have changed.
    private(set) var isJudgedAnew = false
    /// Whether rows were divided or dropped, so that what was merged names batches wrongly.
    var mustRebuild = false

    /// - Parameter device: the replica's own.
    init(
        _ database: Database, _ space: SpaceState, _ catalog: Catalog, device: DeviceID,
        wallMilliseconds: Int64
    ) {
        self.database = database
        self.space = space
        merged = space
        self.catalog = catalog
        self.device = device
        self.wallMilliseconds = wallMilliseconds
        batches = BatchTable(database: database)
    }

    // MARK: Membership

    /// Judges the membership anew if something came that it depends on.
    func refreshMembership() throws {
        guard membershipIsStale else { return }
        membershipIsStale = false
        isJudgedAnew = true
        try space.refreshMembership(batches)
    }

    var control: ControlTable { ControlTable(database: database, space: space.number) }

    // MARK: Held batches

    /// Merges held batches whose time has come, in the order of their stamps.
    func releaseDue() throws {
        guard space.hasDue(wallMilliseconds: wallMilliseconds) else { return }
        let merge = try OperationMerge(database, space, catalog, device: device)
        defer { noteDamage(metBy: merge) }
        let rows = try GRDB.Row.fetchAll(
            database, sql: "SELECT stamp, batch FROM held WHERE space = ? ORDER BY stamp, batch",
            arguments: [space.number])
        space.firstHeld = nil
        for row in rows {
            // What the disk damaged is no reason to wait; its batch says when it was written.
            let stamp = (try? row.stamp(0)) ?? Stamp(milliseconds: 0)
            guard !HybridClock.isHeld(stamp, wallMilliseconds: wallMilliseconds) else {
                space.firstHeld = stamp
                return
            }
            let batch: Int64 = row[1]
            try database.execute(
                sql: "DELETE FROM held WHERE space = ? AND stamp = ? AND batch = ?",
                arguments: [space.number, row[0] as Int64, batch])
            space.heldCount -= 1
            space.clock.follow(stamp, wallMilliseconds: wallMilliseconds)
            if let placed = try merge.stored(BatchPlace(rowID: batch)) { try apply(placed) }
        }
    }

    private func hold(_ stamp: Stamp, _ place: BatchPlace) throws {
        try PreparedStatement(database, "INSERT INTO held VALUES (?, ?, ?)").run {
            $0.append(space.number)
            $0.append(stamp)
            $0.append(place.rowID)
        }
        space.heldCount += 1
        space.firstHeld = min(space.firstHeld ?? stamp, stamp)
    }

    // MARK: Storing

    /// Makes a row for a log, or for one side of a fork.
    /// - Parameters:
    ///   - origin: the row it goes on from.
    ///   - low: the number of its first batch.
    func createRow(
        _ log: LogName, _ person: PersonID, after origin: LogName? = nil, low: UInt64 = 1
    ) throws {
        let parent = origin.flatMap { space.logs[$0]?.number }
        try database.execute(
            sql: """
                INSERT INTO log (space, device, branch, person, parent, low)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                space.number, log.device.sql, log.branch.sql, person.sql, parent,
                Int64(clamping: low),
            ])
        var entry = SpaceState.LogEntry(number: database.lastInsertedRowID, person: person)
        entry.origin = origin
        entry.low = low
        entry.high = low - 1
        entry.counted = low - 1
        entry.reach = space.membership.reach(of: log, by: person)
        space.update(log, entry)
        if !space.membership.mayWrite(person, in: log) { space.silentLogs.insert(log) }
    }

    /// Appends checked batches to a row.
    /// - Parameter signature: of the last of them.
    func store(
        _ new: [CheckedBatch], in row: LogName, signature: Signature, isOwn: Bool = false
    ) throws {
        guard var entry = space.logs[row] else { preconditionFailure("a row is made first") }
        let author = PlacedBatch.Author(log: row, person: entry.person)
        let insertion = try batches.insertion(
            root: space.root(of: row), arrived: wallMilliseconds)
        for (index, arrived) in new.enumerated() {
            let place = BatchPlace(log: entry.number, number: arrived.header.number)
            let batch = try admitted(arrived, at: place, by: entry.person)
            let isLast = index == new.count - 1
            try insertion.insert(batch, at: place, signature: isLast ? signature : nil)
            entry.append(batch)
            try note(batch, at: place, by: author, isOwn: isOwn)
        }
        space.update(row, entry)
    }

    /// Takes note of a batch that was stored.
    private func note(
        _ batch: CheckedBatch, at place: BatchPlace, by author: PlacedBatch.Author, isOwn: Bool
    ) throws {
        let stamp = batch.header.stamp
        if space.namedHashes.contains(batch.hash) { membershipIsStale = true }
        if batch.body?.hasControl ?? false { try control.note(place) }
        if isOwn { authored = batch.hash }
        let isHeld = HybridClock.isHeld(stamp, wallMilliseconds: wallMilliseconds)
        guard isOwn || !isHeld || Planted.heldAppliedEarly.isIn else {
            return try hold(stamp, place)
        }
        if !Planted.clockUnfollowed.isIn {
            space.clock.follow(stamp, wallMilliseconds: wallMilliseconds)
        }
        guard let body = batch.body else { return }
        try apply(
            PlacedBatch(
                place: place, author: author, stamp: stamp, hash: batch.hash, body: body))
    }

    /// Notes that a batch is due to be merged.
    func apply(_ batch: PlacedBatch) throws {
        applicable.append(batch)
        guard batch.body.hasControl else { return }
        let facts = batch.controlFacts
        space.erasureCount += try erasures.note(facts, at: batch.place)
        if space.learn(facts) { membershipIsStale = true }
    }

    /// Does what may turn out to be refused, and undoes it then.
    func tentatively(_ work: () throws -> Void) throws {
        let before = (space, applicable, membershipIsStale, isJudgedAnew, mustRebuild)
        do {
            try database.inSavepoint {
                try work()
                return .commit
            }
        } catch {
            (space, applicable, membershipIsStale, isJudgedAnew, mustRebuild) = before
            throw error
        }
    }

    // MARK: The end

    /// What a committed transaction leaves behind.
    struct Result {
        let space: SpaceState
        /// Whether a body that was on the disk went.
        let hasErased: Bool
    }

    /// What is left behind once this has committed; asked for after ``finish()``.
    var result: Result { Result(space: space, hasErased: erasing.hasErased) }

    /// Merges what was taken and brings the state up to date. Where control operations changed
    /// what counts of earlier batches, or a fork divided a log, the space is merged anew.
    /// - Returns: a commit for each batch that was applied for the first time.
    func finish() throws -> [Commit] {
        try refreshMembership()
        defer { space.refreshDigest() }
        if isJudgedAnew { try control.store(space.membership.members) }
        try settleErasures()
        guard mustRebuild || isJudgedAnew && space.contradicts(merged) else {
            try mergeAgain(erasing.touched)
            return try merge(counting)
        }
        let new = Set(applicable.map(\.hash))
        return try mergeAnew().filter { new.contains($0.hash) || countsNewly($0) }
    }

    /// Those of the batches to be merged that count.
    private var counting: [PlacedBatch] {
        guard space.logs.values.contains(where: { $0.counted < $0.high }) else { return applicable }
        let counted = Dictionary(
            space.logs.values.map { ($0.number, $0.counted) }, uniquingKeysWith: { $1 })
        return applicable.filter { $0.place.number <= counted[$0.place.log] ?? 0 }
    }

    /// Whether a batch was stored before and counts only now.
    private func countsNewly(_ commit: Commit) -> Bool {
        guard let before = merged.logs[commit.log], before.high >= commit.number else {
            return false
        }
        return before.counted < commit.number
    }

    /// - Parameter records: the records that are merged; nil for all.
    func merge(
        _ placed: [PlacedBatch], only records: Set<EntityCache.Key>? = nil
    ) throws -> [Commit] {
        guard !placed.isEmpty else { return [] }
        let merge = try OperationMerge(database, space, catalog, device: device, only: records)
        let commits = try merge.apply(placed, gone: erasing.gone)
        space.brokenCount += merge.voidCount
        space.waitingCount += merge.waitingCount
        noteDamage(metBy: merge)
        return commits
    }

    private func noteDamage(metBy merge: OperationMerge) {
        if merge.hasMetDamage { space.hasDamage = true }
    }

    /// What is here of a stored batch's operations; nil where the disk damaged it. Such a batch
    /// counts for nothing until it is mended, and stops nothing else.
    func readableContent(of stored: BatchTable.Stored) -> BatchContent? {
        let content = stored.readableContent
        if content == nil { space.hasDamage = true }
        return content
    }

    /// Reads the space's state from the disk again: what stands there is no longer what it was
    /// read from.
    func reload() throws {
        space = try StateLoader(database: database).space(space.number, space.descriptor)
        space.erasureCount = try erasures.fill(space.author)
    }

    /// Reads the space's state again, empties what was merged in it and merges its log anew.
    func rebuild() throws {
        try reload()
        try control.store(space.membership.members)
        try reviewErasures()
        _ = try mergeAnew()
        space.refreshDigest()
    }

    private func mergeAnew() throws -> [Commit] {
        for table in ["register", "element", "removed", "waiting", "void", "mention"]
            + catalog.all.flatMap(\.rowNames)
        {
            try PreparedStatement(database, "DELETE FROM \"\(table)\" WHERE space = ?")
                .run { $0.append(space.number) }
        }
        space.brokenCount = 0
        space.waitingCount = 0
        return try space.namesByNumber.keys.sorted().flatMap(replay)
    }

    /// Batches merged at a time while rebuilding; it bounds the memory.
    static let replayedBatchesMax = 1024

    private func replay(log: Int64) throws -> [Commit] {
        guard let author = space.author(log), let entry = space.logs[author.log] else { return [] }
        let held = Set(
            try Int64.fetchAll(
                database.cachedStatement(sql: "SELECT batch FROM held WHERE space = ?"),
                arguments: [space.number]))
        var commits: [Commit] = []
        var placed: [PlacedBatch] = []
        try batches.walk(log: log, after: entry.low - 1) { stored in
            guard stored.place.number <= entry.counted else { return false }
            guard !held.contains(stored.place.rowID) else { return true }
            guard let body = readableContent(of: stored)?.body else { return true }
            placed.append(
                PlacedBatch(
                    place: stored.place, author: author, stamp: stored.stamp, hash: stored.hash,
                    body: body))
            if placed.count == SpaceTransaction.replayedBatchesMax {
                commits += try merge(placed)
                placed = []
            }
            return true
        }
        return commits + (try merge(placed))
    }
}
