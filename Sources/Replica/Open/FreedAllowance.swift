internal import Records

/// The parts of a person's days that removed batches of one row no longer take.
struct FreedAllowance {
    /// A removed operation that creates a record.
    struct Create {
        let operation: Operation
        /// The day of the first removed batch with it.
        let day: Int64
    }

    let author: PlacedBatch.Author
    private(set) var costs: [DayLedger.Cost] = []
    private(set) var creates: [EntityCache.Key: Create] = [:]

    init(by author: PlacedBatch.Author) { self.author = author }

    /// Adds a batch; batches are added in their order.
    mutating func add(_ body: BatchBody?, _ stamp: Stamp, bytes: Int) {
        let day = DayLedger.day(of: stamp.time)
        let isReserved = body?.operations.allSatisfy { $0.collection == .control } ?? false
        costs.append(DayLedger.Cost(day: day, use: .init(bytes: bytes), isReserved: isReserved))
        for operation in body?.operations ?? []
        where operation.action.isCreate && creates[operation.key] == nil {
            creates[operation.key] = Create(operation: operation, day: day)
        }
    }
}

extension SpaceTransaction {
    /// Gives back the allowance that removed batches took from their author's days. Otherwise a
    /// peer that passes only the end of a log, and then its beginning, would use up those days.
    ///
    /// A record is given back with the last batch that writes it.
    func giveBack(_ freed: FreedAllowance) throws {
        guard !freed.costs.isEmpty else { return }
        let judge = OperationJudge(state.space, catalog)
        let mentions = MentionTable(database: database, space: state.space.number, catalog: catalog)
        var costs = freed.costs
        for (key, create) in freed.creates {
            guard catalog[key.collection]?.collection.dailyRecordsMax != nil,
                case .begins = judge.verdict(onCreate: create.operation, by: freed.author),
                try mentions.places(of: [key]).isEmpty
            else { continue }
            let use = DayLedger.Use(records: [key.collection: 1])
            costs.append(DayLedger.Cost(day: create.day, use: use, isReserved: false))
        }
        var ledger = try ledger(of: freed.author.person)
        let before = ledger.days
        for cost in costs { ledger.giveBack(cost) }
        try allowances.store(ledger.days, of: freed.author.person, insteadOf: before)
    }
}
