internal import Records

// The room of an open space.
extension SpaceTransaction {
    /// The number of batches that make room at a time.
    private static let removedAtOnce: UInt64 = 16

    /// Makes room for batches, if their bringer's share or their author permits it: the beginnings
    /// of other bringers' logs go, the oldest first.
    /// - Parameters:
    ///   - bringer: the person in whose share the batches are; nil for a retained author.
    ///   - row: the row that the batches belong to; its device's rows make no room.
    /// - Returns: why there is none; nil if there is.
    func makeRoom(
        for need: OpenRoom.Amount, by bringer: PersonID?, besides row: LogName,
        _ people: OpenPeople
    ) throws -> PassedRefusal? {
        let refusal = try removeForRoom(need, by: bringer, besides: row, people)
        try refreshMembership()
        return refusal
    }

    private func removeForRoom(
        _ need: OpenRoom.Amount, by bringer: PersonID?, besides row: LogName, _ people: OpenPeople
    ) throws -> PassedRefusal? {
        while true {
            let room = OpenRoom(state.space.totals, people)
            switch room.decide(need, by: bringer) {
            case .fits: return nil
            case .noShare: return .noShare
            case .noRoom: return .noRoom
            case .takes(let other, let isLogs):
                guard let victim = room.oldest(of: other, besides: row.device),
                    let entry = state.space.logs[victim]
                else { return .noRoom }
                let last =
                    isLogs
                    ? entry.high : min(entry.high, entry.low + SpaceTransaction.removedAtOnce - 1)
                try removeBeginning(of: victim, through: last)
            }
        }
    }

    /// Makes room for batches of an unknown author's log, in the share of the person who brought
    /// the log, or else of the person who brings the batches: the log moves there then. Otherwise
    /// a peer that brings the first batch of every log could block all of them by using up its own
    /// share.
    /// - Parameters:
    ///   - bringer: the person who brought the log.
    ///   - sender: the person who brings the batches.
    /// - Returns: the person in whose share the log is now.
    /// - Throws: ``PassedRefusal`` if there is no room.
    func makeRoom(
        for need: OpenRoom.Amount, by bringer: PersonID, or sender: PersonID,
        besides row: LogName, _ people: OpenPeople
    ) throws -> PersonID {
        let refusal = try makeRoom(for: need, by: bringer, besides: row, people)
        guard let refusal else { return bringer }
        guard case .noShare = refusal, sender != bringer else { throw refusal }
        for part in state.space.rows(of: row.device)
        where state.space.logs[part]?.isEmpty == false {
            state.space.change(part) { $0.bringer = sender }
        }
        if let refusal = try makeRoom(for: need, by: sender, besides: row, people) { throw refusal }
        return sender
    }

    // MARK: The allowance of a day

    /// Returns what batches take of their days.
    /// - Parameter known: reads the merged records.
    func costs(
        of new: some Collection<CheckedBatch>, by author: PlacedBatch.Author
    ) throws -> [DayLedger.Cost] {
        let known = try OperationMerge(database, state.space, catalog, device: device)
        let judge = OperationJudge(state.space, catalog)
        var begun: Set<EntityCache.Key> = []
        return try new.map { batch in
            var use = DayLedger.Use(bytes: batch.content.storedBytes)
            for operation in batch.body?.operations ?? [] where operation.action.isCreate {
                guard catalog[operation.collection]?.collection.dailyRecordsMax != nil,
                    case .begins = judge.verdict(onCreate: operation, by: author),
                    begun.insert(operation.key).inserted, try known.creator(operation.key) == nil
                else { continue }
                use.records[operation.collection, default: 0] += 1
            }
            let isReserved = batch.body.map {
                $0.operations.allSatisfy { $0.collection == .control }
            }
            return DayLedger.Cost(
                day: DayLedger.day(of: batch.header.stamp.time), use: use,
                isReserved: isReserved ?? false)
        }
    }

    var allowances: AllowanceTable {
        AllowanceTable(database: database, space: state.space.number)
    }

    /// Returns what a person's batches took of their days.
    func ledger(of person: PersonID) throws -> DayLedger {
        DayLedger(try allowances.days(of: person), recordsMax: catalog.dailyRecordsMax)
    }

    /// Charges batches that arrive to their author's days.
    /// - Returns: the time before which no further batch of the author is stored; nil if these are.
    func charge(
        _ new: some Collection<CheckedBatch>, by author: PlacedBatch.Author
    ) throws -> Timestamp? {
        var ledger = try ledger(of: author.person)
        let before = ledger.days
        let day = ledger.charge(
            try costs(of: new, by: author), today: DayLedger.day(of: wallTime))
        if let day { return DayLedger.beginning(of: day) }
        try allowances.store(ledger.days, of: author.person, insteadOf: before)
        return nil
    }

    /// Charges this device's own batches to the day of their stamp.
    /// - Throws: ``BatchFault/ownDayUsed(until:)`` if the day is used up. What erases something or
    ///   ends a log is always written.
    func chargeOwn(_ new: [CheckedBatch], by author: PlacedBatch.Author) throws {
        var ledger = try ledger(of: author.person)
        let before = ledger.days
        for cost in try costs(of: new, by: author) {
            guard cost.isReserved || ledger.fits(cost) else {
                throw BatchFault.ownDayUsed(until: DayLedger.beginning(of: cost.day + 1))
            }
            ledger.spend(cost)
        }
        try allowances.store(ledger.days, of: author.person, insteadOf: before)
    }
}
