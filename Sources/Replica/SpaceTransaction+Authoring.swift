internal import Records

/// Writing batches of one's own.
extension SpaceTransaction {
    /// Signs with the device's key.
    typealias Sign = ([UInt8]) throws -> Signature

    /// Authors one batch.
    /// - Throws: ``EditFault``, or ``BatchFault`` where the person may not write or the batch comes
    ///   out too large.
    func author(
        _ edits: [Edit], by person: PersonID, salt: () -> Bytes16, sign: Sign
    ) throws {
        let row = try ownRow(of: person)
        try requireWriter(person, row)
        let known = try OperationMerge(database, space, catalog, device: device)
        var plan = EditPlan(
            space: space, catalog: catalog, device: device, person: person, known: known)
        let operations = try plan.operations(for: edits)
        let body = BatchBody(operations, salt: needsSalt(operations) ? salt() : nil)
        try store(try draft(body, in: row, sign), in: row, person)
    }

    /// What others hold too can be erased, and so can what its collection says.
    private func needsSalt(_ operations: [Operation]) -> Bool {
        guard operations.allSatisfy({ $0.collection != .control }) else { return false }
        return space.descriptor.kind != .own
            || operations.contains { catalog[$0.collection]?.collection.isErasable ?? false }
    }

    /// Authors one batch of erases.
    func erase(_ names: some Sequence<BatchName>, by person: PersonID, sign: Sign) throws {
        let row = try ownRow(of: person)
        let body = BatchBody(names.map(Operation.erase))
        try store(try draft(body, in: row, sign), in: row, person)
    }

    /// Authors one batch of control operations; before a leaving that must name its own log and
    /// cannot yet, another that begins the log.
    /// - Throws: ``EditFault`` for what would be void.
    func control(_ edits: [ControlEdit], by person: PersonID, sign: Sign) throws {
        let row = try ownRow(of: person)
        var plan = ControlPlan(space: space, person: person, row: row)
        if plan.mustBeginLog(for: edits) {
            let body = BatchBody([Operation(control: .accept)])
            try store(try draft(body, in: row, sign), in: row, person)
            try refreshMembership()
            space.refreshDigest()
            plan = ControlPlan(space: space, person: person, row: row)
        }
        let body = BatchBody(try plan.operations(for: edits))
        let run = try draft(body, in: row, sign)
        for batch in run.batches { try plan.requireEffect(of: batch, batches) }
        try store(run, in: row, person)
    }

    private func requireWriter(_ person: PersonID, _ row: LogName) throws(BatchFault) {
        guard !space.membership.mayWrite(person, in: row) else { return }
        let member = space.membership.member(person)
        throw member?.state == .invited ? .notAccepted : .mayOnlyRead
    }

    /// The row in which the device's next batch stands: that of the person's present term; of the
    /// sides of a fork the one this database has been writing.
    private func ownRow(of person: PersonID) throws(BatchFault) -> LogName {
        guard let branch = space.membership.branch(of: person) else {
            throw .notAMember(device)
        }
        let ends = space.rows(of: device).filter { row in
            space.sides(of: row).isEmpty && space.logs[row]?.person == person
                && space.membership.goesOn(row, by: person)
        }
        let written = ends.first { space.logs[$0]?.isWritten ?? false }
        return written ?? ends.max(by: isShorter) ?? LogName(device: device, branch: branch)
    }

    private func isShorter(_ one: LogName, _ other: LogName) -> Bool {
        let (left, right) = (space.logs[one]?.high ?? 0, space.logs[other]?.high ?? 0)
        return left != right ? left < right : other < one
    }

    /// Signs the next batch of a row. Its header carries the name of the log, so that from the
    /// first batch after a fork was found the author's side is named by it.
    private func draft(_ body: BatchBody, in row: LogName, _ sign: Sign) throws -> CheckedRun {
        let entry = space.logs[row]
        let name = space.path(containing: row)?.state.log ?? row
        let stamp = try nextStamp(after: entry?.headStamp)
        var number = (entry?.high ?? 0) + 1
        if Planted.numberReused.isIn, number > 1, stamp.milliseconds % 16 == 0 { number -= 1 }
        return try CheckedRun(
            authoring: body, in: space.id, log: name, number: number,
            previous: entry?.headHash ?? .none, epoch: space.membership.epoch, stamp: stamp,
            sign: sign)
    }

    /// The log's stamps rise even after a batch of one's own that came back dated ahead.
    private func nextStamp(after head: Stamp?) throws(RecordFault) -> Stamp {
        if let head, head > space.clock.latest { space.clock = HybridClock(latest: head) }
        return try space.clock.tick(wallMilliseconds: wallMilliseconds)
    }

    private func store(_ run: CheckedRun, in row: LogName, _ person: PersonID) throws {
        if space.logs[row] == nil { try createRow(row, person) }
        try store(run.batches, in: row, signature: run.signature, isOwn: true)
    }
}
