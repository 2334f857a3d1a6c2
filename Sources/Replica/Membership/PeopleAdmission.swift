internal import Identity
internal import Records

/// The records that one step stores and drops, and the people each group counts afterwards. No
/// person's record is both stored and dropped.
struct PeopleChange {
    /// The records to store, each of a person whose record differs or is not known.
    private(set) var stored: [PersonID: PersonRecord] = [:]
    /// The known records to drop.
    private(set) var dropped: [PersonID: PersonRecord] = [:]
    fileprivate(set) var introduced: IntroducedPeople

    /// Whether no record changes.
    var isEmpty: Bool { stored.isEmpty && dropped.isEmpty }

    fileprivate init(introduced: IntroducedPeople) { self.introduced = introduced }

    /// Stores a record in place of the known one, also if that was to be dropped.
    fileprivate mutating func store(_ record: PersonRecord, insteadOf known: PersonRecord?) {
        dropped[record.person] = nil
        stored[record.person] = record == known ? nil : record
    }

    /// Drops the known record of a person, if there is one, and stores none.
    fileprivate mutating func drop(_ person: PersonID, known: PersonRecord?) {
        stored[person] = nil
        dropped[person] = known
    }
}

/// Decides which records are stored.
///
/// A record of a known person is always stored, since it may remove a device. A person who was
/// forgotten in the same step counts as unknown.
///
/// Each group may introduce ``Limits/groupPeopleMax`` people that nothing else names. Beyond that,
/// the group's people that no stored log and no open space needs are forgotten, once in a step. If
/// there is still no room, a new record is left out: newcomers of one step do not displace each
/// other.
///
/// Example: an owner grants roles to a thousand people who never write, and then to Ann. The
/// thousand are forgotten when Ann's record arrives. If each of them had written one batch,
/// Ann's record would be left out, and her batches would wait for room.
struct PeopleAdmission {
    private(set) var change: PeopleChange
    private let known: [PersonID: PersonRecord]
    private let spaces: [SpaceState]
    private let device: DeviceID
    /// The people named by the open spaces' descriptors.
    private let named: Set<PersonID>
    /// The groups whose unneeded people were forgotten in this step.
    private var cleared: Set<SpaceID> = []

    /// - Parameters:
    ///   - known: the records that are stored.
    ///   - spaces: the open spaces.
    ///   - device: the replica's own device.
    init(
        _ known: [PersonID: PersonRecord], _ introduced: IntroducedPeople, spaces: [SpaceState],
        device: DeviceID
    ) {
        change = PeopleChange(introduced: introduced)
        self.known = known
        (self.spaces, self.device) = (spaces, device)
        named = Set(spaces.lazy.flatMap(\.descriptor.people))
    }

    /// Adds a record, if it differs from the known one and there is room for it.
    mutating func add(_ record: PersonRecord) {
        let person = record.person
        let known = known[person]
        if known == nil || change.dropped[person] != nil {
            let groups = groups(introducing: record)
            guard groups.isEmpty || introduce(person, in: groups) else { return }
        }
        change.store(record, insteadOf: known)
    }

    /// Counts the people who are known already.
    mutating func countKnown() {
        for record in known.values.sorted(by: { $0.person < $1.person }) {
            let groups = groups(introducing: record)
            let free = groups.first { change.introduced.hasRoom(in: $0.id) }
            guard let group = free ?? groups.first else { continue }
            change.introduced.insert(record.person, in: group.id)
        }
    }

    /// Forgets a group that is not open any more, its owner, and the people who counted in it. A
    /// person stays known if something else names them, another group has them as a member and has
    /// room, or a stored log needs their record.
    mutating func forget(_ group: SpaceState) {
        let people = change.introduced.people(in: group.id).union(group.descriptor.people)
        change.introduced.remove(group.id)
        for person in people.sorted() {
            guard let record = known[person], !isNamed(record) else { continue }
            let others = groups(introducing: record)
            if let other = others.first(where: { change.introduced.hasRoom(in: $0.id) }) {
                change.introduced.insert(person, in: other.id)
            } else if !isNeeded(record) {
                change.drop(person, known: record)
            }
        }
    }

    /// Forgets people who are known only because of logs of open spaces, unless a stored log needs
    /// their record.
    mutating func forget(brought people: some Sequence<PersonID>) {
        for person in people {
            guard let record = known[person], !isNamed(record), groups(introducing: record).isEmpty,
                !isNeeded(record)
            else { continue }
            change.drop(person, known: record)
        }
    }

    /// The groups in which a person may count; none if something else names them.
    private func groups(introducing record: PersonRecord) -> [SpaceState] {
        guard !isNamed(record) else { return [] }
        return spaces.filter {
            $0.descriptor.kind == .group && $0.membership.member(record.person) != nil
        }.sorted { $0.id < $1.id }
    }

    private mutating func introduce(_ person: PersonID, in groups: [SpaceState]) -> Bool {
        for group in groups where change.introduced.hasRoom(in: group.id) {
            change.introduced.insert(person, in: group.id)
            return true
        }
        for group in groups {
            change.introduced.recordCrowd(in: group.id)
            if cleared.insert(group.id).inserted { dropUnneeded(in: group) }
            guard change.introduced.hasRoom(in: group.id) else { continue }
            change.introduced.insert(person, in: group.id)
            return true
        }
        return false
    }

    private mutating func dropUnneeded(in group: SpaceState) {
        for person in change.introduced.people(in: group.id) {
            guard let record = change.stored[person] ?? known[person] else { continue }
            if isNamed(record) {
                change.introduced.remove(person, from: group.id)
            } else if !isNeeded(record, in: group) {
                change.introduced.remove(person, from: group.id)
                change.drop(person, known: known[person])
            }
        }
    }

    /// Whether this replica's person is meant, or an open space's descriptor names the person.
    private func isNamed(_ record: PersonRecord) -> Bool {
        record.devices.contains(device) || named.contains(record.person)
    }

    /// Whether a stored log belongs to a person, or to a device that they claim: then their record
    /// decides whose log it is.
    private func isNeeded(_ record: PersonRecord, in group: SpaceState) -> Bool {
        // Most people wrote in the group that introduced them.
        group.bytesByPerson[record.person] != nil || isNeeded(record)
    }

    private func isNeeded(_ record: PersonRecord) -> Bool {
        let devices = record.claims.keys
        return spaces.contains { space in
            space.bytesByPerson[record.person] != nil
                || devices.contains { !space.rows(of: $0).isEmpty }
        }
    }
}

extension SpaceDescriptor {
    /// The people whom it names.
    fileprivate var people: [PersonID] {
        switch self {
        case .pair(let one, let other): [one, other]
        case .own(let owner), .card(let owner), .group(let owner, _): [owner]
        case .open: []
        }
    }
}
