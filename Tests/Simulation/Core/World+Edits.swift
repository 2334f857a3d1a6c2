internal import Records
internal import Replica
internal import TestSupport

// What people do: they become mates, and write.
extension World {
    /// Two people become mates; each of their devices hears of it in its own time.
    func befriend(_ one: Int, _ other: Int) {
        society.befriend(one, other)
        trace.note(now, "mates \(one) \(other)")
        for (person, mate) in [(one, other), (other, one)] {
            for node in nodes(of: person) {
                plan(.takeForMate(node: node, person: mate), within: 0...60_000)
            }
        }
    }

    /// A node learns of a mate, and shares more from then on.
    func takeForMate(node: Int, person: Int) async throws {
        nodes[node].mates.insert(person)
        for link in nodes[node].links.values.sorted() {
            guard let end = links[link]?.end(of: node) else { continue }
            try await shareSpaces(link, end)
        }
    }

    /// One batch of a node's person.
    func edit(_ node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        let person = society.people[nodes[node].person].id
        let mates = nodes[node].mates.sorted().map { society.people[$0].id }
        let spaces =
            [SpaceDescriptor.own(person), .card(person)] + mates.map { .between(person, $0) }
            + nodes[node].groups.keys.sorted { $0.id < $1.id }
        // Most is written where most may meet it.
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
                    edits, in: space.id, wallMilliseconds: wall(node))
                return try await authored(commit, at: node)
            } catch is EditFault {
                tally.count("edits refused to their writer")
            } catch is BatchFault {
                return tally.count("edits refused by membership")
            }
        }
    }

    /// How often somebody tries to write something that is theirs to write.
    private static let attemptsMax = 5

    /// Notes what was acknowledged to its writer, and spreads the news.
    func authored(_ commit: Commit, at node: Int) async throws {
        tally.count("edits")
        trace.note(now, "edit \(node) \(commit.number)", commit.hash.bytes)
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
        nodes[node].note([commit])
        nodes[node].promise(
            LogHead(log: commit.log, number: commit.number, hash: commit.hash), in: commit.space)
        let begun = Set(commit.changes.map(\.entity)).subtracting(notes[commit.space] ?? [])
        notes[commit.space, default: []] += begun.sorted()
        try await advance(commit.space, at: node)
        try await refreshGroups(node)
    }

    /// The batch of a commit, and before it the one that had to begin the log of who leaves.
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
