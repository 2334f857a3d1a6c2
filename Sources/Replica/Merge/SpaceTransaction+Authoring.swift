internal import Records

/// Writes this device's own batches.
extension SpaceTransaction {
    /// Signs with the device's key.
    typealias Sign = ([UInt8]) throws -> Signature

    /// Authors one batch.
    /// - Throws: ``EditFault``, or ``BatchFault`` if the person may not write or the batch is too
    ///   large.
    func author(
        _ edits: [Edit], by person: PersonID, salt: () -> Bytes16, sign: Sign
    ) throws {
        let row = try ownRow(of: person)
        try requireWriter(person, row)
        let known = try OperationMerge(database, state.space, catalog, device: device)
        var plan = EditPlan(
            space: state.space, catalog: catalog, device: device, person: person, known: known)
        let operations = try plan.operations(for: edits)
        let body = BatchBody(operations, salt: needsSalt(operations) ? salt() : nil)
        try store(try draft(body, in: row, sign), in: row, person)
    }

    /// Batches that other people hold can be erased, and so can those of erasable collections.
    private func needsSalt(_ operations: [Operation]) -> Bool {
        guard operations.allSatisfy({ $0.collection != .control }) else { return false }
        return state.space.descriptor.kind != .own
            || operations.contains { catalog[$0.collection]?.collection.isErasable ?? false }
    }

    /// Authors one batch of erases.
    func erase(_ names: some Sequence<BatchName>, by person: PersonID, sign: Sign) throws {
        try author(BatchBody(names.map(Operation.erase)), by: person, sign: sign)
    }

    /// Authors one batch with a body that has an effect wherever the batch counts.
    func author(_ body: BatchBody, by person: PersonID, sign: Sign) throws {
        let row = try ownRow(of: person)
        try store(try draft(body, in: row, sign), in: row, person)
    }

    /// Authors one batch of control operations. If a person leaves by a log that has not begun, it
    /// authors another batch first, which begins the log.
    /// - Throws: ``EditFault`` for an edit that would be void, and
    ///   ``BatchFault/tooManyOperations(count:limit:)`` if the last ones would have no effect.
    func control(_ edits: [ControlEdit], by person: PersonID, sign: Sign) throws {
        guard edits.count <= Limits.controlOperationsMax else {
            throw BatchFault.tooManyOperations(
                count: edits.count, limit: Limits.controlOperationsMax)
        }
        let row = try ownRow(of: person)
        var plan = ControlPlan(space: state.space, person: person, row: row)
        if plan.mustBeginLog(for: edits) {
            let body = BatchBody([Operation(control: .accept)])
            try store(try draft(body, in: row, sign), in: row, person)
            try refreshMembership()
            state.space.refreshDigest()
            plan = ControlPlan(space: state.space, person: person, row: row)
        }
        let body = BatchBody(try plan.operations(for: edits))
        let run = try draft(body, in: row, sign)
        for batch in run.batches { try plan.requireEffect(of: batch, batches) }
        try store(run, in: row, person)
    }

    private func requireWriter(_ person: PersonID, _ row: LogName) throws(BatchFault) {
        guard !state.space.membership.mayWrite(person, in: row) else { return }
        let member = state.space.membership.member(person)
        throw member?.state == .invited ? .notAccepted : .mayOnlyRead
    }

    /// Returns the row for the device's next batch: the row of the person's present term. After
    /// a fork, it is the side that this database has been writing.
    private func ownRow(of person: PersonID) throws(BatchFault) -> LogName {
        guard let branch = state.space.membership.branch(of: person) else {
            throw .notAMember(device)
        }
        let ends = state.space.rows(of: device).filter { row in
            state.space.sides(of: row).isEmpty && state.space.logs[row]?.person == person
                && state.space.membership.goesOn(row, by: person)
        }
        let written = ends.first { state.space.logs[$0]?.isWritten ?? false }
        return written ?? ends.max(by: isShorter) ?? LogName(device: device, branch: branch)
    }

    private func isShorter(_ one: LogName, _ other: LogName) -> Bool {
        let (left, right) = (state.space.logs[one]?.high ?? 0, state.space.logs[other]?.high ?? 0)
        return left != right ? left < right : other < one
    }

    /// Signs the next batch of a row. Its header carries the log's name: after a fork was found,
    /// that is the name of the author's own side.
    private func draft(_ body: BatchBody, in row: LogName, _ sign: Sign) throws -> CheckedRun {
        if isOpen { followOwnStamps(in: row) }
        let entry = state.space.logs[row]
        let name = state.space.path(containing: row)?.state.log ?? row
        let stamp = try nextStamp(after: entry?.headStamp)
        let number = (entry?.high ?? 0) + 1
        return try CheckedRun(
            authoring: body, in: state.space.id, log: name, number: number,
            previous: entry?.headHash ?? .none, epoch: state.space.membership.epoch, stamp: stamp,
            sign: sign)
    }

    /// Returns the next stamp. It is later than the log's head, even if that is an own batch from
    /// before a restore with a date ahead.
    private func nextStamp(after head: Stamp?) throws(RecordFault) -> Stamp {
        if let head, head > state.space.clock.latest {
            state.space.clock = HybridClock(latest: head)
        }
        return try state.space.clock.tick(wallTime: wallTime)
    }

    /// Advances the clock of an open space to the stamps of this person's own batches. It does not
    /// follow other people's stamps: strangers could date this person's batches ahead, and use up
    /// the allowance of the next day.
    private func followOwnStamps(in row: LogName) {
        let people = state.space.logs[row].map { [$0.person] } ?? openPeople.own
        let latest = state.space.logs.values.lazy
            .filter { people.contains($0.person) }.map(\.headStamp).max()
        if let latest, latest > state.space.clock.latest {
            state.space.clock = HybridClock(latest: latest)
        }
    }

    /// Charges this person's day and makes room in an open space.
    private func admitOwn(_ run: CheckedRun, in row: LogName, _ person: PersonID) throws {
        try chargeOwn(run.batches, by: PlacedBatch.Author(log: row, person: person))
        let need = OpenRoom.Amount(
            bytes: run.batches.reduce(0) { $0 + $1.content.storedBytes },
            records: run.batches.reduce(0) { $0 + ($1.body?.begunCount ?? 0) })
        guard try makeRoom(for: need, by: nil, besides: row, openPeople) == nil else {
            throw BatchFault.noRoom(device)
        }
    }

    private func store(_ run: CheckedRun, in row: LogName, _ person: PersonID) throws {
        if isOpen { try admitOwn(run, in: row, person) }
        if state.space.logs[row] == nil { try createRow(row, person) }
        try store(run.batches, in: row, signature: run.signature, isOwn: true)
    }
}
