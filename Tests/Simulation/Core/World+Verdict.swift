internal import Identity
internal import Records
internal import Replica
internal import Sync

// The comparisons after all faults have ended.
extension World {
    /// A space's content on one honest node.
    private struct Copy {
        let node: Int
        let digest: Bytes16
        let batches: [ReferenceModel.Batch]
        let held: Set<BatchHash>
        let membership: Membership
        let forked: Set<DeviceID>
    }

    /// Compares the replicas of all honest nodes with each other, with the ledger and with the
    /// reference model.
    /// - Parameter isAllDue: whether no grant or removal is held anywhere. Only then all nodes
    ///   agree on the members of a group, and so on whom they serve.
    func compareAll(isAllDue: Bool) async throws {
        var copies: [SpaceDescriptor: [Copy]] = [:]
        var tables: [[SpaceID: [EntityID: NoteRow]]] = []
        for node in nodes.indices {
            guard let replica = nodes[node].replica, !nodes[node].isLiar, isPresent(node) else {
                tables.append([:])
                continue
            }
            if !isRoomShort { try await settleAll(node, isAllDue: isAllDue) }
            try await release(node)
            let spaces = await replica.spaces()
            var batches: [SpaceID: [ReferenceModel.Batch]] = [:]
            for space in spaces {
                batches[space.id] = try await self.batches(in: space.id, of: replica)
            }
            let held = try await checkInert(node, batches)
            try await checkFloods(node)
            try await checkHoards(node)
            tables.append(try await replica.notes())
            try await checkView(tables[node], of: replica)
            if isAllDue || mix.groupCount == 0 && !mix.mayDifferUntilDue {
                try await checkNoted(node)
            }
            for space in spaces {
                try await checkMayHold(space.id, node)
                guard let membership = await replica.membership(of: space.id) else { continue }
                copies[space.descriptor, default: []].append(
                    Copy(
                        node: node, digest: space.digest,
                        batches: batches[space.id] ?? [], held: held, membership: membership,
                        forked: Set(space.forkedDevices)))
            }
        }
        for (space, copies) in copies.sorted(by: { $0.key.id < $1.key.id }) {
            if isAllDue || space.kind != .group && !mix.mayDifferUntilDue {
                for group in comparable(copies, of: space) { try checkEqual(group, of: space) }
            }
            for copy in copies {
                if isAllDue { try checkEnded(copy.batches, of: space, at: copy.node) }
                try checkAuthentic(copy, of: space)
                try checkForks(copy, of: space)
                if case .group = space {
                    try checkRemoved(from: space, copy.batches, at: copy.node)
                }
            }
            try checkMerged(copies, of: space, tables)
        }
        if !isRoomShort, isAllDue || mix.groupCount == 0 && !mix.mayDifferUntilDue {
            for node in nodes.indices { try checkInSync(node) }
        }
        tally.count("comparisons", copies.values.reduce(0) { $0 + $1.count })
    }

    /// Groups the copies that must be equal: all of them, or with a liar those of one person,
    /// because a liar may send different data to each.
    private func comparable(_ copies: [Copy], of space: SpaceDescriptor) -> [[Copy]] {
        if case .group(let owner, _) = space {
            // A removed person receives nothing any more, not even the removal; the owner knows it.
            let owners = copies.filter { society.people[nodes[$0.node].person].id == owner }
            let membership = owners.first?.membership
            return [
                copies.filter { copy in
                    let person = society.people[nodes[copy.node].person].id
                    return membership?.member(person)?.isServed ?? false
                }
            ]
        }
        guard let liar = society.liar, space.isWriter(liar) else { return [copies] }
        return Dictionary(grouping: copies) { nodes[$0.node].person }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    private func checkEqual(_ copies: [Copy], of space: SpaceDescriptor) throws(Violation) {
        // What a liar has no room for does not delay the logs of others.
        for copy in copies where copy.digest != copies[0].digest && !isRoomShort {
            throw Violation(
                .equal,
                "nodes \(copies[0].node) and \(copy.node) hold \(copies[0].batches.count) and "
                    + "\(copy.batches.count) batches of the \(space.kind.name) \(space.id.suffix)")
        }
        for copy in copies {
            try checkComplete(copy, of: space)
            if case .group = space {
                try checkRulings(
                    in: space, copy.membership.members, copy.batches, at: copy.node)
            }
        }
    }

    /// Checks that every acknowledged batch is stored, unless a removal covers it or its author
    /// left: batches that another of the author's devices wrote meanwhile are not served any more.
    /// Those of a removed device may be at nobody else; ``checkEnded(_:of:at:)`` looks for them.
    private func checkComplete(_ copy: Copy, of space: SpaceDescriptor) throws(Violation) {
        let present = Set(copy.batches.map(\.hash))
        let authored = ledger.spaces[space.id] ?? [:]
        for (device, entries) in authored.sorted(by: { $0.key < $1.key }) {
            guard let author = society.person(of: device) else { continue }
            for entry in entries where !present.contains(entry.hash) && !entry.isEndangered {
                guard !nodes.contains(where: { $0.device == device && $0.isRemoved }) else {
                    tally.count("batches of a removed device unsaid")
                    continue
                }
                let reach = copy.membership.reach(of: entry.log, by: author)
                guard reach >= entry.number else {
                    tally.count("batches covered by a removal")
                    continue
                }
                guard copy.membership.member(author)?.state != .left else {
                    tally.count("batches unsaid when their author left")
                    continue
                }
                throw Violation(
                    .complete,
                    "node \(copy.node) lacks batch \(entry.number) of \(device.suffix) in the "
                        + "\(space.kind.name) \(space.id.suffix)")
            }
        }
    }

    /// Checks that every device with two batches of one number is known as forked.
    private func checkForks(_ copy: Copy, of space: SpaceDescriptor) throws(Violation) {
        // A person who returns to a group starts again at number 1, in a log named after the grant.
        // Each side of a fork is named after its own first batch.
        let sides = Set(copy.batches.filter { $0.hash.raw == $0.log.branch.raw }.map(\.log))
        var seen: [DeviceID: [UInt64: Set<BatchHash>]] = [:]
        for batch in copy.batches where batch.log.branch == .main || sides.contains(batch.log) {
            seen[batch.log.device, default: [:]][batch.number, default: []].insert(batch.hash)
        }
        for (device, numbers) in seen.sorted(by: { $0.key < $1.key })
        where numbers.values.contains(where: { $0.count > 1 }) {
            tally.count("forks seen")
            guard !copy.forked.contains(device) else { continue }
            throw Violation(.numbering, "node \(copy.node) knows of no fork of \(device.suffix)")
        }
        for device in copy.forked where !society.isSuspect(device) {
            throw Violation(.numbering, "node \(copy.node) says that \(device.suffix) forked")
        }
    }

    /// Checks that an honest device's name is only on batches that it wrote.
    private func checkAuthentic(_ copy: Copy, of space: SpaceDescriptor) throws(Violation) {
        for batch in copy.batches where society.isHonest(batch.log.device) {
            guard !ledger.contains(batch.hash) else { continue }
            throw Violation(
                .authentic,
                "node \(copy.node) holds \(batch.number) of \(batch.log.device.suffix) in "
                    + "\(space.id.suffix), which that device never wrote")
        }
    }

    /// Checks that the tables equal the reference model of the batches that are not held.
    private func checkMerged(
        _ copies: [Copy], of space: SpaceDescriptor, _ tables: [[SpaceID: [EntityID: NoteRow]]]
    ) throws(Violation) {
        var models: [[Set<BatchHash>]: [EntityID: NoteRow]] = [:]
        for copy in copies {
            let counting = copy.batches.filter {
                !copy.held.contains($0.hash) && copy.membership.mayWrite($0.person, in: $0.log)
            }
            // A batch that is erased in one copy may not be erased in another yet.
            let names = [counting, counting.filter(\.operations.isEmpty)].map {
                Set($0.map(\.hash))
            }
            let expected =
                models[names]
                ?? ReferenceModel(counting, in: space, .simulatedNote).notes
            models[names] = expected
            let shown = tables[copy.node][space.id] ?? [:]
            tally.count("rows compared", shown.count)
            guard shown != expected else { continue }
            let entity = Set(shown.keys).union(expected.keys).sorted().first {
                shown[$0] != expected[$0]
            }
            throw Violation(
                .merged,
                "node \(copy.node) shows \(entity.map { "\($0)" } ?? "") of \(space.id.suffix) as "
                    + NoteRow.difference(
                        entity.flatMap { shown[$0] }, entity.flatMap { expected[$0] }))
        }
    }

    /// Checks that the view over the tables has the same content as they have.
    private func checkView(
        _ notes: [SpaceID: [EntityID: NoteRow]], of replica: Replica
    ) async throws {
        var expected: Set<Row> = []
        for (space, rows) in notes {
            for (entity, note) in rows where note.columns["done"] != .integer(1) {
                expected.insert(
                    Row([
                        "id": .bytes(space.bytes), "entity": .bytes(entity.bytes),
                        "title": note.columns["title"] ?? .null,
                        "elements": .integer(Int64(note.sets["set_any"]?.count ?? 0)),
                    ]))
            }
        }
        guard try await replica.openNotes() != expected else { return }
        throw Violation(.merged, "the view shows other notes than the table")
    }

    /// Checks that exactly the batches of others that are not due are held.
    private func checkInert(
        _ node: Int, _ batches: [SpaceID: [ReferenceModel.Batch]]
    ) async throws -> Set<BatchHash> {
        guard let replica = nodes[node].replica else { return [] }
        let day = Limits.stampAheadMax
        let rows = try await replica.held()
        let held = Set(rows.compactMap { $0.hash("hash") })
        let wall = wall(node)
        for row in rows {
            guard let stamp = row.integer("stamp"),
                Timestamp(milliseconds: stamp >> 16) <= wall + day
            else { continue }
            throw Violation(.inert, "node \(node) holds back a batch that is due")
        }
        for batch in batches.values.joined() {
            let isAhead = batch.stamp.time > nodes[node].latestWall + day
            guard isAhead, batch.log.device != nodes[node].device, !held.contains(batch.hash)
            else { continue }
            throw Violation(.inert, "node \(node) merged \(batch.hash.suffix) before its time")
        }
        tally.count("held batches seen", held.count)
        return held
    }

    /// Checks that each honest peer is recorded to hold all of a node's own logs, and not more than
    /// was written. This can be more than the batches that count after a later removal.
    private func checkNoted(_ node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        var noted: [[UInt8]: Int64] = [:]
        for row in try await replica.acknowledgements() {
            guard let space = row.bytes("id"), let device = row.bytes("device") else { continue }
            noted[space + device] = row.integer("number")
        }
        for (peer, link) in nodes[node].links where !nodes[peer].isLiar {
            guard let state = links[link], state.cutAt == nil else { continue }
            for space in state.ends[state.end(of: node)].session.sharedSpaces {
                let heads = await replica.heads(in: space)
                let logs = heads.filter { $0.log.device == nodes[node].device }
                guard let own = logs.first, logs.count == 1, !nodes[node].wasRestored,
                    state.ends[state.end(of: peer)].session.sharedSpaces.contains(space)
                else { continue }
                let number = noted[space.bytes + nodes[peer].device.bytes] ?? 0
                let written = ledger.entries(space, nodes[node].device).last { $0.log == own.log }
                let last = max(own.high, written?.number ?? 0)
                guard !(Int64(own.high)...Int64(last)).contains(number) else { continue }
                throw Violation(
                    .answered,
                    "node \(node) wrote \(own.high) batches in \(space.suffix) and knows of "
                        + "\(number) at node \(peer)")
            }
        }
    }

    /// Checks that all honest nodes are linked, and that their sessions know that shared spaces are
    /// equal.
    private func checkInSync(_ node: Int) throws(Violation) {
        let isHonest = !nodes[node].isLiar && isPresent(node)
        for peer in nodes.indices
        where peer != node && !nodes[peer].isLiar && isHonest && isPresent(peer) {
            let shared = Set(spacesShared(by: node, with: peer).map(\.id))
                .intersection(spacesShared(by: peer, with: node).map(\.id))
            guard !shared.isEmpty else { continue }
            guard let state = nodes[node].links[peer].flatMap({ links[$0] }), state.cutAt == nil
            else {
                throw Violation(.equal, "nodes \(node) and \(peer) have no link")
            }
            let session = state.ends[state.end(of: node)].session
            for space in shared.sorted() where !session.isInSync(space) {
                throw Violation(
                    .equal, "node \(node) does not take \(space.suffix) for equal at node \(peer)")
            }
        }
    }

    // MARK: The end of the run

    /// Sets all clocks past every stamp, so that nothing is held any more.
    func letAllBecomeDue() async throws {
        var latest = Stamp(.min)
        for node in nodes.indices {
            guard let replica = nodes[node].replica else { continue }
            for space in await replica.spaces() {
                for batch in try await batches(in: space.id, of: replica) {
                    latest = max(latest, batch.stamp)
                }
            }
        }
        for node in nodes.indices {
            let ahead = (latest.time - World.epoch).milliseconds - now
            nodes[node].clockOffset = max(nodes[node].clockOffset, ahead)
            try await release(node)
        }
        trace.record(now, "all due")
    }

    /// Checks that every space is unchanged after it was rebuilt from its log.
    func rebuildAll() async throws {
        for node in nodes.indices where !nodes[node].isLiar {
            guard let replica = nodes[node].replica else { continue }
            let before = (try await replica.notes(), await replica.spaces())
            for space in before.1 { try await replica.rebuild(space.id) }
            let after = (try await replica.notes(), await replica.spaces())
            guard before != after else { continue }
            throw Violation(.rebuilt, "node \(node)")
        }
    }
}

extension NoteRow {
    /// Returns a sentence about the difference of two rows.
    static func difference(_ shown: NoteRow?, _ expected: NoteRow?) -> String {
        guard let shown, let expected else {
            return shown == nil ? "missing" : "a note that was never created"
        }
        for (name, value) in expected.columns.sorted(by: { $0.key < $1.key })
        where shown.columns[name] != value {
            return "\(name) = \(shown.columns[name] ?? .null), not \(value)"
        }
        for (name, elements) in expected.sets.sorted(by: { $0.key < $1.key })
        where shown.sets[name] != elements {
            return "\(name) = \(shown.sets[name]?.count ?? 0) elements, not \(elements.count)"
        }
        return "begun at \(shown.stamp), not \(expected.stamp)"
    }
}
