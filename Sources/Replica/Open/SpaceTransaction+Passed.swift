internal import Records

/// The reasons for which a piece of a log of an open space is not stored.
enum PassedRefusal: Error {
    case overAllowance(until: Timestamp)
    case noShare
    case noRoom
    case expired
    /// All batches were here, and the author is a stranger, so the record is not stored either.
    case nothingNew(OfferedLog?)
}

// Stores pieces of logs of open spaces.
//
// Example: 11 to 20 of Ann's log are here, with the hash of 10. A piece with 21 to 25 continues the
// log, one with 6 to 10 comes before it if the hash of its last batch is the one that is here. A
// piece with 31 to 40 touches nothing: of a retained author it waits, unless the author passes it;
// of another one it takes the place of 11 to 20.
extension SpaceTransaction {
    /// A piece that arrived, checked against the hash before it.
    struct Passed {
        let log: LogName
        let previous: BatchHash
        let run: CheckedRun
        let person: PersonID
        /// The person at the other end of the link.
        let sender: PersonID
        /// The person in whose share a new log is.
        var bringer: PersonID
        /// The bytes that the author's record takes if it is stored because of this piece.
        let recordBytes: Int

        var first: UInt64 { run.batches[0].header.number }
        var last: CheckedBatch { run.batches[run.batches.count - 1] }
    }

    /// The place of a piece among the stored batches.
    private enum Position {
        /// After a stored batch, or at the end of this device's own log.
        case after(Junction)
        /// Directly before the first batch of a row.
        case before(LogName)
        /// The log is not here.
        case new
        /// After a row's end, with batches missing in between.
        case beyond(LogName)
    }

    /// Stores what is new of a piece.
    /// - Returns: whether anything was new.
    /// - Throws: ``PassedRefusal``, or the first ``BatchFault`` found, in the order gap, stamps
    ///   against stored ones, missing bodies, a removed device's missing cut, cuts, dates ahead,
    ///   forks; nothing was stored then.
    func receive(_ passed: Passed, _ people: OpenPeople) throws -> Bool {
        try refreshMembership()
        let position = try position(of: passed)
        switch position {
        case .after(var junction):
            try follow(passed.run, from: &junction)
            let new = Array(passed.run.batches.dropFirst(junction.knownCount))
            guard let first = new.first else { return false }
            if isFork(junction) {
                try fork(new, passed, after: junction, people)
                return true
            }
            try requireRising(first, after: state.space.logs[junction.row])
            try append(new, passed, to: junction.row, people)
        case .before(let row): try prepend(passed, to: row, people)
        case .new:
            try begin(passed, people)
        case .beyond(let row):
            guard mayReplace(passed, people), state.space.sides(of: row).isEmpty,
                state.space.logs[row]?.origin == nil,
                !isExpired(passed.last)
            else { throw gap(passed) }
            try requireAllowed(passed.run.batches, passed)
            // A log stays in the share of the person who first brought it.
            var passed = passed
            passed.bringer = state.space.logs[row]?.bringer ?? passed.bringer
            try removeBeginning(of: row, through: .max)
            try refreshMembership()
            try begin(passed, people)
        }
        return true
    }

    /// Whether a piece that touches nothing may take the place of what is here of its log. Of a
    /// retained author it may if it comes from the author: an author who left the space before
    /// their last batch had reached anyone, and joined again, is the only one who could fill the
    /// gap.
    private func mayReplace(_ passed: Passed, _ people: OpenPeople) -> Bool {
        !people.isRetained(passed.person)
            || passed.sender == passed.person && passed.log.device != device
    }

    private func gap(_ passed: Passed) -> BatchFault {
        let highest = state.space.rows(of: passed.log.device).compactMap {
            state.space.logs[$0]?.high
        }.max()
        return .gap(expected: (highest ?? 0) + 1, found: passed.first)
    }

    private func position(of passed: Passed) throws -> Position {
        let rows = state.space.rows(of: passed.log.device)
        guard !rows.isEmpty else { return .new }
        let number = passed.first - 1
        for row in rows {
            guard let entry = state.space.logs[row], number <= entry.high else { continue }
            if number == entry.low - 1, entry.origin == nil {
                guard entry.previous == passed.previous else { continue }
                // A log that forks where it begins here cannot be divided.
                let isSame =
                    try entry.isEmpty
                    || hash(entry.low, in: entry) == passed.run.batches[0].hash
                guard isSame || number == 0 else { throw gap(passed) }
                return .after(Junction(row: row, number: number, hash: passed.previous))
            }
            guard number >= entry.low, try hash(number, in: entry) == passed.previous else {
                continue
            }
            return .after(Junction(row: row, number: number, hash: passed.previous))
        }
        for row in rows {
            guard let entry = state.space.logs[row], entry.origin == nil, passed.first < entry.low
            else { continue }
            let offset = entry.low - 1 - passed.first
            guard offset < UInt64(passed.run.batches.count),
                passed.run.batches[Int(offset)].hash == entry.previous
            else { continue }
            return .before(row)
        }
        let row = rows.max { state.space.logs[$0]?.high ?? 0 < state.space.logs[$1]?.high ?? 0 }
        guard let row, let entry = state.space.logs[row], number > entry.high else {
            throw gap(passed)
        }
        // A device that was restored may know less of its own log than its peers do. Everything
        // that it knows has expired.
        return entry.isEmpty ? .new : .beyond(row)
    }

    // MARK: Rules

    private func requireRising(
        _ first: CheckedBatch, after entry: SpaceState.LogEntry?
    ) throws(BatchFault) {
        guard let entry, entry.high > 0, first.header.stamp <= entry.headStamp else { return }
        throw .stampNotRising
    }

    /// Refuses batches of removed devices and beyond cuts, and those dated ahead: if they were
    /// held, they would take room for as long as their author likes.
    private func requireAllowed(_ new: [CheckedBatch], _ passed: Passed) throws {
        try requireCut(of: passed.log, by: passed.person)
        guard let first = new.first, let last = new.last else { return }
        let reach = state.space.membership.reach(of: passed.log, by: passed.person)
        guard first.header.number <= reach else { throw BatchFault.beyondCut(passed.log.device) }
        guard !HybridClock.isHeld(last.header.stamp, wallTime: wallTime) else {
            throw PassedRefusal.overAllowance(until: HybridClock.due(last.header.stamp))
        }
    }

    /// Charges the author and makes room.
    /// - Parameter forkRows: the number of rows that a fork adds.
    /// - Returns: the person in whose share the log is, if its author is unknown.
    @discardableResult
    private func admit(
        _ new: [CheckedBatch], _ passed: Passed, in row: LogName, forkRows: Int = 0,
        _ people: OpenPeople
    ) throws -> PersonID {
        try requireAllowed(new, passed)
        let author = PlacedBatch.Author(log: row, person: passed.person)
        if let until = try charge(new, by: author) {
            throw PassedRefusal.overAllowance(until: until)
        }
        let entry = state.space.logs[row]
        var need = OpenRoom.Amount(
            bytes: new.reduce(0) { $0 + $1.content.storedBytes },
            records: new.reduce(0) { $0 + ($1.body?.begunCount ?? 0) })
        state.space.setRecordBytes(passed.recordBytes, of: passed.person)
        let bringer = entry?.bringer ?? passed.bringer
        guard !people.isRetained(passed.person) else {
            if let refusal = try makeRoom(for: need, by: nil, besides: row, people) {
                throw refusal
            }
            return bringer
        }
        need.logs = forkRows > 0 ? forkRows : entry?.isEmpty ?? true ? 1 : 0
        need.bytes += need.logs * passed.recordBytes
        return try makeRoom(for: need, by: bringer, or: passed.sender, besides: row, people)
    }

    // MARK: Storing

    private func append(
        _ new: [CheckedBatch], _ passed: Passed, to row: LogName, _ people: OpenPeople
    ) throws {
        guard let entry = state.space.logs[row] else { return }
        guard new.contains(where: { !isExpired($0) }) else { throw PassedRefusal.expired }
        if isExpired(new[0]) {
            // The stored batches are older, so they have expired too.
            try removeBeginning(of: row, through: entry.high)
            try refreshMembership()
            return try begin(usable(new, of: passed), passed, people)
        }
        try requireExplained(new, of: passed)
        try admit(new, passed, in: row, people)
        try store(new, in: row, signature: passed.run.signature)
    }

    private func begin(_ passed: Passed, _ people: OpenPeople) throws {
        try begin(usable(passed.run.batches, of: passed), passed, people)
    }

    /// Begins a row, or goes on with the empty one of this device's own log.
    private func begin(
        _ fresh: [CheckedBatch], _ passed: Passed, _ people: OpenPeople
    ) throws {
        guard let first = fresh.first else { throw PassedRefusal.expired }
        let known = state.space.rows(of: passed.log.device).first {
            state.space.logs[$0]?.isEmpty ?? false
        }
        let row = known ?? passed.log
        let bringer = try admit(fresh, passed, in: row, people)
        if state.space.logs[row] == nil {
            try createRow(row, passed.person, low: first.header.number)
        }
        state.space.change(row) { entry in
            entry.low = first.header.number
            entry.high = first.header.number - 1
            entry.counted = entry.high
            entry.previous = first.header.previous
            entry.previousStamp = nil
            entry.bringer = bringer
        }
        try store(fresh, in: row, signature: passed.run.signature)
    }

    /// Stores the batches directly before a row's first.
    private func prepend(_ passed: Passed, to row: LogName, _ people: OpenPeople) throws {
        guard let entry = state.space.logs[row] else { return }
        let new = try usable(
            passed.run.batches.filter { $0.header.number < entry.low }, of: passed)
        guard let first = new.first, let last = new.last else { throw PassedRefusal.expired }
        guard entry.isEmpty || last.header.stamp < entry.lowStamp else {
            throw BatchFault.stampNotRising
        }
        try admit(new, passed, in: row, people)
        // Making room may have removed nothing of this row.
        let author = PlacedBatch.Author(log: row, person: entry.person)
        let insertion = try batches.insertion(root: row, arrived: wallTime)
        let isSigned = passed.last.header.number == last.header.number
        var stored: [CheckedBatch] = []
        for batch in new {
            let place = BatchPlace(log: entry.number, number: batch.header.number)
            let admitted = try admitted(batch, at: place, by: entry.person)
            let signature = isSigned && batch.hash == last.hash ? passed.run.signature : nil
            try insertion.insert(admitted, at: place, signature: signature)
            stored.append(admitted)
        }
        state.space.change(row) { entry in
            entry.low = first.header.number
            (entry.previous, entry.previousStamp) = (first.header.previous, nil)
            entry.lowStamp = first.header.stamp
            entry.bytes += stored.reduce(0) { $0 + $1.content.storedBytes }
            entry.begunCount += stored.reduce(0) { $0 + ($1.body?.begunCount ?? 0) }
            entry.summed = 0
            entry.counted = max(entry.counted, min(entry.high, entry.reach))
            if entry.bringer == nil { entry.bringer = passed.bringer }
        }
        for batch in stored {
            let place = BatchPlace(log: entry.number, number: batch.header.number)
            try recordStored(batch, at: place, by: author, isOwn: false)
        }
    }

    /// Stores a second batch of one number: both sides become rows of their own. Only what this
    /// person wrote is merged again. No side is ever dropped for another: at most
    /// ``Limits/forkSidesMax`` are stored, the first ones that arrive.
    private func fork(
        _ new: [CheckedBatch], _ passed: Passed, after junction: Junction, _ people: OpenPeople
    ) throws {
        guard let first = new.first, let entry = state.space.logs[junction.row] else { return }
        let side = LogName(
            device: passed.log.device, branch: BranchName(raw: first.hash.raw))
        let ends = state.space.rows(of: side.device).count { state.space.sides(of: $0).isEmpty }
        guard state.space.logs[side] == nil, ends < Limits.forkSidesMax else {
            throw BatchFault.forked(author: side.device, number: first.header.number)
        }
        guard !isExpired(first) else { throw PassedRefusal.expired }
        try requireExplained(new, of: passed)
        if let stamp = try stamp(of: junction), first.header.stamp <= stamp {
            throw BatchFault.stampNotRising
        }
        // The new side, and the other one if it is not a row yet. Without a shared batch, the row
        // that they continue goes.
        let isDividing = junction.number < entry.high && junction.number >= entry.low
        let bringer = try admit(
            new, passed, in: junction.row, forkRows: isDividing ? 2 : 1, people)
        if junction.number < entry.high {
            try unmerge(junction.row, junction.number + 1...entry.high, by: entry.person)
            try divide(junction.row, after: junction.number)
        }
        try createRow(side, passed.person, after: junction.row, low: first.header.number)
        state.space.change(side) {
            $0.lowStamp = first.header.stamp
            $0.bringer = bringer
        }
        markMembershipStale(by: passed.person)
        try refreshMembership()
        try store(new, in: side, signature: passed.run.signature)
        // The sides share no batch.
        if junction.number < entry.low { try removeEmpty(junction.row) }
    }

    /// Moves the batches of a row after a number to a new row, and has them merged there.
    private func divide(_ row: LogName, after number: UInt64) throws {
        guard let before = state.space.logs[row] else { return }
        try LogDivision(database: database)
            .divide(row, after: number, in: &state.space, own: device)
        guard
            let end = state.space.sides(of: row).first(where: {
                state.space.logs[$0]?.low == number + 1
            }), let entry = state.space.logs[end]
        else { return }
        var begunCount = 0
        let author = PlacedBatch.Author(log: end, person: entry.person)
        try batches.walk(log: entry.number, after: number) { stored in
            guard let body = readableContent(of: stored)?.body else { return true }
            begunCount += body.begunCount
            guard stored.place.number <= before.counted else { return true }
            state.applicable.append(
                PlacedBatch(
                    place: stored.place, author: author, stamp: stored.stamp, hash: stored.hash,
                    body: body))
            return true
        }
        let first = try batches.first(ofLog: entry.number)?.stamp ?? Stamp(.min)
        state.space.change(end) {
            $0.begunCount = begunCount
            $0.lowStamp = first
            $0.bringer = before.bringer
            $0.reach = before.reach
            $0.counted = max($0.low - 1, min($0.high, before.reach))
            $0.countedHash = $0.headHash
        }
        state.space.change(row) {
            $0.begunCount -= begunCount
            $0.counted = min($0.high, $0.reach)
            $0.countedHash = $0.headHash
        }
    }
}
