internal import Identity
internal import Records

/// The devices that several people claim, by all records that are known.
///
/// The result depends on the records alone, not on the order of their arrival, and a claim counts
/// after the device's removal too. So replicas with the same records agree at any time.
///
/// Example: Ann and Bob founded themselves on one device, and Ann's id is the lower one. In a group
/// with both members, the device's batches count as Ann's. Then Ann removes the device: they count
/// as Bob's, also those that are stored already. If Bob removes it too, they count as Ann's again,
/// and new ones are stored only up to a cut by a device that Ann lists.
struct RivalClaims {
    /// All claims of each device.
    private var claims: SharedMap<DeviceID, [Claim]> = [:]
    /// For each device claimed by several people: the candidates, most preferred first. People who
    /// list the device come first, then people who founded themselves on it, then by id. Doubtful
    /// claims are left out, so a stolen and removed device cannot decide. The list may be empty.
    private(set) var candidates: [DeviceID: [PersonID]] = [:]
    /// For each person, the devices that they claim and do not list any more.
    private(set) var removed: [PersonID: Set<DeviceID>] = [:]

    init(among records: some Sequence<PersonRecord>) {
        for record in records { adopt(change(from: nil, to: record)) }
    }

    /// Returns all people who claim a device, ordered by id; none if only one person does.
    func people(claiming device: DeviceID) -> [PersonID] {
        let rivals = claims[device] ?? []
        return rivals.count > 1 ? rivals.map(\.person).sorted() : []
    }

    /// Returns the people for whom a device's batches may count. Whether new ones are stored
    /// depends on whether the person lists the device.
    func claimants(of device: DeviceID) -> [PersonID] {
        candidates[device] ?? claims[device]?.map(\.person) ?? []
    }

    /// The effect of some records. It names only devices that these records claim or claimed.
    struct Change {
        /// All claims of these devices.
        fileprivate var claims: [DeviceID: [Claim]] = [:]
        /// The devices for which other people may count now.
        private(set) var contested: [DeviceID: [PersonID]?] = [:]

        /// The devices that a person lists no longer, or again.
        private(set) var relisted: Set<DeviceID> = []
        /// ``RivalClaims/removed`` after the change.
        fileprivate(set) var removed: [PersonID: Set<DeviceID>] = [:]

        /// The people who claim one of these devices, or claimed it.
        private(set) var people: Set<PersonID> = []

        /// The devices for which other people may count now, or other batches.
        var devices: Set<DeviceID> { relisted.union(contested.keys) }

        fileprivate mutating func judge(against known: RivalClaims) {
            removed = known.removed
            for (device, rivals) in claims {
                judgeRemovals(of: device, rivals, known.claims[device] ?? [])
                let candidates = rivals.count > 1 ? Claim.candidates(of: rivals) : nil
                guard candidates != known.candidates[device] else { continue }
                contested.updateValue(candidates, forKey: device)
                people.formUnion((rivals + (known.claims[device] ?? [])).map(\.person))
            }
        }

        private mutating func judgeRemovals(
            of device: DeviceID, _ rivals: [Claim], _ known: [Claim]
        ) {
            let after = Set(rivals.lazy.filter { $0.kind != .present }.map(\.person))
            let before = Set(known.lazy.filter { $0.kind != .present }.map(\.person))
            for person in after.subtracting(before) {
                removed[person, default: []].insert(device)
            }
            for person in before.subtracting(after) {
                removed[person]?.remove(device)
                if removed[person]?.isEmpty == true { removed[person] = nil }
            }
            if after != before { relisted.insert(device) }
        }
    }

    /// Returns what a person's new record changes.
    /// - Parameters:
    ///   - old: the known record, or nil if there is none.
    ///   - new: the record that takes its place, or nil if it is dropped.
    func change(from old: PersonRecord?, to new: PersonRecord?) -> Change {
        change([(old, new)])
    }

    /// Returns what several people's new records change.
    func change(_ records: [(old: PersonRecord?, new: PersonRecord?)]) -> Change {
        var change = Change()
        for (old, new) in records {
            let (before, after) = (old?.claims ?? [:], new?.claims ?? [:])
            for device in Set(before.keys).union(after.keys) where before[device] != after[device] {
                var rivals = change.claims[device] ?? claims[device] ?? []
                rivals.removeAll { $0.person == old?.person }
                if let new, let kind = after[device] {
                    rivals.append(
                        Claim(
                            kind: kind, isFounder: new.founding.firstDevice == device,
                            person: new.person))
                }
                change.claims[device] = rivals
            }
        }
        change.judge(against: self)
        return change
    }

    /// The part that decides which batches count in a space.
    struct Standing {
        var candidates: [DeviceID: [PersonID]] = [:]
        var removed: [PersonID: Set<DeviceID>] = [:]
    }

    /// ``candidates`` and ``removed``.
    var standing: Standing { Standing(candidates: candidates, removed: removed) }

    /// Returns ``standing`` as it is after a change.
    func standing(after change: Change) -> Standing {
        var standing = Standing(candidates: candidates, removed: change.removed)
        for (device, people) in change.contested { standing.candidates[device] = people }
        return standing
    }

    /// Makes a change.
    mutating func adopt(_ change: Change) {
        for (device, rivals) in change.claims { claims[device] = rivals.isEmpty ? nil : rivals }
        for (device, people) in change.contested { candidates[device] = people }
        removed = change.removed
    }

    fileprivate struct Claim {
        let kind: DeviceClaim
        let isFounder: Bool
        let person: PersonID

        static func candidates(of rivals: [Claim]) -> [PersonID] {
            rivals.filter { $0.kind != .doubtful }.sorted(by: precedes).map(\.person)
        }

        static func precedes(_ one: Claim, _ other: Claim) -> Bool {
            let (isOne, isOther) = (one.kind == .present, other.kind == .present)
            if isOne != isOther { return isOne }
            if one.isFounder != other.isFounder { return one.isFounder }
            return one.person < other.person
        }
    }
}
