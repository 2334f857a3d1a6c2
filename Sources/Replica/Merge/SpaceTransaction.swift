internal import GRDB
internal import Records

/// One space within one transaction: stores batches in its log and merges them at the end.
///
/// It works on a copy of the space's state, which is adopted only after the transaction has
/// committed.
final class SpaceTransaction {
    /// The effects of the transaction so far.
    var state: TransactionState
    /// The state of the space that the tables show.
    let merged: SpaceState
    let database: Database
    let catalog: Catalog
    let device: DeviceID
    let wallTime: Timestamp
    let batches: BatchTable
    /// The people who matter to the room of an open space.
    var openPeople = OpenPeople()
    /// Tells which operations of the new batches will wait.
    var forecast: WaitingForecast

    /// - Parameter device: the replica's own device.
    init(
        _ database: Database, _ space: SpaceState, _ catalog: Catalog, device: DeviceID,
        wallTime: Timestamp
    ) {
        self.database = database
        state = TransactionState(space: space, device: device)
        merged = space
        self.catalog = catalog
        self.device = device
        self.wallTime = wallTime
        batches = BatchTable(database: database)
        forecast = WaitingForecast(database: database, space: space.number)
    }

    // MARK: Membership

    /// Judges the membership again if the facts it depends on have changed.
    func refreshMembership() throws {
        if isOpen { return try refreshOpenMembership() }
        guard state.membershipIsStale else { return }
        state.membershipIsStale = false
        state.isJudgedAnew = true
        try state.space.refreshMembership(batches)
    }

    private func storeMembership() throws {
        try control.store(state.space.membership.members)
        guard try control.storeAuthors(state.space) else { return }
        state.space.hasErasures = try erasures.fill(state.space.author)
    }

    var control: ControlTable { ControlTable(database: database, space: state.space.number) }

    // MARK: Held batches

    /// Merges held batches that are due, in the order of their stamps. If the whole space must be
    /// merged again because of them, the space owes that work, and the next batches wait until it
    /// is paid.
    func releaseDue() throws {
        guard state.space.hasDue(wallTime: wallTime) else { return }
        state.isOwedBySpace = true
        let merge = try OperationMerge(database, state.space, catalog, device: device)
        defer { recordDamage(foundBy: merge) }
        for (stamp, place) in try held.removeAll(through: HybridClock.lastDue(wallTime: wallTime)) {
            state.space.heldCount -= 1
            state.space.clock.follow(stamp, wallTime: wallTime)
            if let placed = try merge.stored(place) { try apply(placed) }
        }
        state.space.firstHeld = try held.first()
    }

    var held: HeldTable { HeldTable(database: database, space: state.space.number) }

    private func hold(_ stamp: Stamp, _ place: BatchPlace) throws {
        try held.insert(stamp, place)
        state.space.heldCount += 1
        state.space.firstHeld = min(state.space.firstHeld ?? stamp, stamp)
    }

    // MARK: Storing

    /// Creates a row for a log, or for one side of a fork.
    /// - Parameters:
    ///   - origin: the row that it continues.
    ///   - low: the number of its first batch.
    func createRow(
        _ log: LogName, _ person: PersonID, after origin: LogName? = nil, low: UInt64 = 1
    ) throws {
        let parent = origin.flatMap { state.space.logs[$0]?.number }
        try database.execute(
            sql: """
                INSERT INTO log (space, device, branch, person, parent, low)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                state.space.number, log.device.sql, log.branch.sql, person.sql, parent,
                Int64(clamping: low),
            ])
        var entry = SpaceState.LogEntry(number: database.lastInsertedRowID, person: person)
        entry.origin = origin
        entry.low = low
        entry.high = low - 1
        entry.counted = low - 1
        entry.reach = state.space.membership.reach(of: log, by: person)
        state.space.update(log, entry)
        if !state.space.membership.mayWrite(person, in: log) { state.space.silentLogs.insert(log) }
    }

    /// Appends checked batches to a row.
    /// - Parameter signature: the signature of the last of them.
    func store(
        _ new: [CheckedBatch], in row: LogName, signature: Signature, isOwn: Bool = false
    ) throws {
        guard var entry = state.space.logs[row] else {
            preconditionFailure("a row must be created before its batches")
        }
        let author = PlacedBatch.Author(log: row, person: entry.person)
        let insertion = try batches.insertion(
            root: state.space.root(of: row), arrived: wallTime)
        for (index, arrived) in new.enumerated() {
            let place = BatchPlace(log: entry.number, number: arrived.header.number)
            let batch = try admitted(arrived, at: place, by: entry.person)
            let isLast = index == new.count - 1
            try insertion.insert(batch, at: place, signature: isLast ? signature : nil)
            if isOpen {
                if arrived.header.number == entry.low { entry.lowStamp = arrived.header.stamp }
                entry.begunCount += batch.body?.begunCount ?? 0
            }
            entry.append(batch)
            try recordStored(batch, at: place, by: author, isOwn: isOwn)
        }
        // Batches that lack their body were counted meanwhile.
        entry.rows = state.space.logs[row]?.rows ?? entry.rows
        state.space.update(row, entry)
    }

    /// Updates the state for one stored batch, and holds it or lets it be merged.
    func recordStored(
        _ batch: CheckedBatch, at place: BatchPlace, by author: PlacedBatch.Author, isOwn: Bool
    ) throws {
        let stamp = batch.header.stamp
        if state.space.namedHashes.contains(batch.hash) {
            state.space.forgetPlaces()
            markMembershipStale(by: author.person)
        }
        if batch.body?.hasControl ?? false { try control.insert(place) }
        if isOwn { state.authored = batch.hash }
        let isHeld = HybridClock.isHeld(stamp, wallTime: wallTime)
        guard isOwn || !isHeld else { return try hold(stamp, place) }
        // Strangers must not date this person's batches ahead.
        if !isOpen { state.space.clock.follow(stamp, wallTime: wallTime) }
        guard let body = batch.body else { return }
        try apply(
            PlacedBatch(
                place: place, author: author, stamp: stamp, hash: batch.hash, body: body))
    }

    /// Adds a batch to those that are merged at the end.
    func apply(_ batch: PlacedBatch) throws {
        state.applicable.append(batch)
        state.operationsCount += batch.body.operations.count
        guard batch.body.hasControl else { return }
        let facts = batch.controlFacts
        if try erasures.insert(facts, at: batch.place) { state.space.hasErasures = true }
        if state.space.learn(facts) { markMembershipStale(by: batch.author.person) }
    }

    /// Records that control operations of a person, or batches that these name, arrived or are
    /// gone.
    func markMembershipStale(by person: PersonID) {
        if isOpen { state.stalePeople.insert(person) } else { state.membershipIsStale = true }
    }

    /// Runs a step that may be refused. If it throws, its effects are undone, except that damage it
    /// found stays recorded: that damage is on the disk in any case.
    func tentatively(_ step: () throws -> Void) throws {
        let (saved, savedForecast) = (state, forecast)
        do {
            try database.inSavepoint {
                try step()
                return .commit
            }
        } catch {
            let damage = state.space.damage
            (state, forecast) = (saved, savedForecast)
            state.space.damage = damage
            throw error
        }
    }

    /// Whether the tables show batches that no longer count, or refer to batches by outdated
    /// places.
    var mustRemergeAll: Bool {
        state.mustRebuild
            || !isOpen && state.isJudgedAnew && state.space.contradicts(merged)
    }

    // MARK: The end

    /// The effects of a committed transaction.
    struct Result {
        let space: SpaceState
        /// The people who erased bodies that were on the disk.
        let erasers: Set<PersonID>
        /// The changed records of an open space of which batches were removed.
        var removed: [RecordChange] = []
        /// Whether batches were removed.
        var hasRemoved = false
        /// The authors of whole logs that were removed, by device.
        var removedLogs: [DeviceID: PersonID] = [:]
        /// The content that only erased records named in the space.
        var closedContent: Set<BlobHash> = []
    }

    /// The effects of this transaction, once it has committed; valid after ``finish()``.
    var result: Result {
        Result(
            space: state.space, erasers: Set(state.erasing.batches.lazy.map(\.author.person)),
            removed: state.removed.changes, hasRemoved: state.removed.hasBatches,
            removedLogs: state.removed.logs,
            closedContent: state.closedContent)
    }

    /// Merges the new batches and updates the state. If control operations changed which earlier
    /// batches count, or a fork divided a log, the whole space is merged again.
    /// - Returns: a commit for each batch that was applied for the first time, and for each that
    ///   counts for another person now.
    func finish() throws -> [Commit] {
        try refreshMembership()
        defer { state.space.refreshDigest() }
        let commits = try mergeAll()
        try closeErasedContent()
        try settleOpenContent()
        recordWork()
        try storeBytes()
        try storeRowCounts()
        if isOpen { try storeOpenRows() }
        return commits
    }

    private func recordWork() {
        let units = state.work.units
        if units > 0 { state.space.lastRebuildUnits = units }
        guard state.isOwedBySpace, !state.isCharged else { return }
        let owed = state.remerged.values.reduce(units) { $0 + $1.units }
        guard owed > 0 else { return }
        state.space.rebuildDebt.add(owed, wallTime: wallTime)
    }

    private func mergeAll() throws -> [Commit] {
        if state.isJudgedAnew { try storeMembership() }
        try applyNewErasures()
        guard mustRemergeAll else {
            try remergeTouched()
            return try merge(counting)
        }
        let new = Set(state.applicable.map(\.hash))
        let logs = logsAttributedAnew
        let commits = try remergeAll().filter {
            new.contains($0.hash) || !logs.contains($0.log) && countsNewly($0)
        }
        return try commits + commitsAttributedAnew(in: logs).filter { !new.contains($0.hash) }
    }

    /// The batches to be merged that count.
    private var counting: [PlacedBatch] {
        var counted: [Int64: UInt64] = [:]
        for log in Set(state.applicable.lazy.map(\.place.log)) {
            counted[log] = state.space.namesByNumber[log].flatMap { state.space.logs[$0]?.counted }
        }
        return state.applicable.filter { $0.place.number <= counted[$0.place.log] ?? 0 }
    }

    /// Whether a batch was stored before and counts only now.
    private func countsNewly(_ commit: Commit) -> Bool {
        guard let before = merged.logs[commit.log], before.high >= commit.number else {
            return false
        }
        return before.counted < commit.number
    }

    /// - Parameter records: the records to merge; nil for all.
    func merge(
        _ placed: [PlacedBatch], only records: Set<EntityCache.Key>? = nil
    ) throws -> [Commit] {
        guard !placed.isEmpty else { return [] }
        let merge = try OperationMerge(
            database, state.space, catalog, device: device, only: records)
        let commits = try merge.apply(placed, erased: state.erasing.batches)
        state.space.count(merge.rows)
        recordDamage(foundBy: merge)
        return commits
    }

    private func recordDamage(foundBy merge: OperationMerge) {
        if merge.hasFoundDamage { state.space.damage.recordFound() }
    }

    /// Returns the content of a stored batch; nil if it is damaged. Such a batch is ignored until
    /// it is mended.
    func readableContent(of stored: BatchTable.Stored) -> BatchContent? {
        let content = stored.readableContent
        if content == nil { state.space.damage.recordFound() }
        return content
    }
}
