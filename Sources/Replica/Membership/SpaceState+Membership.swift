internal import GRDB
internal import Records

extension SpaceState {
    /// Adds control operations of one batch that is stored and due, if they can have an effect.
    ///
    /// A forked log counts with the batches before the fork. The first accept of a log is kept, and
    /// the author's first ``Limits/ownCutsMax`` cuts of themselves. Grants and cuts of others are
    /// kept for a group's owners. Those of other members are on the disk, and
    /// ``refreshMembership(_:)`` reads them if their author becomes an owner. So only owners decide
    /// how much is kept in memory.
    /// - Returns: whether one of them may change the membership.
    @discardableResult
    mutating func learn(_ learned: [ControlFact]) -> Bool {
        if isOpen { return learnOwnCuts(among: learned) }
        var hasLearned = false
        for fact in learned where concerns(fact) && isFirst(fact) {
            facts.append(fact)
            hasLearned = true
            // A device's own batches are due before earlier ones of theirs that are dated ahead.
            guard !fact.isAct, facts.contains(where: { $0.follows(fact) }) else { continue }
            facts = facts.filter(isFirst)
        }
        return hasLearned
    }

    private func concerns(_ fact: ControlFact) -> Bool {
        guard fact.erased == nil else { return false }
        guard descriptor.kind == .group else { return fact.isOwnCut }
        return !fact.isAct || loadedOwners.contains(fact.author)
    }

    /// Whether few enough facts of the same kind are before a fact in its log.
    private func isFirst(_ fact: ControlFact) -> Bool {
        guard !fact.isAct else { return true }
        var chain = [fact.batch.log]
        while let row = chain.last, let origin = logs[row]?.origin { chain.append(origin) }
        let before = facts.count { fact.follows($0) && chain.contains($0.batch.log) }
        return before < (fact.isOwnCut ? Limits.ownCutsMax : 1)
    }

    /// Reads the facts of all logs from the disk.
    /// - Returns: whether every batch was readable.
    mutating func loadFacts(_ database: Database) throws -> Bool {
        (facts, loadedOwners, factsByPerson) = ([], [], [:])
        // The batches before a fork come before its sides.
        let rows = logs.sorted { ($0.value.low, $0.key) < ($1.value.low, $1.key) }
        return try rows.reduce(true) { isWhole, row in
            let author = PlacedBatch.Author(log: row.key, person: row.value.person)
            return try ControlTable(database: database, space: number)
                .forEach(of: author, inLog: row.value.number) { learn($0.controlFacts) } && isWhole
        }
    }

    /// Reads the grants and cuts of people who were made owners, and of those whom they made
    /// owners in turn, so that a long chain of owners is not judged once for each of them. People
    /// who turn out not to be owners are forgotten by ``dropActs()``.
    /// - Returns: whether there were any new owners.
    private mutating func loadActs(_ database: Database) throws -> Bool {
        var new = membership.owners.subtracting(loadedOwners)
        guard descriptor.kind == .group, !new.isEmpty else { return false }
        let rows = Dictionary(grouping: logs) { $0.value.person }
        while !new.isEmpty {
            loadedOwners.formUnion(new)
            let entries = new.flatMap { rows[$0] ?? [] }
            let loaded = try entries.flatMap { try acts(in: $0.key, $0.value, database) }
            facts += loaded
            new = Set(loaded.lazy.compactMap(\.newOwner)).subtracting(loadedOwners)
        }
        return true
    }

    /// Reads the grants and cuts of others in one row of a log.
    private func acts(
        in log: LogName, _ entry: LogEntry, _ database: Database
    ) throws -> [ControlFact] {
        let author = PlacedBatch.Author(log: log, person: entry.person)
        var acts: [ControlFact] = []
        _ = try ControlTable(database: database, space: number)
            .forEach(of: author, inLog: entry.number) { batch in
                acts += batch.controlFacts.filter(\.isAct)
            }
        return acts
    }

    /// Forgets the grants and cuts of people who are no longer owners.
    /// - Returns: whether there were any.
    private mutating func dropActs() -> Bool {
        let gone = loadedOwners.subtracting(membership.owners)
        guard !gone.isEmpty else { return false }
        facts.removeAll { $0.isAct && gone.contains($0.author) }
        loadedOwners.subtract(gone)
        return true
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
        repeat { try judge(batches) } while try loadActs(batches.database)
        if dropActs() { try judge(batches) }
        silentLogs = []
        for (name, entry) in logs {
            if !membership.mayWrite(entry.person, in: name) { silentLogs.insert(name) }
            update(name, try limited(entry, name, batches))
        }
    }

    private mutating func judge(_ batches: BatchTable) throws {
        let tree = tree(try places(in: batches))
        membership = Membership(
            of: descriptor, facts: allFacts, tree: tree, claimants: claimants, removed: removed)
        guard attributeLogs() else { return }
        // Another author's cuts concern another person, so other facts may have an effect.
        if try !loadFacts(batches.database) { damage.recordFound() }
        membership = Membership(
            of: descriptor, facts: allFacts, tree: self.tree(try places(in: batches)),
            claimants: claimants, removed: removed)
    }

    /// Attributes the logs of devices that several people claim.
    /// - Returns: whether a log belongs to another person now.
    private mutating func attributeLogs() -> Bool {
        var hasChanged = false
        for (device, person) in membership.authors {
            for row in rows(of: device) where logs[row]?.person != person {
                change(row) { $0.person = person }
                hasChanged = true
            }
        }
        return hasChanged
    }

    /// Returns the person whose batches a device writes in the space; nil if nobody who claims the
    /// device has a role.
    /// - Parameter people: the people who claim the device.
    func author(on device: DeviceID, claimedBy people: [PersonID]) -> PersonID? {
        guard claimants[device] == nil else { return membership.authors[device] }
        return people.first { membership.member($0) != nil }
    }

    func limited(
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
            if entry.number != before.number || entry.person != before.person { return true }
            if before.counts, silentLogs.contains(name) != earlier.silentLogs.contains(name) {
                return true
            }
            return entry.counted < before.counted
                || before.counted < before.high && before.counted < entry.counted
        }
    }
}

extension ControlFact {
    /// The person it makes an owner, if it counts.
    fileprivate var newOwner: PersonID? {
        if case .grant(let person, .owner) = action { person } else { nil }
    }

    /// Whether it is of the same kind as an earlier operation of the same device. Only operations
    /// that are limited by number are compared.
    fileprivate func follows(_ other: ControlFact) -> Bool {
        batch.log.device == other.batch.log.device && isOwnCut == other.isOwnCut && !other.isAct
            && (batch.number, index) > (other.batch.number, other.index)
    }
}
