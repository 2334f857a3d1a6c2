/// What was said about one person's place in a space, by those whose word counts, and what follows
/// for that person's logs.
///
/// Removals and leavings, in the order of writes, divide the history into *terms*, counted from 0.
/// A log belongs to the term of the grant that its branch is named by, and the logs of branch zero
/// to the first. Everything here depends on the set of facts alone, never on when they came.
struct MemberHistory {
    /// A grant or cut by an owner, and how senior that owner is; 0 is the most senior.
    struct Word {
        let fact: ControlFact
        let level: Int
    }

    let person: PersonID
    /// The role that follows from the space itself; it is accepted and never given.
    private let founding: Role?
    private let tree: LogTree
    /// The grants that count, in order.
    let grants: [Word]
    /// The cuts by others that count, in order.
    let removals: [Word]
    /// The cuts of oneself that count, in order.
    private(set) var ownCuts: [ControlFact] = []
    /// What ends each term but the last, in order.
    private var breaks: [ControlFact]
    /// The grant that gives the role, by term; the first needs none where the role is founding.
    private var standing: [Int: Word] = [:]
    /// The accepts that count, in order.
    private(set) var accepts: [ControlFact] = []
    private var acceptedTerms: Set<Int> = []

    /// - Parameters:
    ///   - words: what owners said of the person, each with the right to.
    ///   - own: the control facts that the person wrote.
    init(
        of person: PersonID, founding: Role?, words: [Word], own: [ControlFact], tree: LogTree
    ) {
        self.person = person
        self.founding = founding
        self.tree = tree
        (grants, removals) = MemberHistory.sweep(words)
        breaks = removals.map(\.fact)
        standing = grants.reduce(into: [:]) { $0.keep($1, in: MemberHistory.term($1.fact, breaks)) }
        takeOwnCuts(own.sorted())
        breaks = (breaks + ownCuts.filter(\.isLeaving)).sorted()
        standing = grants.reduce(into: [:]) { $0.keep($1, in: MemberHistory.term($1.fact, breaks)) }
        accepts = own.sorted().filter { $0.action == .accept && counts($0.batch) }
        acceptedTerms = Set(accepts.compactMap { term(of: $0.batch.log) })
    }

    /// A grant after a cut counts only from somebody as senior as the one who cut.
    private static func sweep(_ words: [Word]) -> (grants: [Word], removals: [Word]) {
        var (grants, removals): ([Word], [Word]) = ([], [])
        var removedBy: Int?
        for word in words.sorted(by: { $0.fact < $1.fact }) {
            if case .cut = word.fact.action {
                removals.append(word)
                removedBy = min(removedBy ?? word.level, word.level)
            } else if word.level <= removedBy ?? word.level {
                grants.append(word)
                removedBy = nil
            }
        }
        return (grants, removals)
    }

    /// Of the cuts of oneself each counts that lies within those before it. Who was granted
    /// nothing yet has nothing to leave.
    private mutating func takeOwnCuts(_ own: [ControlFact]) {
        for fact in own where fact.isCut && fact.subject == person && counts(fact.batch) {
            let isGranted = founding != nil || grants.first.map { $0.fact < fact } ?? false
            if isGranted { ownCuts.append(fact) }
        }
    }

    // MARK: Logs

    /// The number of the last batch of a log that counts; 0 for none, ``Limits/batchNumberMax``
    /// where nothing limits it.
    func reach(of log: LogName) -> UInt64 {
        guard let beginning = beginning(of: log), hasRole(in: term(of: log)) else { return 0 }
        let others = removals.filter { beginning.precedes($0.fact) }
        let own = ownCuts.filter { cut in
            beginning.precedes(cut) && cut.namedHeads.contains { tree.concerns($0, log) }
        }
        return min(
            reach(of: log, within: others.map(\.fact)), reach(of: log, within: own))
    }

    private func reach(of log: LogName, within cuts: [ControlFact]) -> UInt64 {
        guard !cuts.isEmpty, !Planted.cutForgotten.isIn else { return Limits.batchNumberMax }
        return tree.reach(of: log, within: cuts.lazy.flatMap(\.namedHeads))
    }

    /// Whether a batch lies within every cut of its author that stands.
    func counts(_ batch: BatchName) -> Bool { batch.number <= reach(of: batch.log) }

    /// Whether the log's operations count, other than accepting and cutting oneself.
    func mayWrite(_ log: LogName) -> Bool {
        guard let term = term(of: log), let role = role(in: term) else { return false }
        return role != .reader && isAccepted(term)
    }

    /// Whether the log's grants and cuts of others count.
    func isOwner(_ log: LogName) -> Bool {
        guard let term = term(of: log) else { return false }
        return role(in: term) == .owner && isAccepted(term)
    }

    /// When a log's term was given; nil where no grant that counts began it.
    private func beginning(of log: LogName) -> Beginning? {
        let branch = tree.root(of: log).branch
        guard branch != .main else { return .always }
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

    /// The term of a log, or nil where no grant that counts began it.
    func term(of log: LogName) -> Int? {
        switch beginning(of: log) {
        case .always: 0
        case .at(let grant): MemberHistory.term(grant, breaks)
        case nil: nil
        }
    }

    private static func term(_ fact: ControlFact, _ breaks: [ControlFact]) -> Int {
        breaks.count { $0 < fact }
    }

    private func hasRole(in term: Int?) -> Bool { term.flatMap(role(in:)) != nil }

    /// The role in a term, accepted or not; nil for none.
    func role(in term: Int) -> Role? {
        if term == 0, let founding { return founding }
        return standing[term].flatMap(\.role)
    }

    /// Whether the person was an owner in any term.
    var hasBeenOwner: Bool { (0...breaks.count).contains { role(in: $0) == .owner } }

    /// An accept counts for all terms since its author last left, earlier ones included: who was
    /// removed and granted again need not say it twice.
    private func isAccepted(_ term: Int) -> Bool {
        let returned = breaks.prefix(term).lastIndex(where: \.isLeaving).map { $0 + 1 } ?? 0
        return founding != nil && returned == 0 || acceptedTerms.contains { $0 >= returned }
    }

    /// How the person stands to the space; nil for somebody who was never granted anything.
    var member: Member? {
        let now = breaks.count
        if let role = role(in: now) {
            return Member(person: person, role: role, state: isAccepted(now) ? .member : .invited)
        }
        guard let role = (0..<now).reversed().lazy.compactMap(role(in:)).first else { return nil }
        let state: Member.State = breaks[now - 1].isLeaving ? .left : .removed
        return Member(person: person, role: role, state: state)
    }

    /// The branch of logs that the person begins now, or nil where nothing they write counts.
    var branch: BranchName? {
        guard role(in: breaks.count) != nil else { return nil }
        guard !breaks.isEmpty, let grant = standing[breaks.count] else { return .main }
        return BranchName(raw: grant.fact.batch.hash.raw)
    }

    /// Whether a log may go on: it is of the present term and nothing cuts it.
    func goesOn(_ log: LogName) -> Bool {
        term(of: log) == breaks.count && reach(of: log) == Limits.batchNumberMax
    }
}

extension MemberHistory.Word {
    fileprivate var role: Role? {
        if case .grant(_, let role) = fact.action { role } else { nil }
    }
}

extension [Int: MemberHistory.Word] {
    /// Of the grants of a term the most senior stands, and of several of one level the last.
    fileprivate mutating func keep(_ grant: MemberHistory.Word, in term: Int) {
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

    /// The heads of a cut; who leaves names the batch that says so too.
    fileprivate var namedHeads: [LogHead] { isLeaving ? heads + [batch] : heads }
}
