internal import GRDB
internal import Identity
public import Records

// Open spaces: joined by name, bounded, and of records that expire.
extension Replica {
    /// Returns what peers are offered of an open space; nil if it is not open here, or not of that
    /// kind. It waits for no disk.
    /// - Parameter revision: the revision of an earlier offer of this start, to get only what
    ///   changed since. All is returned if so much changed that it is not known.
    public nonisolated func offer(
        of space: SpaceID, since revision: UInt64? = nil
    ) -> OpenOffer? {
        guard let state = states[space] else { return nil }
        return state.offers?.offer(state.paths, since: revision)
    }

    /// Returns the answer to a question for a piece of a log, with the record of its author's
    /// person; nil if there is none.
    public func passing(
        _ ask: LogAsk, in space: SpaceID
    ) throws -> (author: PersonID, passed: PassedRun)? {
        guard let state = states[space], state.isOpen, let path = state.path(ask.log),
            let author = state.logs[path.rows[0]]?.person, let record = people[author]
        else { return nil }
        let passed = try read { database in
            try PieceReader(state, path, BatchTable(database: database)).piece(ask)
        }
        return passed.map { previous, run in
            (author, PassedRun(record: record.encoded, previous: previous, run: run))
        }
    }

    /// Removes what has expired from all open spaces, what blocked people wrote, and what their
    /// authors' own cuts left without effect, in one transaction. Call ``scrub()`` afterwards, as
    /// after erasing.
    /// - Throws: ``ReplicaFault``; nothing was changed then.
    @discardableResult
    public func prune(wallTime: Timestamp) throws -> OpenPruning {
        let open = states.all.filter(\.isOpen).sorted { $0.id < $1.id }
        var pruning = OpenPruning()
        let due = open.filter { $0.isPruningDue(openPeople, wallTime: wallTime) }
        let results = try prune(due, wallTime)
        for result in results where result.hasRemoved {
            pruning.spaces.append(result.space.id)
            pruning.removed += result.removed
        }
        if !results.isEmpty { recordErased(.othersErase) }
        try forgetBrought()
        pruning.nextExpiry = states.all.compactMap(\.nextExpiry).min()
        return pruning
    }

    private func prune(
        _ due: [SpaceState], _ wallTime: Timestamp
    ) throws -> [SpaceTransaction.Result] {
        guard !due.isEmpty else { return [] }
        let results = try write { database in
            try due.map { state in
                let transaction = transaction(database, state, wallTime)
                try transaction.prune()
                _ = try transaction.finish()
                return transaction.result
            }
        }
        adopt(results)
        return results
    }

    /// Sets the people whose records are retained besides those of this replica's person, and those
    /// whose records are not stored. Until the first call after a start, nothing is removed for
    /// room. What is here of blocked people goes at the next ``prune(wallTime:)``.
    /// - Parameter people: mates and people met.
    public func retain(_ people: Set<PersonID>, blocked: Set<PersonID> = []) {
        retainedPeople = people
        blockedPeople = blocked
    }

    /// Sets the people at the other ends of links. Each of them has a share of the room for unknown
    /// authors, for what they brought; see ``OpenUse/bringers``.
    public func share(among linked: Set<PersonID>) { linkedPeople = linked }

    /// The devices that retained people and this replica's person list.
    public func retainedDevices() -> Set<DeviceID> {
        let people = (retainedPeople ?? []).union(claims[device] ?? [])
        return people.reduce(into: []) { $0.formUnion(self.people[$1]?.devices ?? []) }
    }

    /// Returns what an open space takes; nil if it is not open here.
    public func use(of space: SpaceID, wallTime: Timestamp) -> OpenUse? {
        guard let state = states[space], state.isOpen else { return nil }
        let room = OpenRoom(state.totals, openPeople)
        var use = OpenUse()
        (use.bytes, use.records) = (room.total.bytes, room.total.records)
        use.unknownLogs = room.unknown.logs
        use.bringers = room.byBringer.mapValues {
            OpenUse.Share(bytes: $0.bytes, records: $0.records, logs: $0.logs)
        }
        use.fullBringers = room.full
        use.overAllowance = (overAllowance[space] ?? [:]).values
            .filter { $0.until > wallTime }.sorted { $0.log < $1.log }
        return use
    }

    /// Returns the bytes of batches that this replica's person can still write on a day, by UTC, in
    /// an open space; nil if it is not open here.
    /// - Parameter wallTime: the corrected time, on that day.
    public func dayBytesLeft(in space: SpaceID, wallTime: Timestamp) throws -> Int? {
        guard let state = states[space], state.isOpen else { return nil }
        let person = try ownPerson(in: state)
        let days = try read { database in
            try AllowanceTable(database: database, space: state.number).days(of: person)
        }
        let used = days[DayLedger.day(of: wallTime)]?.bytes ?? 0
        return max(0, Limits.openDayBytesMax - used)
    }

    /// Whether a person's record is here only because a log of an open space needs it. Such a
    /// person is a stranger otherwise.
    public func isBrought(_ person: PersonID) -> Bool { brought[person] != nil }

    /// Closes open spaces and removes everything of them, in one transaction, except the ends of
    /// this device's own logs: if a space is opened again, its log goes on with the next number.
    /// - Returns: the spaces that were closed.
    /// - Throws: ``ReplicaFault``; nothing was changed then.
    @discardableResult
    public func leave(_ spaces: [SpaceID]) throws -> [SpaceID] {
        let leaving = Set(spaces).sorted().compactMap { states[$0] }.filter(\.isOpen)
        try remove(leaving) { state, database in
            try OwnEnds(database: database).keep(of: state, device: self.device)
        }
        for state in leaving { overAllowance[state.id] = nil }
        return leaving.map(\.id)
    }

    // MARK: Internal

    /// The people whose batches are retained, own or refused in open spaces.
    var openPeople: OpenPeople {
        OpenPeople(
            retained: retainedPeople, own: Set(claims[device] ?? []), blocked: blockedPeople,
            linked: linkedPeople)
    }

    /// Forgets the people who are known only because of logs of open spaces that are gone.
    func forgetBrought() throws { try forget(brought: Array(brought.keys)) }

    /// Forgets the people among those who may have been needed for removed logs: the authors, and
    /// others who claim these devices.
    func forgetBrought(for removed: [DeviceID: PersonID]) throws {
        let claiming = removed.keys.flatMap { rivals.people(claiming: $0) }
        let people = Set(removed.values).union(claiming).filter { brought[$0] != nil }
        try forget(brought: people.sorted())
    }

    private func forget(brought people: [PersonID]) throws {
        guard !people.isEmpty else { return }
        var admission = PeopleAdmission(
            self.people, introduced, spaces: states.all, device: device)
        admission.forget(brought: people)
        _ = try apply(admission.change, .min)
    }

    /// Charges the logs of people in open spaces with the bytes of their records as they are now.
    func chargeRecords(of people: some Sequence<PersonID>) {
        let people = Array(people)
        guard !people.isEmpty else { return }
        for var state in states.all where state.isOpen {
            let changed = people.filter { person in
                guard let author = state.totals.authors[person] else { return false }
                return author.recordBytes != brought[person] ?? 0
            }
            guard !changed.isEmpty else { continue }
            for person in changed { state.setRecordBytes(brought[person] ?? 0, of: person) }
            states[state.id] = state
        }
    }

    /// Records that people are known for another reason than a log of an open space.
    func recordKnown(_ people: some Sequence<PersonID>) throws {
        guard !brought.isEmpty else { return }
        let known = people.filter { brought[$0] != nil }
        guard !known.isEmpty else { return }
        try write { database in
            for person in known {
                try database.execute(
                    sql: "UPDATE person SET brought = 0 WHERE person = ?", arguments: [person.sql])
            }
        }
        for person in known { brought[person] = nil }
        chargeRecords(of: known)
    }
}

extension SpaceState {
    /// The time at which the next batch of an open space has expired; nil if none is stored.
    var nextExpiry: Timestamp? {
        guard isOpen else { return nil }
        return logs.values.lazy.filter { $0.origin == nil && !$0.isEmpty }
            .map { Expiry.time(of: $0.lowStamp) }.min()
    }

    /// Whether an open space has batches that must go.
    fileprivate func isPruningDue(_ people: OpenPeople, wallTime: Timestamp) -> Bool {
        logs.values.contains { entry in
            !entry.isEmpty
                && (Expiry.isExpired(entry.lowStamp, wallTime: wallTime)
                    || entry.counted < entry.high || people.blocked.contains(entry.person))
        }
    }
}

extension SpaceTransaction {
    /// Removes what has expired, what blocked people wrote, and what cuts left without effect.
    fileprivate func prune() throws {
        try refreshMembership()
        for row in state.space.logs.keys.sorted() { try removeUncounted(in: row) }
        try refreshMembership()
        var hasRemoved = true
        // The sides of a fork begin logs of their own once what they share is gone.
        while hasRemoved {
            hasRemoved = false
            for (row, entry) in state.space.logs where entry.origin == nil && !entry.isEmpty {
                guard let last = try lastToPrune(of: entry) else { continue }
                try removeBeginning(of: row, through: last)
                hasRemoved = true
            }
            try refreshMembership()
        }
        try allowances.forget(before: DayLedger.day(of: wallTime) - DayLedger.daysMax)
    }

    private func lastToPrune(of entry: SpaceState.LogEntry) throws -> UInt64? {
        let isOwn = openPeople.own.contains(entry.person)
        if openPeople.blocked.contains(entry.person), !isOwn { return entry.high }
        guard Expiry.isExpired(entry.lowStamp, wallTime: wallTime),
            let last = Expiry.lastExpired(wallTime: wallTime)
        else { return nil }
        let first = try batches.first(ofLog: entry.number, after: last)
        return first.map { $0.number - 1 } ?? entry.high
    }
}

extension BatchTable {
    /// Returns the first batch of a row with a later stamp; stamps rise in a log.
    fileprivate func first(ofLog log: Int64, after stamp: Stamp) throws -> BatchPlace? {
        let rows = BatchPlace.rows(ofLog: log)
        return try PreparedStatement(
            database,
            "SELECT id FROM batch WHERE id BETWEEN ? AND ? AND stamp > ? ORDER BY id LIMIT 1"
        ).first({
            $0.append(rows.lowerBound)
            $0.append(rows.upperBound)
            $0.append(stamp)
        }) { BatchPlace(rowID: $0.integer(0)) }
    }
}
