internal import Records

extension SpaceState {
    /// Adds control operations that are stored and due. Erases are ignored, because they do not
    /// change membership.
    /// - Returns: whether one of them may change the membership.
    @discardableResult
    mutating func learn(_ learned: [ControlFact]) -> Bool {
        let others = learned.filter { $0.erased == nil }
        facts += others
        return !others.isEmpty
    }

    /// Judges the membership again, and limits each row to the batches that count. Call it after
    /// control operations arrived, rows were divided, or a batch arrived that a cut names.
    ///
    /// Example: Bob wrote batches 1 to 9, and the owner Cem's cut of Bob names his batch 6. On
    /// every replica 1 to 6 count. A replica with all nine keeps 7 to 9, without effect; if it
    /// merged them already, ``contradicts(_:)`` makes it merge the space again. A replica with 1 to
    /// 4 accepts 5 and 6, and refuses a run that begins with 7. If a cut of Cem arrives that
    /// excludes the batch with his cut of Bob, that cut is void: the reach of Bob's log rises, and
    /// 7 to 9 count again.
    mutating func refreshMembership(_ batches: BatchTable) throws {
        let heads = Set(facts.lazy.flatMap(\.heads))
        namedHashes = Set(heads.map(\.hash))
        var places: [LogHead: LogName] = [:]
        for head in heads { places[head] = try row(of: head, batches) }
        membership = Membership(of: descriptor, facts: facts, tree: tree(places))
        silentLogs = []
        for (name, entry) in logs {
            if !membership.mayWrite(entry.person, in: name) { silentLogs.insert(name) }
            update(name, try limited(entry, name, batches))
        }
    }

    /// Returns the row that contains a batch, or nil if it is not stored.
    private func row(of head: LogHead, _ batches: BatchTable) throws -> LogName? {
        try logs.first { name, entry in
            guard name.device == head.log.device, entry.low <= head.number,
                head.number <= entry.high
            else { return false }
            let place = BatchPlace(log: entry.number, number: head.number)
            return try batches.hash(at: place) == head.hash
        }?.key
    }

    private func limited(
        _ entry: LogEntry, _ name: LogName, _ batches: BatchTable
    ) throws -> LogEntry {
        var entry = entry
        entry.reach = membership.reach(of: name, by: entry.person)
        entry.counted = max(entry.low - 1, min(entry.high, entry.reach))
        entry.countedHash = entry.headHash
        if entry.counts, entry.counted < entry.high {
            let place = BatchPlace(log: entry.number, number: entry.counted)
            entry.countedHash = try batches.hash(at: place) ?? .none
        }
        return entry
    }

    /// Whether different batches count than in an earlier state, so that the space must be merged
    /// again.
    func contradicts(_ earlier: SpaceState) -> Bool {
        logs.contains { name, entry in
            guard let before = earlier.logs[name] else { return false }
            if entry.number != before.number { return true }
            if before.counts, silentLogs.contains(name) != earlier.silentLogs.contains(name) {
                return true
            }
            return entry.counted < before.counted
                || before.counted < before.high && before.counted < entry.counted
        }
    }
}
