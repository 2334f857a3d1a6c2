internal import Records
internal import Replica
internal import TestSupport

/// Erased data: the salts of the erased batches, which were unique, and the batch that erased them.
struct Erased {
    let salts: [[UInt8]]
    let by: BatchHash
}

// Erasing: a person's records disappear from all files of all nodes.
extension World {
    /// Erases everything erasable that a device wrote in a space.
    func erase(_ node: Int) async throws {
        guard !isCalm, !nodes[node].isLiar, let replica = nodes[node].replica else { return }
        let me = society.people[nodes[node].person].id
        let pairs = nodes[node].mates.sorted().map {
            SpaceDescriptor.between(me, society.people[$0].id)
        }
        let spaces = [SpaceDescriptor.own(me), .card(me)] + pairs
        let space = spaces[chance.number(0...spaces.count - 1)]
        guard try await isSettled(space, at: node) else { return }
        try await replica.open(space)
        let own = await replica.heads(in: space.id).filter { $0.log.device == nodes[node].device }
        let salts = try await replica.ownSalts(in: space.id)
        let commits: [Commit]
        do {
            commits = try await replica.eraseOwn(
                in: space.id, through: own.map(\.head), wallTime: wall(node))
        } catch is BatchFault {
            return tally.count("edits refused by membership")
        }
        for commit in commits {
            tally.count("erasures")
            for log in own {
                tally.count(
                    "contents erased", photos.erase(log.head, in: space.id, by: commit.hash))
            }
            erased[space.id, default: []].append(Erased(salts: salts, by: commit.hash))
            try await authored(commit, at: node)
        }
    }

    /// Checks that no erased data is in the files of a node that has the erasure.
    func checkErased() async throws {
        for node in nodes.indices where !nodes[node].isLiar {
            guard let replica = nodes[node].replica else { continue }
            let salts = try await saltsToMiss(at: node)
            guard !salts.isEmpty else { continue }
            tally.count("erased batches looked for", salts.count)
            let isScrubbed = try await replica.scrub()
            let isThere = try nodes[node].home.containsAny(of: salts)
            guard !isScrubbed || isThere else { continue }
            throw Violation(.erased, "node \(node) keeps a body, of \(salts.count) erased")
        }
    }

    private func saltsToMiss(at node: Int) async throws -> [[UInt8]] {
        guard let replica = nodes[node].replica else { return [] }
        var salts: [[UInt8]] = []
        for space in await replica.spaces() {
            guard let all = erased[space.id] else { continue }
            let batches = try await batches(in: space.id, of: replica)
            let present = Set(batches.map(\.hash))
            salts += all.filter { present.contains($0.by) }.flatMap(\.salts)
        }
        return salts
    }
}

extension Replica {
    /// Returns the salts of the bodies that this device's batches in a space still have.
    fileprivate func ownSalts(in space: SpaceID) async throws -> [[UInt8]] {
        try await read(
            """
            SELECT b.body AS body FROM batch b JOIN log l ON l.number = b.id >> 40
            JOIN space s ON s.number = l.space WHERE l.device = ? AND s.id = ?
            """, [.bytes(device.bytes), .bytes(space.bytes)], allowedTables: nil
        ).compactMap { row in
            // A body of kind 1 starts with its kind and its salt.
            guard let body = row.bytes("body"), body.count > 17, body[0] == 1 else { return nil }
            return Array(body[1..<17])
        }
    }
}
