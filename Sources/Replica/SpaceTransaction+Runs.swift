internal import Records

/// Taking other devices' batches into the log.
extension SpaceTransaction {
    /// What was taken of a run.
    struct Taken {
        let device: DeviceID
        /// The numbers that were not here before; nil where all of it was.
        let new: ClosedRange<UInt64>?
        /// The last batch of the run.
        let last: (number: UInt64, hash: BatchHash)
    }

    /// The head of the log in which what was taken lies, once the transaction has finished; nil
    /// where that does not count.
    func head(behind taken: Taken) throws -> LogHead? {
        let row = try space.rows(of: taken.device).first { row in
            guard let entry = space.logs[row], entry.low <= taken.last.number,
                taken.last.number <= entry.high
            else { return false }
            return try hash(taken.last.number, in: entry) == taken.last.hash
        }
        return row.flatMap(space.path(containing:))?.state.head
    }

    /// The last batch that a run shares with what is here.
    private struct Junction {
        var row: LogName
        var number: UInt64
        var hash = BatchHash.none
        /// How many batches of the run are here already.
        var knownCount = 0
    }

    /// Takes what is new of a run into the log.
    /// - Parameter claimants: who lists the author's device as theirs.
    /// - Throws: the first ``BatchFault`` found, in the order membership, gap, stamps within the
    ///   run, signature, stamps against the batch before, cuts, forks; nothing was stored then.
    func take(_ run: Run, claimants: [PersonID]) throws -> Taken {
        try refreshMembership()
        let author = try author(of: run, claimants)
        var (checked, junction) = try check(run)
        let person = space.logs[space.root(of: junction.row)]?.person ?? author
        guard claimants.contains(person) else { throw BatchFault.notAMember(run.log.device) }
        try follow(checked, from: &junction)
        let end = checked.batches[checked.batches.count - 1]
        let last = (number: end.header.number, hash: end.hash)
        try refill(checked.batches.prefix(junction.knownCount))
        let new = checked.batches.dropFirst(junction.knownCount)
        guard let first = new.first else {
            return Taken(device: run.log.device, new: nil, last: last)
        }
        guard try stamp(of: junction).map({ first.header.stamp > $0 }) ?? true else {
            throw BatchFault.stampNotRising
        }
        try store(Array(new), checked.signature, person, after: junction)
        return Taken(device: run.log.device, new: first.header.number...last.number, last: last)
    }

    /// The person whose device began a log, or may begin it.
    private func author(of run: Run, _ claimants: [PersonID]) throws(BatchFault) -> PersonID {
        let members = claimants.filter {
            space.membership.member($0) != nil || Planted.membershipForgotten.isIn
        }
        guard let member = members.first else { throw .notAMember(run.log.device) }
        return members.first { space.membership.reach(of: run.log, by: $0) > 0 } ?? member
    }

    // MARK: Where a run goes on

    /// Finds the batch that a run goes on from, which only the signature tells where the device
    /// has several of that number.
    private func check(_ run: Run) throws -> (CheckedRun, Junction) {
        let junctions = try junctions(before: run)
        var fault = BatchFault.gap(expected: nextNumber(of: run.log), found: run.firstNumber)
        for junction in junctions.prefix(Limits.forkTriesMax) {
            do throws(BatchFault) {
                return (try run.check(in: space.id, after: junction.hash), junction)
            } catch {
                fault = error
            }
        }
        throw fault
    }

    /// The batches of the run's device that stand before its first number: that of the log it
    /// names first, then the others in the order of their hashes.
    private func junctions(before run: Run) throws -> [Junction] {
        guard run.firstNumber > 1 else { return [Junction(row: run.log, number: 0)] }
        let number = run.firstNumber - 1
        let found = try space.rows(of: run.log.device).compactMap { row -> Junction? in
            guard let entry = space.logs[row], entry.low <= number, number <= entry.high,
                let hash = try hash(number, in: entry)
            else { return nil }
            return Junction(row: row, number: number, hash: hash)
        }
        return found.sorted { one, other in
            let (isOne, isOther) = (one.row == run.log, other.row == run.log)
            return isOne != isOther ? isOne : one.hash < other.hash
        }
    }

    private func hash(_ number: UInt64, in entry: SpaceState.LogEntry) throws -> BatchHash? {
        if number == entry.high { return entry.headHash }
        return try batches.hash(at: BatchPlace(log: entry.number, number: number))
    }

    private func nextNumber(of log: LogName) -> UInt64 {
        let rows = space.rows(of: log.device).filter { space.root(of: $0) == space.root(of: log) }
        return (rows.compactMap { space.logs[$0]?.high }.max() ?? 0) + 1
    }

    /// Follows a run through what is here, up to the last batch that is shared.
    private func follow(_ run: CheckedRun, from junction: inout Junction) throws {
        for batch in run.batches {
            guard let entry = space.logs[junction.row] else { return }
            let side = LogName(
                device: batch.header.log.device, branch: BranchName(raw: batch.hash.raw))
            if batch.header.number <= entry.high {
                guard try hash(batch.header.number, in: entry) == batch.hash else { return }
            } else if space.logs[side]?.origin == junction.row {
                junction.row = side
            } else {
                return
            }
            junction.number = batch.header.number
            junction.hash = batch.hash
            junction.knownCount += 1
        }
    }

    private func stamp(of junction: Junction) throws -> Stamp? {
        guard junction.number > 0, let entry = space.logs[junction.row] else { return nil }
        if junction.number == entry.high { return entry.headStamp }
        return try batches.batch(
            at: BatchPlace(log: entry.number, number: junction.number))?.stamp
    }

    // MARK: Storing a run

    private func store(
        _ new: [CheckedBatch], _ signature: Signature, _ person: PersonID, after junction: Junction
    ) throws {
        let entry = space.logs[junction.row]
        if let entry, junction.number < entry.high || !space.sides(of: junction.row).isEmpty {
            try tentatively { try fork(new, signature, person, after: junction) }
            return
        }
        let reach = entry?.reach ?? space.membership.reach(of: junction.row, by: person)
        if junction.number < reach {
            if entry == nil { try createRow(junction.row, person) }
            return try store(new, in: junction.row, signature: signature)
        }
        guard new.contains(where: mayCountOnceHere) else { throw refusal(of: junction.row, person) }
        try tentatively {
            if entry == nil { try createRow(junction.row, person) }
            try store(new, in: junction.row, signature: signature)
            try requireCounting(junction.row, from: junction.number + 1)
        }
    }

    /// Whether a batch beyond what counts may count all the same once it is here: a cut names it,
    /// or it says itself how far its log counts, as who leaves does.
    private func mayCountOnceHere(_ batch: CheckedBatch) -> Bool {
        space.namedHashes.contains(batch.hash) || batch.body?.hasControl ?? false
    }

    /// What lies beyond a cut, or in a log that no grant began.
    private func refusal(of log: LogName, _ person: PersonID) -> BatchFault {
        let isServed = space.membership.member(person)?.isServed ?? false
        return isServed && space.logs[log] == nil
            ? .notAMember(log.device) : .beyondCut(log.device)
    }

    /// Nothing is kept of a removed person that does not count when it comes.
    private func requireCounting(_ row: LogName, from number: UInt64) throws {
        try refreshMembership()
        guard let entry = space.logs[row], entry.counted >= number else {
            throw BatchFault.beyondCut(row.device)
        }
    }

    /// Takes a second batch of one number: both sides become rows of their own.
    private func fork(
        _ new: [CheckedBatch], _ signature: Signature, _ person: PersonID, after junction: Junction
    ) throws {
        guard let first = new.first else { return }
        let division = LogDivision(database: database)
        if let entry = space.logs[junction.row], junction.number < entry.high {
            try division.divide(junction.row, after: junction.number, in: &space, own: device)
            mustRebuild = true
        }
        let side = LogName(
            device: first.header.log.device, branch: BranchName(raw: first.hash.raw))
        try createRow(side, person, after: junction.row, low: first.header.number)
        membershipIsStale = true
        try refreshMembership()
        try store(new, in: side, signature: signature)
        try requireCounting(side, from: first.header.number)
        let dropped = try division.prune(sidesOf: junction.row, in: &space)
        guard !dropped.contains(side) else {
            throw BatchFault.forked(author: side.device, number: first.header.number)
        }
        if !dropped.isEmpty {
            mustRebuild = true
            membershipIsStale = true
        }
    }
}
