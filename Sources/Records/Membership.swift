/// The membership of a space and the part of each log that counts. The result depends on the
/// space's descriptor and the set of control operations, not on their order of arrival.
///
/// Owners have levels. The owner in the descriptor has level 0; a person made owner by an owner of
/// level n has level n + 1, unless they have a lower level already. An owner's grants and cuts
/// count only for people of later levels, and only in batches that lie within the cuts of more
/// senior owners. So no level can change the result of an earlier one.
///
/// For example, Ann owns a group and makes Bob and Cem owners of level 1. Bob's cut of Cem is void,
/// because both have the same level. Ann's cut of Bob lists his batch 5: Bob's grants and cuts in
/// batches 1 to 5 still count, those in batch 6 do not.
public struct Membership: Sendable {
    private let kind: SpaceKind
    private var tree: LogTree
    private var histories: [PersonID: MemberHistory] = [:]
    private var levels: [PersonID: Int] = [:]
    private var own: [PersonID: [ControlFact]]
    /// The control operations of the devices that several people claim.
    private var contested: [DeviceID: [ControlFact]] = [:]
    /// The devices that several people claim.
    private let shared: Set<DeviceID>
    /// The person for whom each device counts, if several people claim the device. A device is
    /// missing if no claimant has a role.
    public private(set) var authors: [DeviceID: PersonID] = [:]
    /// The control operations that count.
    private var counted: Set<ControlFact> = []
    /// For each person, the devices that their record no longer lists.
    private var removed: [PersonID: Set<DeviceID>]
    /// The number of histories that the evaluation built; its cost.
    private(set) var historiesCount = 0
    /// The number of the given control operations without effect in batches that count.
    public private(set) var voidCount = 0

    /// Evaluates the control operations of a space.
    /// - Parameters:
    ///   - facts: the control operations that are stored here and due.
    ///   - tree: the forks of the logs, and the logs that contain the batches listed in cuts.
    ///   - claimants: for each device claimed by several people, the candidates, most preferred
    ///     first. The authors that the facts name for these devices are ignored.
    ///   - removed: for each person, the devices that their record no longer lists.
    public init(
        of space: SpaceDescriptor, facts: some Sequence<ControlFact> = [],
        tree: LogTree = LogTree(), claimants: [DeviceID: [PersonID]] = [:],
        removed: [PersonID: Set<DeviceID>] = [:]
    ) {
        kind = space.kind
        self.removed = removed
        shared = Set(claimants.keys)
        var tree = tree
        for fact in facts { tree.places[fact.batch] = fact.batch.log }
        self.tree = tree
        own = Dictionary(
            grouping: facts.filter { claimants[$0.batch.log.device] == nil }, by: \.author)
        contested = Dictionary(grouping: facts, by: \.batch.log.device)
            .filter { claimants[$0.key] != nil }
        switch space {
        case .own(let person), .card(let person):
            assign(claimants) { $0 == person }
            setFoundingRoles([person: .owner])
        case .pair(let one, let other):
            assign(claimants) { $0 == one || $0 == other }
            setFoundingRoles([one: .writer, other: .writer])
        case .open:
            assign(claimants) { _ in true }
            setFoundingRoles(own.mapValues { _ in .writer })
        case .group(let owner, _): evaluateGroup(from: owner, claimants)
        }
        countEffective(Set(own.values.joined()))
    }

    /// Assigns each claimed device that has no author yet to the first eligible claimant.
    private mutating func assign(
        _ claimants: [DeviceID: [PersonID]], to isEligible: (PersonID) -> Bool
    ) {
        for (device, people) in claimants where authors[device] == nil {
            guard let author = people.first(where: isEligible) else { continue }
            authors[device] = author
            own[author, default: []] += (contested[device] ?? []).map { $0.written(by: author) }
        }
    }

    /// Sets the roles of a space that is not a group. It has no grants, and its people cannot leave
    /// it: an own cut ends the logs that it lists.
    private mutating func setFoundingRoles(_ roles: [PersonID: Role]) {
        for (person, role) in roles {
            histories[person] = evaluateHistory(of: person, founding: role, acts: [])
            if role == .owner { levels[person] = 0 }
        }
    }

    /// Returns a person's history by the acts that are known.
    private func history(
        of person: PersonID, founding: Role?, acts: [MemberHistory.OwnerAct]
    ) -> MemberHistory {
        MemberHistory(
            of: person, founding: founding, canLeave: kind == .group,
            admitsAnyBranch: kind == .open, acts: acts, own: own[person] ?? [], tree: tree,
            removed: removed[person] ?? [])
    }

    /// Evaluates the control operations of one person of an open space again. Nobody's depend on
    /// those of others there, so any number of people who end logs cost no more than their own.
    /// - Parameters:
    ///   - facts: all control operations of the person that are stored here.
    ///   - tree: the forks of the person's logs, and the logs that contain the batches listed.
    ///   - removed: the devices that the person's record no longer lists.
    public mutating func judge(
        _ person: PersonID, facts: [ControlFact], tree: LogTree, removed: Set<DeviceID>
    ) {
        precondition(kind == .open, "only in an open space people are judged one by one")
        voidCount -= voidCount(among: own[person] ?? [])
        counted.subtract(own[person] ?? [])
        own[person] = facts.isEmpty ? nil : facts
        self.removed[person] = removed.isEmpty ? nil : removed
        self.tree = tree
        for fact in facts { self.tree.places[fact.batch] = fact.batch.log }
        histories[person] =
            facts.isEmpty ? nil : evaluateHistory(of: person, founding: .writer, acts: [])
        counted.formUnion(histories[person]?.ownCuts ?? [])
        voidCount += voidCount(among: facts)
    }

    private mutating func evaluateHistory(
        of person: PersonID, founding: Role? = nil, acts: [MemberHistory.OwnerAct]
    ) -> MemberHistory {
        historiesCount += 1
        return history(of: person, founding: founding, acts: acts)
    }

    /// The acts of a group's owners that were collected so far.
    private struct CollectedActs {
        var bySubject: [PersonID: [MemberHistory.OwnerAct]] = [:]
        /// The people who were granted a role.
        var granted: Set<PersonID> = []
        /// The people who were granted the role of an owner.
        var grantedOwner: Set<PersonID> = []
        /// The people whom acts of the level concern that was collected last.
        var fresh: Set<PersonID> = []

        mutating func insert(_ act: MemberHistory.OwnerAct, about subject: PersonID) {
            bySubject[subject, default: []].append(act)
            fresh.insert(subject)
            guard case .grant(_, let role) = act.fact.action else { return }
            granted.insert(subject)
            if role == .owner { grantedOwner.insert(subject) }
        }
    }

    /// Evaluates the owners of a group, level by level.
    ///
    /// If several people claim a device, it counts for the first of them who owns the space or
    /// received a role from a level evaluated before. So the device's own operations cannot decide
    /// for whom it counts.
    ///
    /// Only a person whom acts of the last level concern can have become an owner: if a device
    /// counts for someone since then, it is one of these people. So a chain of 200 owners, of whom
    /// the first grants roles to 20 000 writers, takes one history for each person, and not one for
    /// each person and level.
    private mutating func evaluateGroup(
        from owner: PersonID, _ claimants: [DeviceID: [PersonID]]
    ) {
        var acts = CollectedActs()
        var claimed: [PersonID: [DeviceID]] = [:]
        for (device, people) in claimants {
            for person in people { claimed[person, default: []].append(device) }
        }
        assign(claimants) { $0 == owner }
        histories[owner] = evaluateHistory(of: owner, founding: .owner, acts: [])
        var owners: [PersonID] = [owner]
        var level = 0
        while !owners.isEmpty {
            for author in owners { levels[author] = level }
            acts.fresh = []
            for author in owners { collectActs(of: author, level: level, into: &acts) }
            level += 1
            let devices = Set(acts.fresh.lazy.flatMap { claimed[$0] ?? [] })
            for device in devices {
                assign([device: claimants[device] ?? []], to: acts.granted.contains)
            }
            owners = acts.fresh.filter { becomesOwner($0, acts) }
        }
        for (person, acts) in acts.bySubject where levels[person] == nil {
            histories[person] = evaluateHistory(of: person, acts: acts)
        }
    }

    private mutating func becomesOwner(_ person: PersonID, _ acts: CollectedActs) -> Bool {
        guard acts.grantedOwner.contains(person) else { return false }
        let history = evaluateHistory(of: person, acts: acts.bySubject[person] ?? [])
        guard history.hasBeenOwner else { return false }
        histories[person] = history
        return true
    }

    /// Collects an owner's grants and cuts of people of later levels.
    private func collectActs(
        of author: PersonID, level: Int, into acts: inout CollectedActs
    ) {
        guard let history = histories[author] else { return }
        var isOwner: [LogName: Bool] = [:]
        for fact in own[author] ?? [] {
            let log = fact.batch.log
            let mayAct = isOwner[log] ?? history.isOwner(log)
            isOwner[log] = mayAct
            guard let subject = fact.subject, levels[subject] == nil, mayAct,
                history.counts(fact.batch)
            else { continue }
            acts.insert(MemberHistory.OwnerAct(fact: fact, level: level), about: subject)
        }
    }

    /// Separates the facts that have an effect from those that have none.
    private mutating func countEffective(_ facts: Set<ControlFact>) {
        for history in histories.values {
            counted.formUnion((history.grants + history.removals).map(\.fact))
            counted.formUnion(history.ownCuts)
            if kind == .group { counted.formUnion(history.accepts) }
        }
        voidCount = voidCount(among: facts)
    }

    private func voidCount(among facts: some Sequence<ControlFact>) -> Int {
        facts.reduce(0) { $0 + (isVoid($1) ? 1 : 0) }
    }

    private func isVoid(_ fact: ControlFact) -> Bool {
        guard !counted.contains(fact), !fact.isErase else { return false }
        return fact.batch.number <= reach(of: fact.batch.log, by: fact.author)
    }

    // MARK: Questions

    /// Whether a control operation has an effect. Erases have a separate rule and are not evaluated
    /// here.
    public func counts(_ fact: ControlFact) -> Bool { counted.contains(fact) }

    /// The number of effective grants, accepts and cuts; 0 in spaces that are not groups.
    public var epoch: UInt64 { kind == .group ? UInt64(counted.count) : 0 }

    /// Returns the number of the last batch that counts in a log of a person's device: 0 for none,
    /// ``Limits/batchNumberMax`` if no cut limits the log.
    public func reach(of log: LogName, by person: PersonID) -> UInt64 {
        known(person, writing: log)?.reach(of: log) ?? 0
    }

    /// Returns the same if a device that the person lists ended the log, which is one of a device
    /// that the person does not list; nil if none did. Only such a log is stored.
    public func reachOfEnded(_ log: LogName, by person: PersonID) -> UInt64? {
        guard let history = known(person, writing: log), history.isEnded(log) else { return nil }
        return history.reach(of: log)
    }

    /// Whether operations in a person's log count, apart from accepts and own cuts: the person has
    /// been granted a writing role and has accepted it.
    public func mayWrite(_ person: PersonID, in log: LogName) -> Bool {
        known(person, writing: log)?.mayWrite(log) ?? false
    }

    /// Whether grants and cuts in a person's log count.
    public func isOwner(_ person: PersonID, in log: LogName) -> Bool {
        kind == .group && known(person, writing: log)?.isOwner(log) ?? false
    }

    /// Returns the branch of the logs that a person's devices begin now, or nil if their new
    /// batches would not count.
    public func branch(of person: PersonID) -> BranchName? { known(person)?.branch }

    /// Whether a person's device may continue a log: it belongs to the person's present term, and
    /// no cut ends it.
    public func goesOn(_ log: LogName, by person: PersonID) -> Bool {
        known(person, writing: log)?.goesOn(log) ?? false
    }

    /// Returns a person's membership, or nil if the person was never granted a role. In an open
    /// space everyone is a member.
    public func member(_ person: PersonID) -> Member? { known(person)?.member }

    /// Whether a person founded the space or has ever accepted a role in it.
    public func hasJoined(_ person: PersonID) -> Bool { known(person)?.hasJoined ?? false }

    /// All people with a membership, ordered by id. In an open space these are the authors of
    /// control operations.
    public var members: [Member] {
        histories.values.compactMap(\.member).sorted { $0.person < $1.person }
    }

    /// The people who own the space or were made owners in any of their terms.
    public var owners: Set<PersonID> { Set(levels.keys) }

    /// Returns an owner's seniority, 0 for the owner of the space; nil for people who are not
    /// owners.
    public func level(of person: PersonID) -> Int? { levels[person] }

    /// Returns a person's history, unless the log is of a device that counts for somebody else.
    private func known(_ person: PersonID, writing log: LogName) -> MemberHistory? {
        let isOwn = shared.isEmpty || !shared.contains(log.device) || authors[log.device] == person
        return isOwn ? known(person) : nil
    }

    private func known(_ person: PersonID) -> MemberHistory? {
        if let history = histories[person] { return history }
        return kind == .open ? history(of: person, founding: .writer, acts: []) : nil
    }
}

extension ControlFact {
    fileprivate var isErase: Bool {
        if case .erase = action { true } else { false }
    }
}
