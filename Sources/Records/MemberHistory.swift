/// The grants, cuts and accepts that concern one person in a space, and which of that person's
/// batches count as a result.
///
/// Removals and departures, in the order of writes, divide the history into *terms*, counted from
/// 0. A log belongs to the term of the grant that its branch is named after; logs of the main
/// branch belong to term 0. The result depends on the set of facts alone, never on their order of
/// arrival.
///
/// For example, Ann grants Bob a role and Bob writes batches 1 to 3. Ann's cut lists batch 2 as
/// Bob's head, and she grants Bob a role again. Batches 1 and 2 count, batch 3 does not. Bob
/// continues in term 1 with a log named after the second grant, which counts from its first batch.
struct MemberHistory {
    /// A grant or cut by an owner, with that owner's seniority; 0 is the most senior.
    struct OwnerAct {
        let fact: ControlFact
        let level: Int
    }

    let person: PersonID
    /// The role given by the space's descriptor; it needs no grant and no accept.
    private let founding: Role?
    /// Whether the person's own cut may end the membership. The descriptors of spaces that are not
    /// groups name the members for ever: there, own cuts only end the logs they list.
    private let canLeave: Bool
    /// Whether a log of any branch belongs to the person's one term: in an open space the beginning
    /// of a log expires, and with it the batch that its branch is named after.
    private let admitsAnyBranch: Bool
    private let tree: LogTree
    /// The devices that the person's record no longer lists.
    private let removed: Set<DeviceID>
    /// The grants that count, in order.
    let grants: [OwnerAct]
    /// The cuts by other people that count, in order.
    let removals: [OwnerAct]
    /// The person's cuts of their own logs that count, in order.
    private(set) var ownCuts: [ControlFact] = []
    /// The facts that end a term, in order; the present term has none.
    private var breaks: [ControlFact]
    /// The effective grant of each term. Term 0 needs none if there is a founding role.
    private var effectiveGrants: [Int: OwnerAct] = [:]
    /// The accepts that count, in order.
    private(set) var accepts: [ControlFact] = []
    private var acceptedTerms: Set<Int> = []
    /// The heads that the own cuts name, by device, in the order of the cuts.
    private var ownHeads: [DeviceID: [(cut: ControlFact, head: LogHead)]] = [:]
    /// The result of ``reach(of:)`` for the logs of the person's facts.
    private var reaches: [LogName: UInt64] = [:]

    /// Evaluates the facts about a person.
    /// - Parameters:
    ///   - canLeave: whether the space is a group, so that the person may leave it.
    ///   - admitsAnyBranch: whether the space is open.
    ///   - acts: the grants and cuts of the person by owners who were entitled to them.
    ///   - own: the control operations that the person wrote.
    ///   - removed: the devices that the person's record no longer lists.
    init(
        of person: PersonID, founding: Role?, canLeave: Bool, admitsAnyBranch: Bool = false,
        acts: [OwnerAct], own: [ControlFact], tree: LogTree, removed: Set<DeviceID> = []
    ) {
        self.person = person
        self.founding = founding
        self.canLeave = canLeave
        self.admitsAnyBranch = admitsAnyBranch
        self.tree = tree
        self.removed = removed
        (grants, removals) = MemberHistory.effective(acts)
        breaks = removals.map(\.fact)
        effectiveGrants = MemberHistory.grantsByTerm(grants, breaks)
        collectOwnCuts(own.sorted())
        if canLeave { breaks = (breaks + ownCuts.filter(\.isLeaving)).sorted() }
        effectiveGrants = MemberHistory.grantsByTerm(grants, breaks)
        for log in Set(own.lazy.map(\.batch.log)) { reaches[log] = evaluateReach(of: log) }
        accepts = own.sorted().filter { $0.action == .accept && counts($0.batch) }
        acceptedTerms = Set(accepts.compactMap { term(of: $0.batch.log) })
    }

    /// Returns the acts that have an effect. After a cut, only an owner at least as senior as the
    /// one who cut may grant again.
    private static func effective(
        _ acts: [OwnerAct]
    ) -> (grants: [OwnerAct], removals: [OwnerAct]) {
        var (grants, removals): ([OwnerAct], [OwnerAct]) = ([], [])
        var removedBy: Int?
        for act in acts.sorted(by: { $0.fact < $1.fact }) {
            if case .cut = act.fact.action {
                removals.append(act)
                removedBy = min(removedBy ?? act.level, act.level)
            } else if act.level <= removedBy ?? act.level {
                grants.append(act)
                removedBy = nil
            }
        }
        return (grants, removals)
    }

    /// Collects the person's own cuts. An own cut counts only if it lies within the person's
    /// earlier own cuts, and if the person had a role before it. If the person cannot leave, a cut
    /// that lists no log has no effect.
    ///
    /// The cuts by removed devices come last, whatever their stamps, and end no log of a device
    /// that the person lists, unless the person left by them.
    private mutating func collectOwnCuts(_ own: [ControlFact]) {
        var limits: [LogName: OwnLimit] = [:]
        let cuts = own.filter { $0.isCut && $0.subject == person }
        for fact in cuts.filter(isByListed) + cuts.filter({ !isByListed($0) }) {
            let isGranted = founding != nil || grants.first.map { $0.fact < fact } ?? false
            guard isGranted, canLeave || !fact.heads.isEmpty, isWithinCuts(fact.batch, &limits)
            else { continue }
            ownCuts.append(fact)
            let mayEndAll = isByListed(fact) || canLeave && fact.isLeaving
            for head in fact.namedHeads where mayEndAll || removed.contains(head.log.device) {
                ownHeads[head.log.device, default: []].append((fact, head))
            }
        }
        ownCuts.sort()
    }

    /// Whether the person's record lists the device that wrote an operation.
    private func isByListed(_ fact: ControlFact) -> Bool {
        !removed.contains(fact.batch.log.device)
    }

    /// The limits of one log while the own cuts are collected, so that each head is compared with
    /// a log once.
    private struct OwnLimit {
        let byOthers: UInt64
        let beginning: Beginning
        var byOwn = OwnReach()
        var headsCount = 0
    }

    /// The reach of a log within own cuts that concern it; nil if none does.
    private struct OwnReach {
        var byListed: UInt64?
        var byRemoved: UInt64?

        /// - Parameter isRemoved: whether the log's device is not listed any more. Then the cuts by
        ///   listed devices decide alone, if there is one.
        func value(isRemoved: Bool) -> UInt64? {
            if isRemoved, let byListed { return byListed }
            return [byListed, byRemoved].compactMap(\.self).max()
        }
    }

    private func isWithinCuts(
        _ batch: BatchName, _ limits: inout [LogName: OwnLimit]
    ) -> Bool {
        let log = batch.log
        guard let beginning = beginning(of: log), hasRole(in: term(of: log)) else { return false }
        var limit =
            limits[log]
            ?? OwnLimit(byOthers: reachWithinRemovals(of: log, beginning), beginning: beginning)
        let heads = ownHeads[log.device] ?? []
        extend(&limit.byOwn, of: log, beginning, by: heads.dropFirst(limit.headsCount))
        limit.headsCount = heads.count
        limits[log] = limit
        let own = limit.byOwn.value(isRemoved: removed.contains(log.device))
        return batch.number <= min(limit.byOthers, own ?? Limits.batchNumberMax)
    }

    // MARK: Logs

    /// Returns the number of the last batch of a log that counts: 0 for none,
    /// ``Limits/batchNumberMax`` if no cut limits the log.
    func reach(of log: LogName) -> UInt64 { reaches[log] ?? evaluateReach(of: log) }

    private func evaluateReach(of log: LogName) -> UInt64 {
        guard let beginning = beginning(of: log), hasRole(in: term(of: log)) else { return 0 }
        let own = ownReach(of: log, beginning).value(isRemoved: removed.contains(log.device))
        return min(reachWithinRemovals(of: log, beginning), own ?? Limits.batchNumberMax)
    }

    /// Whether a device that the person lists ended a log.
    func isEnded(_ log: LogName) -> Bool {
        beginning(of: log).map { ownReach(of: log, $0).byListed != nil } ?? false
    }

    private func ownReach(of log: LogName, _ beginning: Beginning) -> OwnReach {
        var reach = OwnReach()
        extend(&reach, of: log, beginning, by: (ownHeads[log.device] ?? [])[...])
        return reach
    }

    private func reachWithinRemovals(of log: LogName, _ beginning: Beginning) -> UInt64 {
        let cuts = removals.lazy.map(\.fact).filter { beginning.precedes($0) }
        guard !cuts.isEmpty else { return Limits.batchNumberMax }
        return tree.reach(of: log, within: cuts.flatMap(\.namedHeads))
    }

    /// Extends the reach of a log by further heads that own cuts name.
    private func extend(
        _ reach: inout OwnReach, of log: LogName, _ beginning: Beginning,
        by heads: ArraySlice<(cut: ControlFact, head: LogHead)>
    ) {
        for (cut, head) in heads where beginning.precedes(cut) && tree.concerns(head, log) {
            let end = tree.reach(of: log, within: CollectionOfOne(head))
            if isByListed(cut) {
                reach.byListed = max(reach.byListed ?? 0, end)
            } else {
                reach.byRemoved = max(reach.byRemoved ?? 0, end)
            }
        }
    }

    /// Whether a batch lies within every effective cut of its author.
    func counts(_ batch: BatchName) -> Bool { batch.number <= reach(of: batch.log) }

    /// Whether the log's operations count, apart from accepts and own cuts.
    func mayWrite(_ log: LogName) -> Bool {
        guard let term = term(of: log), let role = role(in: term) else { return false }
        return role != .reader && isAccepted(term)
    }

    /// Whether the log's grants and its cuts of other people count.
    func isOwner(_ log: LogName) -> Bool {
        guard let term = term(of: log) else { return false }
        return role(in: term) == .owner && isAccepted(term)
    }

    /// The start of a log's term; nil if the log is not named after an effective grant.
    private func beginning(of log: LogName) -> Beginning? {
        let branch = tree.root(of: log).branch
        guard branch != .main, !admitsAnyBranch else { return .always }
        return grants.first { $0.fact.batch.hash.raw == branch.raw }.map { .at($0.fact) }
    }

    private enum Beginning {
        case always
        case at(ControlFact)

        func precedes(_ fact: ControlFact) -> Bool {
            if case .at(let grant) = self { grant < fact } else { true }
        }
    }

    // MARK: Terms

    /// The term of a log, or nil if the log is not named after an effective grant.
    func term(of log: LogName) -> Int? {
        switch beginning(of: log) {
        case .always: 0
        case .at(let grant): MemberHistory.term(grant, breaks)
        case nil: nil
        }
    }

    fileprivate static func term(_ fact: ControlFact, _ breaks: [ControlFact]) -> Int {
        // The breaks are in order, so those before the fact are found by halving.
        var (low, high) = (0, breaks.count)
        while low < high {
            let middle = (low + high) / 2
            if breaks[middle] < fact { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func hasRole(in term: Int?) -> Bool { term.flatMap(role(in:)) != nil }

    /// The role in a term, accepted or not; nil if there is none.
    func role(in term: Int) -> Role? {
        if term == 0, let founding { return founding }
        return effectiveGrants[term].flatMap(\.role)
    }

    /// Whether the person was an owner in any term.
    var hasBeenOwner: Bool { (0...breaks.count).contains { role(in: $0) == .owner } }

    /// Whether the person has a founding role or has ever accepted one.
    var hasJoined: Bool { founding != nil || !accepts.isEmpty }

    /// Whether the role in a term is accepted. An accept counts for all terms since the person last
    /// left, including earlier ones: a person who was removed and granted again need not accept
    /// again.
    private func isAccepted(_ term: Int) -> Bool {
        let returned = breaks.prefix(term).lastIndex(where: \.isLeaving).map { $0 + 1 } ?? 0
        return founding != nil && returned == 0 || acceptedTerms.contains { $0 >= returned }
    }

    /// The person's membership; nil if the person was never granted a role.
    var member: Member? {
        let now = breaks.count
        if let role = role(in: now) {
            return Member(person: person, role: role, state: isAccepted(now) ? .member : .invited)
        }
        guard let role = (0..<now).reversed().lazy.compactMap(role(in:)).first else { return nil }
        let state: Member.State = breaks[now - 1].isLeaving ? .left : .removed
        return Member(person: person, role: role, state: state)
    }

    /// The branch of logs that the person begins now, or nil if their new batches would not count.
    var branch: BranchName? {
        guard role(in: breaks.count) != nil else { return nil }
        guard !breaks.isEmpty, let grant = effectiveGrants[breaks.count] else { return .main }
        return BranchName(raw: grant.fact.batch.hash.raw)
    }

    /// Whether a log may be continued: it belongs to the present term and no cut ends it.
    func goesOn(_ log: LogName) -> Bool {
        term(of: log) == breaks.count && reach(of: log) == Limits.batchNumberMax
    }
}

extension MemberHistory.OwnerAct {
    /// Whether the act grants a role.
    var isGrant: Bool { role != nil }

    fileprivate var role: Role? {
        if case .grant(_, let role) = fact.action { role } else { nil }
    }
}

extension MemberHistory {
    /// Returns the effective grant of each term: the most senior, and among equals the last.
    fileprivate static func grantsByTerm(
        _ grants: [OwnerAct], _ breaks: [ControlFact]
    ) -> [Int: OwnerAct] {
        grants.reduce(into: [:]) { $0.keepMostSenior($1, in: term($1.fact, breaks)) }
    }
}

extension [Int: MemberHistory.OwnerAct] {
    /// Keeps a grant unless the term already has a more senior one.
    fileprivate mutating func keepMostSenior(_ grant: MemberHistory.OwnerAct, in term: Int) {
        guard let present = self[term], present.level < grant.level else {
            self[term] = grant
            return
        }
    }
}

extension ControlFact {
    fileprivate var isCut: Bool {
        if case .cut = action { true } else { false }
    }

    /// The heads of a cut. A cut that ends the log it is in also lists the batch that contains it.
    fileprivate var namedHeads: [LogHead] { isLeaving ? heads + [batch] : heads }
}
