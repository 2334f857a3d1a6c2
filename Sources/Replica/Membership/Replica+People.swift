internal import GRDB
public import Identity
public import Records

// The people known to this replica, and their devices.
extension Replica {
    /// Stores a person's record, or merges it with the stored one.
    /// - Returns: commits to announce, as if the record had arrived as a claim.
    /// - Throws: ``IdentityFault``, or ``ReplicaFault``; nothing was changed then.
    @discardableResult
    public func learn(_ record: PersonRecord) throws -> [Commit] {
        let merged = try people[record.person]?.merging(record) ?? record
        return try store([record.person: merged])
    }

    /// Returns the number of signatures that ``learn(_:)`` would check of a claim; nil if the claim
    /// says nothing new. No signature is checked.
    /// - Throws: ``IdentityFault/malformed(_:)``.
    public func checksCount(of claim: ClaimedPersonRecord) throws -> Int? {
        let news = try claim.news(to: people[claim.person])
        return news.isEmpty ? nil : news.checksCount
    }

    /// Checks the new parts of claims on the replica's own queue, and stores them in one
    /// transaction. If several people claim a device and another of them is its author
    /// now, the device's logs are attributed again, and their spaces are merged again.
    ///
    /// For example, Ann and Bob list one device, and until now only Bob's record was here. With
    /// Ann's, the device's batches count for her: the result has a commit for each of them.
    /// Announce these commits like any others.
    /// - Returns: a commit for each batch that counts for another person now, and for each that
    ///   counts only now; mostly none.
    /// - Throws: the first ``IdentityFault`` found, or ``ReplicaFault``; nothing was changed then.
    @discardableResult
    public func learn(_ claims: [ClaimedPersonRecord]) throws -> [Commit] {
        var merged: [PersonID: PersonRecord] = [:]
        for claim in claims {
            let news = try claim.news(to: merged[claim.person] ?? people[claim.person])
            if !news.isEmpty { merged[claim.person] = try news.checked() }
        }
        return try store(merged)
    }

    /// Stores merged records in one transaction, if they differ from the known ones.
    private func store(_ records: [PersonID: PersonRecord]) throws -> [Commit] {
        let changed = records.filter { $1 != people[$0] }
        guard !changed.isEmpty else { return [] }
        let known = people.merging(changed) { $1 }
        let rivals = RivalClaims(among: known.values)
        let (claims, attributed) = try write { database in
            for person in changed.keys.sorted() {
                guard let record = changed[person] else { continue }
                try store(record, in: database)
            }
            let claims = try StateLoader(database: database).claims()
            if let own = claims[device]?.first { try nameCounterparts(of: own, in: database) }
            return (claims, try attributeLogs(to: rivals, in: database))
        }
        (people, self.claims, self.rivals) = (known, claims, rivals)
        adopt(attributed.map(\.result))
        return attributed.flatMap(\.commits)
    }

    /// Attributes the logs of devices again that several people claim.
    private func attributeLogs(
        to rivals: RivalClaims, in database: Database
    ) throws -> [(result: SpaceTransaction.Result, commits: [Commit])] {
        let outdated = states.all.filter { $0.claimants != rivals.candidates }
        return try outdated.sorted { $0.id < $1.id }.map { state in
            let transaction = transaction(database, state, .min)
            let commits = try transaction.attribute(to: rivals.candidates)
            return (transaction.result, commits)
        }
    }

    private func store(_ record: PersonRecord, in database: Database) throws {
        let person = record.person
        try database.execute(
            sql: "INSERT OR REPLACE INTO person VALUES (?, ?)",
            arguments: [person.sql, record.encoded.sql])
        let known = Set(people[person]?.devices ?? [])
        for device in known.subtracting(record.devices) {
            try database.execute(
                sql: "DELETE FROM device WHERE device = ? AND person = ?",
                arguments: [device.sql, person.sql])
        }
        for device in record.devices.subtracting(known).sorted() {
            try database.execute(
                sql: "INSERT INTO device (device, person) VALUES (?, ?)",
                arguments: [device.sql, person.sql])
        }
    }

    /// Stores the person each space is shared with, which depends on this replica's own person.
    private func nameCounterparts(of own: PersonID, in database: Database) throws {
        for space in states.all {
            try database.execute(
                sql: "UPDATE space SET person = ? WHERE number = ?",
                arguments: [space.descriptor.counterpart(of: own)?.sql, space.number])
        }
    }

    /// Returns the first person known to list a device as theirs, or nil.
    public func person(of device: DeviceID) -> PersonID? { claims[device]?.first }

    /// Returns the records that decide who wrote a log: the author's, and those of the other
    /// members who claim the device. Returns none if the log is not stored here.
    public func authorRecords(of log: LogName, in space: SpaceID) -> [PersonRecord] {
        guard let state = states[space], let author = state.logs[log]?.person else { return [] }
        let others = (rivals.people[log.device] ?? []).filter {
            $0 != author && state.membership.member($0) != nil
        }
        return ([author] + others).compactMap { people[$0] }
    }

    /// Returns the record of a person, or nil if it is not known.
    public func personRecord(_ person: PersonID) -> PersonRecord? { people[person] }
}

extension SpaceDescriptor {
    /// Returns the other person of a pair, or the owner of the space; nil if there is neither.
    func counterpart(of own: PersonID) -> PersonID? {
        guard case .pair(let one, let other) = self else { return owner }
        return own == one ? other : one
    }
}
