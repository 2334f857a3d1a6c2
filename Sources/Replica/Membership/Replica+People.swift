internal import GRDB
public import Identity
public import Records

// The people known to this replica, and their devices.
extension Replica {
    /// Stores a person's record, or merges it with the stored one. A person is not
    /// stored if their group has no room for more people; see ``PeopleAdmission``.
    /// - Parameter wallTime: the corrected time; without it, nothing is postponed.
    /// - Returns: commits to announce, as if the record had arrived as a claim.
    /// - Throws: ``IdentityFault``, or ``ReplicaFault``; nothing was changed then.
    @discardableResult
    public func learn(_ record: PersonRecord, wallTime: Timestamp = .min) throws -> [Commit] {
        let merged = try people[record.person]?.merging(record) ?? record
        return try store([record.person: merged], wallTime)
    }

    /// Returns the number of signatures that ``learn(_:)`` would check of a claim; nil if the claim
    /// says nothing new. No signature is checked.
    /// - Throws: ``IdentityFault/malformed(_:)``.
    @concurrent public nonisolated func checksCount(
        of claim: ClaimedPersonRecord
    ) async throws -> Int? {
        let news = try claim.news(to: await personRecord(claim.person))
        return news.isEmpty ? nil : news.checksCount
    }

    /// Checks the new parts of claims, and then stores them in one transaction. The signatures are
    /// checked before the replica's own queue is entered, so reads and writes go on meanwhile.
    ///
    /// If several people claim a device and another of them is its author now, the device's logs
    /// are attributed again, and their spaces are merged again.
    ///
    /// For example, Ann and Bob list one device, and until now only Bob's record was here. With
    /// Ann's, the device's batches count for her: the result has a commit for each of them.
    /// Announce these commits like any others.
    ///
    /// The work is proportional to these records and to the logs of devices that several people
    /// claim, not to all known people. A person is not stored if their group has no room for more
    /// people; see ``PeopleAdmission``.
    ///
    /// A space that was merged again too often for such records, or for held batches, keeps its
    /// present authors for a while. Then ``releaseDue(wallTime:)`` attributes its logs by all
    /// records that are known by then, or else the next start does. So any number of people who
    /// claim one device, each with a lower id, cost no more than the pace allows, and replicas that
    /// know the same records end equal.
    /// - Parameter wallTime: the corrected time; without it, nothing is postponed.
    /// - Returns: a commit for each batch that counts for another person now, and for each that
    ///   counts only now; mostly none.
    /// - Throws: the first ``IdentityFault`` found, or ``ReplicaFault``; nothing was changed then.
    @discardableResult
    @concurrent public nonisolated func learn(
        _ claims: [ClaimedPersonRecord], wallTime: Timestamp = .min
    ) async throws -> [Commit] {
        var checked: [PersonID: PersonRecord] = [:]
        for claim in claims {
            var known = checked[claim.person]
            if known == nil { known = await personRecord(claim.person) }
            let news = try claim.news(to: known)
            if !news.isEmpty { checked[claim.person] = try news.checked() }
        }
        try await recordKnown(claims.lazy.map(\.person))
        return checked.isEmpty ? [] : try await learn(checked: checked, wallTime: wallTime)
    }

    /// Merges checked records with the known ones, which may have grown during the check, and
    /// stores them in one transaction.
    private func learn(
        checked: [PersonID: PersonRecord], wallTime: Timestamp
    ) throws -> [Commit] {
        let merged = try checked.map { person, record in
            (person, try people[person]?.merging(record) ?? record)
        }
        return try store(Dictionary(uniqueKeysWithValues: merged), wallTime)
    }

    /// Stores merged records in one transaction, if they differ from the known ones and there is
    /// room for them.
    private func store(
        _ records: [PersonID: PersonRecord], _ wallTime: Timestamp
    ) throws -> [Commit] {
        try recordKnown(records.keys)
        guard records.contains(where: { $1 != people[$0] }) else { return [] }
        return try apply(change(by: records), wallTime)
    }

    /// Forgets the people who were known only because of groups that are not open any more.
    func forgetPeople(of closed: [SpaceState]) throws {
        var admission = PeopleAdmission(people, introduced, spaces: states.all, device: device)
        for group in closed { admission.forget(group) }
        _ = try apply(admission.change, .min)
    }

    func apply(_ change: PeopleChange, _ wallTime: Timestamp) throws -> [Commit] {
        guard !change.isEmpty else {
            introduced = change.introduced
            return []
        }
        let listings = listings(after: change)
        let claimed = claims(after: change)
        let attributed = try write { database in
            try write(change, in: database)
            if let own = listings[device]?.first, own != person(of: device) {
                try nameCounterparts(of: own, in: database)
            }
            return try attributeLogs(of: claimed, wallTime, in: database)
        }
        adopt(change, listings, claimed)
        adopt(attributed.map(\.result))
        chargeRecords(of: change.stored.keys)
        return attributed.flatMap(\.commits)
    }

    /// Returns what a change of records does to the claims of devices.
    func claims(after change: PeopleChange) -> RivalClaims.Change {
        rivals.change(
            change.stored.map { (old: people[$0], new: $1) }
                + change.dropped.values.map { (old: $0, new: nil) })
    }

    /// Adopts a committed change of records.
    func adopt(
        _ change: PeopleChange, _ listings: [DeviceID: [PersonID]], _ claimed: RivalClaims.Change
    ) {
        introduced = change.introduced
        for (person, _) in change.dropped {
            people[person] = nil
            brought[person] = nil
        }
        for (person, record) in change.stored {
            people[person] = record
            if brought[person] != nil { brought[person] = record.encoded.count }
        }
        for (device, listing) in listings { claims[device] = listing.isEmpty ? nil : listing }
        rivals.adopt(claimed)
    }

    func change(by records: [PersonID: PersonRecord]) -> PeopleChange {
        var admission = PeopleAdmission(people, introduced, spaces: states.all, device: device)
        for (_, record) in records.sorted(by: { $0.key < $1.key }) { admission.add(record) }
        return admission.change
    }

    /// Returns, for each device whose list of people changes, the people who list it afterwards, in
    /// the order in which that became known.
    func listings(after change: PeopleChange) -> [DeviceID: [PersonID]] {
        var listings: [DeviceID: [PersonID]] = [:]
        for (person, record) in change.dropped {
            for device in record.devices {
                listings[device, default: claims[device] ?? []].removeAll { $0 == person }
            }
        }
        for (person, record) in change.stored.sorted(by: { $0.key < $1.key }) {
            let known = people[person]?.devices ?? []
            for device in known.subtracting(record.devices) {
                listings[device, default: claims[device] ?? []].removeAll { $0 == person }
            }
            for device in record.devices.subtracting(known) {
                listings[device, default: claims[device] ?? []].append(person)
            }
        }
        return listings
    }

    /// Attributes the logs again of devices that other people claim now, or postpones that. A space
    /// with neither such a log nor one of these people as a member only adopts the claims.
    func attributeLogs(
        of change: RivalClaims.Change, _ wallTime: Timestamp, in database: Database
    ) throws -> [(result: SpaceTransaction.Result, commits: [Commit])] {
        let devices = change.devices
        guard !devices.isEmpty else { return [] }
        let standing = rivals.standing(after: change)
        var work = StepWork()
        return try states.all.sorted { $0.id < $1.id }.map { state in
            let hasLog = state.isAttributionPostponed || state.hasLog(ofAny: devices)
            guard hasLog || change.people.contains(where: { state.membership.member($0) != nil })
            else {
                var state = state
                state.adopt(standing)
                return (SpaceTransaction.Result(space: state, erasers: []), [])
            }
            return try attribute(state, to: standing, wallTime, in: database) {
                !hasLog || !state.isConcerned(by: standing)
                    || work.permit(unitsMax: state.rebuildUnitsMax)
            }
        }
    }

    private func attribute(
        _ state: SpaceState, to standing: RivalClaims.Standing, _ wallTime: Timestamp,
        in database: Database, mayRebuild: () -> Bool
    ) throws -> (result: SpaceTransaction.Result, commits: [Commit]) {
        let transaction = transaction(database, state, wallTime)
        let commits = try transaction.attribute(to: standing, mayRebuild: mayRebuild)
        return (transaction.result, commits)
    }

    /// Attributes the logs of a space if that was postponed and is due now.
    /// - Returns: commits to announce, as when a record was learned.
    func attributePostponed(in state: SpaceState, wallTime: Timestamp) throws -> [Commit] {
        let attributed = try write { database in
            try attribute(state, to: rivals.standing, wallTime, in: database) { true }
        }
        adopt([attributed.result])
        return attributed.commits
    }

    func write(_ change: PeopleChange, in database: Database) throws {
        for (person, record) in change.dropped {
            try database.execute(
                sql: "DELETE FROM person WHERE person = ?", arguments: [person.sql])
            try ReturnedPeople(database: database).remove(person)
            try delete(record.devices, of: person, in: database)
        }
        for (_, record) in change.stored.sorted(by: { $0.key < $1.key }) {
            try store(record, in: database)
        }
    }

    private func store(_ record: PersonRecord, in database: Database) throws {
        let person = record.person
        try database.execute(
            sql: "INSERT OR REPLACE INTO person (person, record, brought) VALUES (?, ?, ?)",
            arguments: [person.sql, record.encoded.sql, brought[person] != nil])
        try ReturnedPeople(database: database).record(people[person], record)
        let known = Set(people[person]?.devices ?? [])
        try delete(known.subtracting(record.devices), of: person, in: database)
        for device in record.devices.subtracting(known).sorted() {
            try database.execute(
                sql: "INSERT INTO device (device, person) VALUES (?, ?)",
                arguments: [device.sql, person.sql])
        }
    }

    private func delete(
        _ devices: Set<DeviceID>, of person: PersonID, in database: Database
    ) throws {
        for device in devices {
            try database.execute(
                sql: "DELETE FROM device WHERE device = ? AND person = ?",
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
        let others = rivals.people(claiming: log.device).filter {
            $0 != author && state.membership.member($0) != nil
        }
        return ([author] + others).compactMap { people[$0] }
    }

    /// Returns the records that name a recovery key. Usually there is at most one; but anyone can
    /// found a person who names the recovery key of another. The work is proportional to all known
    /// people.
    public func people(recoveredBy key: Bytes32) -> [PersonRecord] {
        people.values.filter { $0.founding.recoveryKey == key }.sorted { $0.person < $1.person }
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
