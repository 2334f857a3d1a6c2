internal import Records

/// Stores batches received from other devices.
extension SpaceTransaction {
    /// The result of receiving one run.
    struct ReceivedRun {
        let device: DeviceID
        /// The numbers that were new here; nil if none was.
        let new: ClosedRange<UInt64>?
        /// The last batch of the run.
        let last: (number: UInt64, hash: BatchHash)
    }

    /// Returns the head of the log that contains a received run, after the transaction has
    /// finished; nil if the run does not count.
    func head(containing received: ReceivedRun) throws -> LogHead? {
        let row = try state.space.rows(of: received.device).first { row in
            guard let entry = state.space.logs[row], entry.low <= received.last.number,
                received.last.number <= entry.high
            else { return false }
            return try hash(received.last.number, in: entry) == received.last.hash
        }
        return row.flatMap(state.space.path(containing:))?.state.head
    }

    /// The last batch that a run shares with the stored log.
    struct Junction {
        var row: LogName
        var number: UInt64
        var hash = BatchHash.none
        /// The number of the run's batches that are already stored.
        var knownCount = 0
    }

    /// Stores the new batches of a run.
    /// - Parameters:
    ///   - claimants: the people who claim the author's device as theirs.
    ///   - room: the room for batches.
    ///   - work: charges the author with work beyond storing the run.
    /// - Throws: the first ``BatchFault`` found, in the order membership, beginning, gap, stamps
    ///   within the run, signature, refused work, stamps against the batch before, a removed
    ///   device's missing cut, batches dated ahead, room, waiting operations, forks, work, cuts;
    ///   nothing was stored then.
    func receive(
        _ run: Run, claimants: [PersonID], room: inout StorageRoom, work: inout MergeWork
    ) throws -> ReceivedRun {
        try refreshMembership()
        let author = try author(of: run, claimants)
        try refuseUnread(run, of: author, in: room)
        var (checked, junction) = try check(run)
        let person = state.space.logs[state.space.root(of: junction.row)]?.person ?? author
        guard claimants.contains(person) else { throw BatchFault.notAMember(run.log.device) }
        try follow(checked, from: &junction)
        let end = checked.batches[checked.batches.count - 1]
        let last = (number: end.header.number, hash: end.hash)
        let lacking = try lackingBody(among: checked.batches.prefix(junction.knownCount))
        let new = checked.batches.dropFirst(junction.knownCount)
        try requireNoRefusedWork(in: lacking.map(\.batch) + new, of: person, &work)
        try pacing(lacking.map(\.batch), of: person, nil, &work) {
            try refill(lacking) { batch, author, bytes in
                try mayWait(batch, by: author)
                    && mayGrow(by: bytes, of: author.person, in: &room)
            }
        }
        guard let first = new.first else {
            return ReceivedRun(device: run.log.device, new: nil, last: last)
        }
        guard try stamp(of: junction).map({ first.header.stamp > $0 }) ?? true else {
            throw BatchFault.stampNotRising
        }
        try requireCut(of: junction.row, by: person)
        try requireRoomAhead(for: new, by: run.log.device)
        try requireRoom(for: new, of: person, by: run.log.device, in: &room)
        try requireRoomToWait(for: new, of: person, in: junction.row)
        let fork = isFork(junction) ? try fork(of: new, after: junction) : nil
        try pacing(new, of: person, fork, &work) {
            try store(Array(new), checked.signature, person, after: junction)
        }
        return ReceivedRun(
            device: run.log.device, new: first.header.number...last.number, last: last)
    }

    /// Returns the person whose device began a log, or may begin it.
    private func author(of run: Run, _ claimants: [PersonID]) throws(BatchFault) -> PersonID {
        guard let author = state.space.author(on: run.log.device, claimedBy: claimants),
            state.space.membership.member(author) != nil
        else { throw .notAMember(run.log.device) }
        return author
    }

    /// Refuses new batches of a device that its person removed, until a device that the person
    /// lists has ended the log: only that cut tells the batches from before the removal from later
    /// ones.
    func requireCut(of row: LogName, by person: PersonID) throws(BatchFault) {
        guard state.space.isRemoved(row.device, of: person) else { return }
        let membership = state.space.membership
        guard membership.reachOfEnded(row, by: person) == nil else { return }
        throw membership.reach(of: row, by: person) > 0
            ? .notEnded(row.device) : .beyondCut(row.device)
    }

    /// Refuses batches that may cause work beyond storing them, if work of their author was refused
    /// and could still not be done. So only the first of many such runs is examined further.
    private func requireNoRefusedWork(
        in batches: [CheckedBatch], of person: PersonID, _ work: inout MergeWork
    ) throws(BatchFault) {
        guard !mustRemergeAll, let first = batches.first,
            batches.contains(where: mayCountOnceHere),
            work.mustWait(person, in: state.space.id)
        else { return }
        throw .tooSoon(first.header.log.device)
    }

    /// Performs a step that stores batches. If they cause more work than that, their author is
    /// charged, or they are refused. After a charge for a rebuild, further batches of the same
    /// transaction cost nothing more, except forks that move batches.
    ///
    /// A fork is charged before anything is moved. Of control operations only the membership as it
    /// becomes tells whether they cause work.
    /// - Parameter fork: the fork that the batches make; nil if they make none.
    private func pacing(
        _ new: some Collection<CheckedBatch>, of person: PersonID, _ fork: Fork?,
        _ work: inout MergeWork, _ step: () throws -> Void
    ) throws {
        guard let first = new.first else { return try step() }
        let tooSoon = BatchFault.tooSoon(first.header.log.device)
        guard !mustRemergeAll else {
            let count = fork?.movedCount ?? 0
            guard count == 0 || work.charge(person, moving: count, in: state.space) else {
                throw tooSoon
            }
            return try step()
        }
        guard fork?.mustRebuild ?? new.contains(where: mayCountOnceHere) else { return try step() }
        if let fork {
            let need = MergeWork.Need(isRebuild: true, movedCount: fork.movedCount)
            guard work.charge(person, need, of: state.space) else { throw tooSoon }
        }
        // Otherwise the fork is refused, or it did not change which batches count.
        defer { if fork != nil, !mustRemergeAll { work.forgiveRebuild(of: state.space.id) } }
        try tentatively {
            try step()
            try refreshMembership()
            var need = MergeWork.Need()
            if !mustRemergeAll {
                need = try self.work(ofErasesIn: new, by: person)
                if need.isRebuild { state.mustRebuild = true }
            }
            if mustRemergeAll {
                need = MergeWork.Need(isRebuild: fork == nil)
                state.isCharged = true
            }
            guard work.charge(person, need, of: state.space) else { throw tooSoon }
        }
    }

    /// Refuses batches dated ahead if ``Limits/heldBatchesMax`` of the device are held already. A
    /// run is judged as a whole, because only its last signature proves it. It is not refused for
    /// its own length: that would also refuse batches of today that precede those dated ahead.
    private func requireRoomAhead(
        for new: some Collection<CheckedBatch>, by device: DeviceID
    ) throws {
        let isAhead = new.contains { HybridClock.isHeld($0.header.stamp, wallTime: wallTime) }
        guard isAhead else { return }
        let rows = state.space.rows(of: device).compactMap { state.space.logs[$0]?.number }
        guard try held.count(inLogs: rows) < Limits.heldBatchesMax else {
            throw BatchFault.tooFarAhead(device)
        }
    }

    // MARK: The batch that a run continues

    /// Finds the batch that a run continues. If the device signed several batches of that number,
    /// only the run's signature tells which.
    private func check(_ run: Run) throws -> (CheckedRun, Junction) {
        let junctions = try junctions(before: run)
        var fault = BatchFault.gap(expected: nextNumber(of: run.log), found: run.firstNumber)
        for junction in junctions.prefix(Limits.forkTriesMax) {
            do throws(BatchFault) {
                return (try run.check(in: state.space.id, after: junction.hash), junction)
            } catch {
                fault = error
            }
        }
        if fault == .signatureMismatch {
            for junction in junctions where junction.number > 0 {
                let audit = LogAudit(space: state.space, batches: batches)
                guard let previous = try audit.storedHash(before: junction.number, in: junction.row)
                else { continue }
                try requireSound(junction.number, in: junction.row, after: previous)
            }
        }
        throw fault
    }

    /// Checks that a stored batch is what its author signed. If it is not, the disk lost or changed
    /// it, and neither the sender nor the author of the run is at fault.
    ///
    /// For example, batch 5 of 1 to 9 is gone from the disk, and a peer sends 5 to 9 again. Without
    /// the check, its batch 5 would be another side of a fork after batch 4.
    /// - Throws: ``BatchFault/gap(expected:found:)``; the damage is recorded, so that it is mended.
    private func requireSound(
        _ number: UInt64, in row: LogName, after previous: BatchHash
    ) throws {
        guard let entry = state.space.logs[row] else { return }
        let audit = LogAudit(space: state.space, batches: batches)
        let stored = try batches.batch(at: BatchPlace(log: entry.number, number: number))
        if let stored, audit.isSound(stored, in: row, after: previous) { return }
        state.space.damage.recordFound()
        throw BatchFault.gap(expected: number, found: number + 1)
    }

    /// Returns the stored batches before the run's first number: first that of the log it names,
    /// then the others, ordered by hash.
    /// - Throws: ``BatchFault/notABeginning(_:)`` for a run from number 1 that names one side of a
    ///   fork: a side continues another log.
    private func junctions(before run: Run) throws -> [Junction] {
        guard run.firstNumber > 1 else {
            guard state.space.logs[run.log]?.origin == nil else {
                throw BatchFault.notABeginning(run.log.device)
            }
            return [Junction(row: run.log, number: 0)]
        }
        let number = run.firstNumber - 1
        let found = try state.space.rows(of: run.log.device).compactMap { row -> Junction? in
            guard let entry = state.space.logs[row], entry.low <= number, number <= entry.high
            else { return nil }
            guard let hash = try hash(number, in: entry) else {
                state.space.damage.recordFound()
                return nil
            }
            return Junction(row: row, number: number, hash: hash)
        }
        return found.sorted { one, other in
            let (isOne, isOther) = (one.row == run.log, other.row == run.log)
            return isOne != isOther ? isOne : one.hash < other.hash
        }
    }

    func hash(_ number: UInt64, in entry: SpaceState.LogEntry) throws -> BatchHash? {
        if number == entry.high { return entry.headHash }
        return try batches.hash(at: BatchPlace(log: entry.number, number: number))
    }

    private func nextNumber(of log: LogName) -> UInt64 {
        let rows = state.space.rows(of: log.device).filter {
            state.space.root(of: $0) == state.space.root(of: log)
        }
        return (rows.compactMap { state.space.logs[$0]?.high }.max() ?? 0) + 1
    }

    /// Advances along the stored batches to the last one that the run shares.
    /// - Throws: ``BatchFault/gap(expected:found:)`` if the next stored batch is missing or
    ///   damaged.
    func follow(_ run: CheckedRun, from junction: inout Junction) throws {
        for batch in run.batches {
            guard let entry = state.space.logs[junction.row] else { return }
            let side = LogName(
                device: batch.header.log.device, branch: BranchName(raw: batch.hash.raw))
            if batch.header.number <= entry.high {
                guard try hash(batch.header.number, in: entry) == batch.hash else {
                    return try requireSound(
                        batch.header.number, in: junction.row, after: junction.hash)
                }
            } else if state.space.logs[side]?.origin == junction.row {
                junction.row = side
            } else {
                return
            }
            junction.number = batch.header.number
            junction.hash = batch.hash
            junction.knownCount += 1
        }
    }

    func stamp(of junction: Junction) throws -> Stamp? {
        guard junction.number > 0, let entry = state.space.logs[junction.row] else { return nil }
        if junction.number == entry.high { return entry.headStamp }
        return try batches.batch(
            at: BatchPlace(log: entry.number, number: junction.number))?.stamp
    }

    // MARK: Storing a run

    private func store(
        _ new: [CheckedBatch], _ signature: Signature, _ person: PersonID, after junction: Junction
    ) throws {
        let entry = state.space.logs[junction.row]
        if isFork(junction) {
            return try tentatively { try fork(new, signature, person, after: junction) }
        }
        let reach = entry?.reach ?? state.space.membership.reach(of: junction.row, by: person)
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

    /// Whether a batch beyond the reach of its log may count after it is stored: if a cut names it,
    /// or if it limits its own log, as leaving does.
    func mayCountOnceHere(_ batch: CheckedBatch) -> Bool {
        state.space.namedHashes.contains(batch.hash) || batch.body?.hasControl ?? false
    }

    /// Returns the fault of a batch beyond a cut, or in a log that no grant began.
    private func refusal(of log: LogName, _ person: PersonID) -> BatchFault {
        let isServed = state.space.membership.member(person)?.isServed ?? false
        let isUnbegun = isServed && state.space.logs[log] == nil
        return isUnbegun && !state.space.isRemoved(log.device, of: person)
            ? .notAMember(log.device) : .beyondCut(log.device)
    }

    /// Refuses batches of a removed person that do not count at their arrival.
    func requireCounting(_ row: LogName, from number: UInt64) throws {
        try refreshMembership()
        guard let entry = state.space.logs[row], entry.counted >= number else {
            throw BatchFault.beyondCut(row.device)
        }
    }
}
