import Records

/// A second implementation of the membership rules, as slow and simple as possible: every question
/// evaluates the whole history again. It supports only groups in which no log forked.
struct MembershipReference {
    let owner: PersonID
    let facts: [ControlFact]
    /// The stored batches. A listed batch with another hash is not stored.
    let batches: Set<LogHead>

    init(_ script: ControlScript, owner: PersonID, facts: [ControlFact]) {
        self.owner = owner
        self.facts = facts.sorted()
        batches = Set(script.batches)
    }

    /// One person's history, as far as the first levels of owners decide it.
    struct Story {
        var founding = false
        /// All effective events in order: grants, cuts by others, departures, ended devices.
        var events: [(fact: ControlFact, level: Int)] = []
        var accepts: [ControlFact] = []
    }

    // MARK: Levels

    /// Returns the owners of each level.
    func levels() -> [[PersonID]] {
        var levels = [[owner]]
        while true {
            let known = levels.flatMap { $0 }
            let next = Set(facts.compactMap(\.subject)).subtracting(known).filter { person in
                let story = story(of: person, levels)
                return (0...breaks(story).count).contains { role(story, $0) == .owner }
            }
            guard !next.isEmpty else { return levels }
            levels.append(Array(next))
        }
    }

    func story(of person: PersonID, _ levels: [[PersonID]]) -> Story {
        let senior = levels.firstIndex { $0.contains(person) } ?? levels.count
        var acts: [(fact: ControlFact, level: Int)] = []
        for (level, owners) in levels.prefix(senior).enumerated() {
            for fact in facts where fact.subject == person && owners.contains(fact.author) {
                let author = story(of: fact.author, Array(levels.prefix(level)))
                if mayGrant(author, fact) { acts.append((fact, level)) }
            }
        }
        var story = Story(founding: person == owner)
        for act in acts.sorted(by: { $0.fact < $1.fact }) {
            if case .grant = act.fact.action, let last = lastRemoval(story), last < act.level {
                continue
            }
            story.events.append(act)
        }
        addOwnActs(of: person, to: &story)
        return story
    }

    /// Returns the level of the most senior cut since the last grant that lifted a cut.
    private func lastRemoval(_ story: Story) -> Int? {
        let tail = story.events.reversed().prefix { act in
            if case .cut = act.fact.action { true } else { false }
        }
        return tail.map(\.level).min()
    }

    private func addOwnActs(of person: PersonID, to story: inout Story) {
        for fact in facts where fact.author == person && fact.subject == person {
            guard case .cut = fact.action, counts(story, fact.batch) else { continue }
            let isGranted = story.events.contains { $0.fact < fact && $0.fact.isGrant }
            guard story.founding || isGranted else { continue }
            story.events.append((fact, .max))
            story.events.sort { $0.fact < $1.fact }
        }
        story.accepts = facts.filter {
            $0.author == person && $0.action == .accept && counts(story, $0.batch)
        }
    }

    private func mayGrant(_ story: Story, _ fact: ControlFact) -> Bool {
        guard counts(story, fact.batch), let term = term(story, fact.batch.log) else {
            return false
        }
        return role(story, term) == .owner && isAccepted(story, term)
    }

    // MARK: Terms

    func breaks(_ story: Story) -> [ControlFact] {
        story.events.map(\.fact).filter { !$0.isGrant && ($0.author != $0.subject || $0.isLeaving) }
    }

    private func beginning(_ story: Story, _ log: LogName) -> ControlFact? {
        story.events.first { $0.fact.isGrant && $0.fact.batch.hash.raw == log.branch.raw }?.fact
    }

    func term(_ story: Story, _ log: LogName) -> Int? {
        if log.branch == .main { return 0 }
        return beginning(story, log).map { grant in breaks(story).filter { $0 < grant }.count }
    }

    func role(_ story: Story, _ term: Int) -> Role? {
        if story.founding && term == 0 { return .owner }
        let grants = story.events.filter { event in
            event.fact.isGrant && breaks(story).filter { $0 < event.fact }.count == term
        }
        let senior = grants.map(\.level).min()
        guard case .grant(_, let role) = grants.last(where: { $0.level == senior })?.fact.action
        else { return nil }
        return role
    }

    func isAccepted(_ story: Story, _ term: Int) -> Bool {
        var since = 0
        for (index, end) in breaks(story).prefix(term).enumerated() where end.isLeaving {
            since = index + 1
        }
        if story.founding && since == 0 { return true }
        return story.accepts.contains { (self.term(story, $0.batch.log) ?? -1) >= since }
    }

    // MARK: Reach

    func counts(_ story: Story, _ batch: LogHead) -> Bool {
        batch.number <= reach(story, batch.log)
    }

    func reach(_ story: Story, _ log: LogName) -> UInt64 {
        guard let term = term(story, log), role(story, term) != nil else { return 0 }
        let start = beginning(story, log)
        let cuts = story.events.map(\.fact).filter { cut in
            !cut.isGrant && (start.map { $0 < cut } ?? true)
        }
        let others = cuts.filter { $0.author != $0.subject }.map { named($0, log) ?? 0 }.max()
        let own = cuts.filter { $0.author == $0.subject }.compactMap { named($0, log) }.max()
        return min(others ?? .everything, own ?? .everything)
    }

    /// Returns the highest number of a log that a cut lists, or nil.
    private func named(_ cut: ControlFact, _ log: LogName) -> UInt64? {
        let own = cut.isLeaving ? [cut.batch] : []
        return (cut.heads + own).filter { $0.log == log }.map { head in
            batches.contains(head) ? head.number : head.number - 1
        }.max()
    }

    /// Returns a person's present membership.
    func member(_ person: PersonID, _ story: Story) -> Member? {
        let now = breaks(story).count
        if let role = role(story, now) {
            let state: Member.State = isAccepted(story, now) ? .member : .invited
            return Member(person: person, role: role, state: state)
        }
        guard let role = (0..<now).reversed().compactMap({ role(story, $0) }).first else {
            return nil
        }
        let state: Member.State = breaks(story)[now - 1].isLeaving ? .left : .removed
        return Member(person: person, role: role, state: state)
    }
}

extension ControlFact {
    var isGrant: Bool {
        if case .grant = action { true } else { false }
    }
}
