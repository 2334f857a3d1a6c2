/// Who belongs to a space, and what of whose logs counts: a value made of the space's descriptor
/// and the control operations that are here, the same in whatever order they came.
///
/// The owner named by the descriptor is the first level; those whom an owner of one level makes an
/// owner, and who are of no earlier level, are the next. An owner's grants and cuts count only of
/// persons of a later level, and only while the batch they stand in lies within what more senior
/// owners left of its log. So nothing that a level says changes what an earlier one said.
public struct Membership: Sendable {
    private let kind: SpaceKind
    private let tree: LogTree
    private var histories: [PersonID: MemberHistory] = [:]
    private var levels: [PersonID: Int] = [:]
    private var own: [PersonID: [ControlFact]]
    /// The control operations that count.
    private var counted: Set<ControlFact> = []
    /// Control operations that stand in batches that count and have no effect themselves.
    public private(set) var voidCount = 0

    /// Judges a space.
    /// - Parameters:
    ///   - facts: the control operations that are here and due.
    ///   - tree: how the logs hang together, and where the batches lie that cuts name.
    public init(
        of space: SpaceDescriptor, facts: some Sequence<ControlFact> = [],
        tree: LogTree = LogTree()
    ) {
        kind = space.kind
        var tree = tree
        for fact in facts { tree.places[fact.batch] = fact.batch.log }
        self.tree = tree
        own = Dictionary(grouping: facts, by: \.author)
        switch space {
        case .own(let person), .card(let person): found([person: .owner])
        case .pair(let one, let other): found([one: .writer, other: .writer])
        case .open: found(own.mapValues { _ in .writer })
        case .group(let owner, _): judge(from: owner)
        }
        settle(Set(facts))
    }

    /// In spaces other than groups nobody is granted anything; cuts of oneself count.
    private mutating func found(_ roles: [PersonID: Role]) {
        for (person, role) in roles {
            histories[person] = history(of: person, founding: role, words: [])
            if role == .owner { levels[person] = 0 }
        }
    }

    private func history(
        of person: PersonID, founding: Role?, words: [MemberHistory.Word]
    ) -> MemberHistory {
        MemberHistory(
            of: person, founding: founding, words: words, own: own[person] ?? [], tree: tree)
    }

    /// Takes the owners level by level.
    private mutating func judge(from owner: PersonID) {
        var words: [PersonID: [MemberHistory.Word]] = [:]
        var authors = [owner]
        var level = 0
        while !authors.isEmpty {
            for author in authors {
                levels[author] = level
                histories[author] = history(
                    of: author, founding: level == 0 ? .owner : nil, words: words[author] ?? [])
            }
            for author in authors { take(author, level, into: &words) }
            level += 1
            authors = words.keys.filter { person in
                levels[person] == nil
                    && history(of: person, founding: nil, words: words[person] ?? []).hasBeenOwner
            }
        }
        for (person, words) in words where levels[person] == nil {
            histories[person] = history(of: person, founding: nil, words: words)
        }
    }

    /// Collects what an owner says of persons of later levels.
    private func take(
        _ author: PersonID, _ level: Int, into words: inout [PersonID: [MemberHistory.Word]]
    ) {
        guard let history = histories[author] else { return }
        for fact in own[author] ?? [] {
            guard let subject = fact.subject, levels[subject] == nil,
                history.isOwner(fact.batch.log), history.counts(fact.batch)
            else { continue }
            words[subject, default: []].append(MemberHistory.Word(fact: fact, level: level))
        }
    }

    /// Tells the facts that count from those without effect.
    private mutating func settle(_ facts: Set<ControlFact>) {
        for history in histories.values {
            counted.formUnion((history.grants + history.removals).map(\.fact))
            counted.formUnion(history.ownCuts)
            if kind == .group { counted.formUnion(history.accepts) }
        }
        voidCount = facts.count { fact in
            guard !counted.contains(fact), !fact.isErase else { return false }
            return fact.batch.number <= reach(of: fact.batch.log, by: fact.author)
        }
    }

    // MARK: Questions

    /// Whether a control operation has its effect. An erase is judged by its own rule, not here.
    public func counts(_ fact: ControlFact) -> Bool { counted.contains(fact) }

    /// How many grants, accepts and cuts count; 0 in all but groups, where they are no concern of
    /// more than one person.
    public var epoch: UInt64 { kind == .group ? UInt64(counted.count) : 0 }

    /// The number of the last batch that counts of a log by a person's device; 0 for none, and
    /// ``Limits/batchNumberMax`` where nothing limits it.
    public func reach(of log: LogName, by person: PersonID) -> UInt64 {
        if Planted.membershipForgotten.isIn { return Limits.batchNumberMax }
        return known(person)?.reach(of: log) ?? 0
    }

    /// Whether operations in a person's log count, other than accepting and cutting oneself: the
    /// person was granted to write there, and has accepted.
    public func mayWrite(_ person: PersonID, in log: LogName) -> Bool {
        known(person)?.mayWrite(log) ?? false
    }

    /// Whether grants and cuts in a person's log count.
    public func isOwner(_ person: PersonID, in log: LogName) -> Bool {
        kind == .group && known(person)?.isOwner(log) ?? false
    }

    /// The branch of the logs that a person's devices begin now, or nil where nothing that the
    /// person writes counts.
    public func branch(of person: PersonID) -> BranchName? { known(person)?.branch }

    /// Whether a person's device may go on with a log: it is of the person's present term, and no
    /// cut ends it.
    public func goesOn(_ log: LogName, by person: PersonID) -> Bool {
        known(person)?.goesOn(log) ?? false
    }

    /// One person's place, or nil for somebody who was never granted one. In an open space
    /// everybody has one.
    public func member(_ person: PersonID) -> Member? { known(person)?.member }

    /// All persons with a place, by their ids; of an open space those who wrote control operations.
    public var members: [Member] {
        histories.values.compactMap(\.member).sorted { $0.person < $1.person }
    }

    /// How senior an owner is, 0 for the owner of the space; nil for others.
    public func level(of person: PersonID) -> Int? { levels[person] }

    private func known(_ person: PersonID) -> MemberHistory? {
        if let history = histories[person] { return history }
        return kind == .open ? history(of: person, founding: .writer, words: []) : nil
    }
}

extension ControlFact {
    fileprivate var isErase: Bool {
        if case .erase = action { true } else { false }
    }
}
