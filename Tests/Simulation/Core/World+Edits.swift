internal import Records
internal import Replica
internal import TestSupport

// The actions of people: they become mates and write.
extension World {
    /// Makes two people mates. Each of their devices learns of it at a random time.
    func befriend(_ one: Int, _ other: Int) {
        society.befriend(one, other)
        trace.record(now, "mates \(one) \(other)")
        for (person, mate) in [(one, other), (other, one)] {
            for node in nodes(of: person) {
                plan(.addMate(node: node, person: mate), within: 0...60_000)
            }
        }
    }

    /// Makes a person a mate on a node, which shares more from then on.
    func addMate(node: Int, person: Int) async throws {
        nodes[node].mates.insert(person)
        for link in nodes[node].links.values.sorted() {
            guard let end = links[link]?.end(of: node) else { continue }
            try await shareSpaces(link, end)
        }
    }

    /// Writes one batch of a node's person.
    func edit(_ node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        let person = society.people[nodes[node].person].id
        let mates = nodes[node].mates.sorted().map { society.people[$0].id }
        let spaces =
            [SpaceDescriptor.own(person), .card(person)] + mates.map { .between(person, $0) }
            + nodes[node].groups.keys.sorted { $0.id < $1.id }
        // Most edits are in the spaces with the most members.
        let space = spaces[
            max(chance.number(0...spaces.count - 1), chance.number(0...spaces.count - 1))]
        guard try await isSettled(space, at: node) else { return tally.count("edits put off") }
        try await replica.open(space)
        for _ in 0..<World.attemptsMax {
            var draw = NoteDraw(people: [person] + mates, chance: chance)
            let edits = draw.edits(on: notes[space.id] ?? [])
            chance = draw.chance
            do {
                let commit = try await replica.author(
                    edits, in: space.id, wallTime: wall(node))
                return try await authored(commit, at: node)
            } catch is EditFault {
                tally.count("edits refused to their writer")
            } catch is BatchFault {
                return tally.count("edits refused by membership")
            }
        }
    }

    /// The number of attempts to write something permitted.
    private static let attemptsMax = 5

    /// Records what was acknowledged to its writer, and informs the sessions.
    func authored(_ commit: Commit, at node: Int) async throws {
        tally.count("edits")
        trace.record(now, "edit \(node) \(commit.number)", commit.hash.bytes)
        if !nodes[node].isLiar {
            let removed = (rulings[commit.space] ?? []).filter {
                $0.log == commit.log && $0.number < commit.number && $0.isRemoval && $0.isByFounder
            }.map(\.subject)
            for head in try await heads(of: commit, at: node) {
                try ledger.enter(
                    head, in: commit.space, removed: Set(removed),
                    mayFork: society.restored.contains(commit.log.device))
            }
            try checkStamp(commit, at: node)
        }
        nodes[node].record([commit])
        nodes[node].promise(
            LogHead(log: commit.log, number: commit.number, hash: commit.hash), in: commit.space)
        let changed = commit.changes.filter {
            $0.collection != RecordCollection.simulatedPhoto.name
        }
        let begun = Set(changed.map(\.entity)).subtracting(notes[commit.space] ?? [])
        notes[commit.space, default: []] += begun.sorted()
        try await advance(commit.space, at: node)
        try await refreshGroups(node)
    }

    /// Returns the batch of a commit, after the batch that had to start a log for leaving.
    private func heads(of commit: Commit, at node: Int) async throws -> [LogHead] {
        let last = LogHead(log: commit.log, number: commit.number, hash: commit.hash)
        let isNew = !ledger.entries(commit.space, commit.log.device).contains {
            $0.log == commit.log
        }
        guard isNew, commit.number == 2, let replica = nodes[node].replica else { return [last] }
        let first = try await batches(in: commit.space, of: replica)
            .first { $0.log == commit.log && $0.number == 1 }
        return (first.map { [LogHead(log: $0.log, number: 1, hash: $0.hash)] } ?? []) + [last]
    }
}
