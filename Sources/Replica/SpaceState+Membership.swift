internal import Records

extension SpaceState {
    /// Takes in control operations that are stored and due; erases are no word about members.
    /// - Returns: whether one of them may change who belongs to the space.
    @discardableResult
    mutating func learn(_ learned: [ControlFact]) -> Bool {
        let others = learned.filter { $0.erased == nil }
        facts += others
        return !others.isEmpty
    }

    /// Judges the membership anew after control operations came, rows were divided or a batch came
    /// that a cut names, and limits every row to what counts.
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

    /// The row in which a batch lies, or nil where it is not here.
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

    /// Whether what was merged when the space was in an earlier state is no longer what counts, so
    /// that the space must be merged anew.
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
