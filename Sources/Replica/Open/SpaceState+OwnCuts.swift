internal import Records

// The control operations of an open space: people end their own logs there, and nothing else.
extension SpaceState {
    /// The control operations that can have an effect.
    var allFacts: [ControlFact] {
        isOpen ? factsByPerson.values.flatMap(\.self) : facts
    }

    /// Changes the control operations of a person, or drops those for which nil is returned.
    mutating func mapFacts(of person: PersonID, _ change: (ControlFact) -> ControlFact?) {
        guard isOpen else {
            facts = facts.compactMap(change)
            return
        }
        guard let present = factsByPerson[person] else { return }
        let changed = present.compactMap(change)
        factsByPerson[person] = changed.isEmpty ? nil : changed
    }

    /// Adds the cuts of themselves among the control operations of one batch. The first
    /// ``Limits/ownCutsMax`` of each row count.
    /// - Returns: whether there was one.
    mutating func learnOwnCuts(among learned: [ControlFact]) -> Bool {
        let cuts = learned.filter(\.isOwnCut)
        guard let first = cuts.first else { return false }
        var present = factsByPerson[first.author] ?? []
        present += cuts.filter { !present.contains($0) }
        present.sort {
            ($0.batch.log, $0.batch.number, $0.index) < ($1.batch.log, $1.batch.number, $1.index)
        }
        var counts: [LogName: Int] = [:]
        factsByPerson[first.author] = present.filter { fact in
            counts[fact.batch.log, default: 0] += 1
            return counts[fact.batch.log, default: 0] <= Limits.ownCutsMax
        }
        return true
    }

    /// Judges the cuts of one person again, and limits the person's logs to the batches that count.
    /// - Parameter rows: all rows of the person's logs.
    mutating func judge(_ person: PersonID, rows: [LogName], _ batches: BatchTable) throws {
        let facts = factsByPerson[person] ?? []
        var places: [LogHead: LogName] = [:]
        for head in Set(facts.lazy.flatMap(\.heads)) {
            namedHashes.insert(head.hash)
            places[head] = try row(of: head, batches)
        }
        var origins: [LogName: LogTree.Origin] = [:]
        for row in rows {
            guard let entry = logs[row], let origin = entry.origin else { continue }
            origins[row] = LogTree.Origin(log: origin, number: entry.low - 1)
        }
        membership.judge(
            person, facts: facts, tree: LogTree(origins: origins, places: places),
            removed: removed[person] ?? [])
        for row in rows {
            if let entry = logs[row] { update(row, try limited(entry, row, batches)) }
        }
    }
}
