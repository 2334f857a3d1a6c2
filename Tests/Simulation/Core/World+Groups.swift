internal import Identity
internal import Records
internal import Replica
internal import TestSupport

/// A decision about a person's role in a group, as the simulator observed it.
struct Ruling {
    let log: LogName
    let number: UInt64
    let stamp: Stamp
    let subject: PersonID
    /// The granted role; nil for a removal.
    let role: Role?
    /// The subject's batches that the author's replica counted at that time.
    let counted: Set<BatchHash>
    /// Whether its author is the group's owner by its descriptor, so that it counts everywhere.
    let isByFounder: Bool

    var isRemoval: Bool { role == nil }
}

// Groups: their foundation, and how people join, leave and are removed.
extension World {
    /// Creates the groups of the run.
    func foundGroups() async throws {
        for _ in 0..<mix.groupCount {
            let owner = chance.number(0...max(0, society.people.count - (mix.hasLiar ? 2 : 1)))
            let id = society.people[owner].id
            let group = SpaceDescriptor.group(owner: id, nonce: chance.nonce())
            society.grant(id, in: group)
            for node in nodes(of: owner) { try await openGroup(group, at: node) }
            guard let first = nodes(of: owner).first else { continue }
            for person in society.people.indices where person != owner && chance.chance(60) {
                try await rule(.grant(society.people[person].id, drawRole()), in: group, at: first)
            }
        }
    }

    private func drawRole() -> Role {
        chance.chance(20) ? .owner : chance.chance(75) ? .writer : .reader
    }

    /// Opens a group on a node whose person was invited to it.
    func openGroup(_ group: SpaceDescriptor, at node: Int) async throws {
        nodes[node].groups[group] = nodes[node].groups[group] ?? []
        try await nodes[node].replica?.open(group)
        try await refreshGroups(node)
    }

    /// Shares spaces again if a node has learnt of new members, and accepts its person's
    /// invitations.
    func refreshGroups(_ node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        var isChanged = false
        for group in nodes[node].groups.keys.sorted(by: { $0.id < $1.id }) {
            let members = await replica.members(in: group.id)
            guard members != nodes[node].groups[group] else { continue }
            nodes[node].groups[group] = members
            isChanged = true
            let me = society.people[nodes[node].person].id
            if members.contains(where: { $0.person == me && $0.state == .invited }) {
                plan(.accept(node: node, group), within: 100...60_000)
            }
        }
        guard isChanged else { return }
        for link in nodes[node].links.values.sorted() {
            guard let end = links[link]?.end(of: node) else { continue }
            try await shareSpaces(link, end)
        }
    }

    /// Accepts an invitation, nearly always.
    func accept(_ group: SpaceDescriptor, at node: Int) async throws {
        let me = society.people[nodes[node].person].id
        guard !isCalm, chance.chance(90),
            nodes[node].groups[group]?.contains(where: { $0.person == me && $0.state == .invited })
                ?? false
        else { return }
        try await rule(.accept, in: group, at: node)
    }

    /// Lets a random person grant, remove or leave.
    func govern() async throws {
        guard !isCalm,
            let group = society.groups.keys.sorted(by: { $0.id < $1.id })
                .randomElement(using: &chance),
            let node = nodes.indices.filter({ nodes[$0].groups[group] != nil && !nodes[$0].isLiar })
                .randomElement(using: &chance)
        else { return }
        let me = society.people[nodes[node].person].id
        let person = society.people[chance.number(0...society.people.count - 1)].id
        if chance.chance(10), me != group.owner {
            try await rule(.leave, in: group, at: node)
        } else if person != me {
            try await rule(
                chance.chance(45) ? .cut(person) : .grant(person, drawRole()), in: group, at: node)
        }
    }

    /// Writes one batch about a group's membership.
    private func rule(_ edit: ControlEdit, in group: SpaceDescriptor, at node: Int) async throws {
        guard let replica = nodes[node].replica, try await isSettled(group, at: node) else {
            return
        }
        do {
            let commit = try await replica.control(
                [edit], in: group.id, wallTime: wall(node))
            tally.count("rulings")
            trace.record(now, "rules \(node) \(edit)")
            try await recordRuling(edit, commit, in: group, at: node)
            try await authored(commit, at: node)
        } catch is EditFault {
            tally.count("rulings refused to their author")
        } catch is BatchFault {
            tally.count("rulings refused by membership")
        }
    }

    private func recordRuling(
        _ edit: ControlEdit, _ commit: Commit, in group: SpaceDescriptor, at node: Int
    ) async throws {
        let author = society.people[nodes[node].person].id
        var ruled: (subject: PersonID, role: Role?)?
        switch edit {
        case .grant(let person, let role): ruled = (person, role)
        case .cut(let person): ruled = (person, nil)
        case .leave: ruled = (author, nil)
        case .accept: ruled = nil
        }
        guard let ruled, let replica = nodes[node].replica else { return }
        let counted = try await batches(in: group.id, of: replica)
            .filter { $0.person == ruled.subject }.map(\.hash)
        rulings[group.id, default: []].append(
            Ruling(
                log: commit.log, number: commit.number, stamp: commit.stamp,
                subject: ruled.subject, role: ruled.role, counted: Set(counted),
                isByFounder: author == group.owner))
        guard ruled.role != nil else { return }
        society.grant(ruled.subject, in: group)
        guard let person = society.people.firstIndex(where: { $0.id == ruled.subject }) else {
            return
        }
        for node in nodes(of: person) { plan(.openGroup(node: node, group), within: 0...30_000) }
    }

    // MARK: Checks

    /// Checks the owner's decisions: if only the owner decided about a person, the last decision
    /// applies, and for a permanently removed person exactly the batches count that the owner had
    /// then.
    func checkRulings(
        in group: SpaceDescriptor, _ members: [Member], _ batches: [ReferenceModel.Batch],
        at node: Int
    ) throws(Violation) {
        let all = Dictionary(grouping: rulings[group.id] ?? [], by: \.subject)
        for (subject, rulings) in all.sorted(by: { $0.key < $1.key }) {
            guard rulings.allSatisfy(\.isByFounder),
                !rulings.contains(where: { society.isSuspect($0.log.device) }),
                let last = rulings.max(by: { ($0.stamp, $0.log.device) < ($1.stamp, $1.log.device) }
                )
            else { continue }
            let member = members.first { $0.person == subject }
            let isRight = last.role.map { member?.role == $0 && member?.isServed ?? false }
            guard isRight ?? !(member?.isServed ?? false) else {
                throw Violation(
                    .merged,
                    "node \(node) takes \(subject.suffix) for \(String(describing: member?.state))"
                        + " in \(group.id.suffix), whom the owner "
                        + (last.isRemoval ? "removed" : "granted a place"))
            }
            // A device's removal limits its batches further.
            let isLimited = (endings[group.id] ?? [:]).keys.contains {
                society.person(of: $0.device) == subject
            }
            guard last.isRemoval, !isLimited, rulings.count(where: \.isRemoval) == 1
            else { continue }
            let counted = Set(batches.filter { $0.person == subject }.map(\.hash))
            guard counted != last.counted else { continue }
            throw Violation(
                .merged,
                "node \(node) counts \(counted.count) batches of \(subject.suffix), who was removed "
                    + "after \(last.counted.count)")
        }
    }

    /// Checks that a person who was removed for good receives nothing that the founder wrote
    /// afterwards. Removals dated ahead are held, and another owner's removal may be void on nodes
    /// that do not know that owner yet, so both are not checked here.
    func checkRemoved(
        from group: SpaceDescriptor, _ batches: [ReferenceModel.Batch], at node: Int
    ) throws(Violation) {
        let me = society.people[nodes[node].person].id
        let own = (rulings[group.id] ?? []).filter { $0.subject == me }
        guard !mix.isClockWild, own.count(where: { !$0.isRemoval }) <= 1 else { return }
        let present = Set(batches.map(\.hash))
        for (_, entries) in ledger.spaces[group.id] ?? [:] {
            for entry in entries where entry.removed.contains(me) && present.contains(entry.hash) {
                throw Violation(
                    .members,
                    "node \(node) holds batch \(entry.number) of \(entry.log.device.suffix), which "
                        + "was written after it was removed from \(group.id.suffix)")
            }
        }
    }
}
