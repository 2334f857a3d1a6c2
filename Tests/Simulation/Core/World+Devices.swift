internal import Identity
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

/// The end of a log of a removed device.
struct Ending {
    /// The number of the last batch that counts; 0 for none.
    let last: UInt64
    /// The batch with the cut that says so.
    let cut: BatchHash
}

/// An event about the devices of people.
enum DeviceEvent {
    /// A device joins its person.
    case join(Int)
    /// Some person removes a device.
    case remove
    /// A device ends a log of a removed device of its person of which it knew nothing.
    case endUnknown(node: Int, LogName, SpaceID)
}

// Devices that join their person in the middle of a run, and devices that their person removes. The
// first device of a person does both. The entries travel in the person's record.
extension World {
    /// The time that the cut by another device has to arrive before a device ends a log itself.
    private static let cutWait: Int64 = 10_000
    /// The pause after which an action is tried again whose device is down.
    private static let anotherTry: Int64 = 5000

    /// Lets an event about devices happen.
    func happen(_ event: DeviceEvent) async throws {
        switch event {
        case .join(let node): try await join(node)
        case .remove: try await removeSome()
        case .endUnknown(let node, let log, let space):
            try await endUnknown(log, in: space, at: node)
        }
    }

    /// Plans the changes of devices in the first part of a run.
    func planDevices(until end: Int64) {
        for node in nodes.indices where nodes[node].isAbsent {
            plan(.device(.join(node)), after: Int64(deviceChance.number(0...Int(end / 2))))
        }
        for _ in 0..<mix.removalCount {
            let last = max(Int(end / 4), Int(end) - 120_000)
            plan(.device(.remove), after: Int64(deviceChance.number(Int(end / 4)...last)))
        }
    }

    /// Whether a node belongs to its person now: it has joined, and was not removed.
    func isPresent(_ node: Int) -> Bool { !nodes[node].isAbsent && !nodes[node].isRemoved }

    // MARK: Joining

    private func join(_ node: Int) async throws {
        let person = nodes[node].person
        guard !isCalm, let first = nodes(of: person).first else { return }
        guard let known = try await ownRecord(at: first) else {
            return plan(.device(.join(node)), after: World.anotherTry)
        }
        let consent = try DeviceConsent(of: nodes[node].key, to: known.person)
        let record = try known.adding(.adding(consent, by: nodes[first].key))
        try await learn(record, at: first)
        nodes[node].isAbsent = false
        nodes[node].joined = record
        nodes[node].mates = nodes[first].mates
        nodes[node].groups = nodes[first].groups.mapValues { _ in [] }
        tally.count("devices added")
        trace.record(now, "joins \(node)")
        try await start(node)
        tellRecord(record, at: first)
    }

    private func ownRecord(at node: Int) async throws -> PersonRecord? {
        await nodes[node].replica?.personRecord(society.people[nodes[node].person].id)
    }

    // MARK: Removing

    private func removeSome() async throws {
        guard !isCalm else { return }
        let choices = nodes.indices.filter { node in
            isPresent(node) && nodes(of: nodes[node].person).first != node
        }
        guard let removed = choices.randomElement(using: &deviceChance),
            let first = nodes(of: nodes[removed].person).first,
            let known = try await ownRecord(at: first)
        else { return plan(.device(.remove), after: World.anotherTry) }
        let record = try known.removing(nodes[removed].device, by: nodes[first].key)
        nodes[removed].isRemoved = true
        tally.count("devices removed")
        trace.record(now, "removes \(removed)")
        // Until the removed device hears of it, it goes on writing.
        if deviceChance.chance(75) { isolate(deviceChance.chance(50) ? removed : first) }
        for _ in 0..<deviceChance.number(1...4) {
            plan(.edit(removed), after: Int64(deviceChance.number(0...60_000)))
        }
        try await learn(record, at: first)
        guard !deviceChance.chance(25) else {
            tally.count("crashes between removal and cut")
            return try crash(first)
        }
        try await endRemovedLogs(first)
        tellRecord(record, at: first)
    }

    /// Ends the logs of devices that this node removed, where they are known here.
    func endRemovedLogs(_ node: Int) async throws {
        guard nodes(of: nodes[node].person).first == node, let replica = nodes[node].replica
        else { return }
        let due = await replica.devicesToEnd()
        guard !due.isEmpty else { return }
        var heads: [SpaceID: [LogHead]] = [:]
        for space in await replica.spaces() {
            heads[space.id] = await replica.heads(in: space.id).map(\.head)
                .filter { due.contains($0.log.device) }
        }
        for cut in try await replica.endLogs(of: due, wallTime: wall(node)) {
            try await recordCut(cut, naming: heads[cut.space] ?? [], at: node)
        }
    }

    private func endUnknown(_ log: LogName, in space: SpaceID, at node: Int) async throws {
        guard isPresent(node), let replica = nodes[node].replica else { return }
        let heads = await replica.heads(in: space).map(\.head)
            .filter { $0.log.device == log.device }
        let unseen = LogHead(log: log, number: 0, hash: .none)
        guard let cut = try await replica.endLog(log, in: space, wallTime: wall(node)) else {
            return
        }
        tally.count("logs ended unseen")
        try await recordCut(
            cut, naming: heads.contains { $0.log == log } ? heads : heads + [unseen], at: node)
    }

    private func recordCut(_ cut: Commit, naming heads: [LogHead], at node: Int) async throws {
        tally.count("cuts of removed devices", heads.count)
        trace.record(now, "ends \(heads.count) logs at \(node)")
        for head in heads {
            endings[cut.space, default: [:]][head.log, default: []].append(
                Ending(last: head.number, cut: cut.hash))
        }
        try await authored(cut, at: node)
    }

    /// Plans the end of a log of a removed device that no cut names, at another device of its
    /// person.
    func planEnd(of log: LogName, in space: SpaceID, at node: Int) {
        guard society.person(of: log.device) == society.people[nodes[node].person].id else {
            return
        }
        plan(.device(.endUnknown(node: node, log, space)), after: World.cutWait)
    }

    // MARK: Records

    /// Stores a record at a node, and ends the links with devices that it does not list any more.
    func learn(_ record: PersonRecord, at node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        try await follow(try await replica.learn(record, wallTime: wall(node)), at: node)
    }

    /// Stores records that arrived.
    func learn(_ claims: [ClaimedPersonRecord], at node: Int) async throws {
        guard mix.changesDevices, let replica = nodes[node].replica else { return }
        tally.count("person records received", claims.count)
        try await follow(try await replica.learn(claims, wallTime: wall(node)), at: node)
    }

    private func follow(_ commits: [Commit], at node: Int) async throws {
        nodes[node].record(commits)
        for space in Set(commits.map(\.space)).sorted() { try await advance(space, at: node) }
        try await refreshGroups(node)
        let isOwnRemoval = try await proof(ofRemoving: node, at: node) != nil
        for (peer, link) in nodes[node].links.sorted(by: { $0.key < $1.key }) {
            let isRemoval = try await proof(ofRemoving: peer, at: node) != nil
            guard isOwnRemoval || isRemoval, let end = links[link]?.end(of: node) else { continue }
            close(link, end)
        }
    }

    private func proof(ofRemoving peer: Int, at node: Int) async throws -> PersonRecord? {
        await nodes[node].replica?.personRecord(society.people[nodes[peer].person].id)?
            .showing(removalOf: nodes[peer].device)
    }

    /// Whether two nodes do not link, since one of them was removed and either knows it. A node
    /// that knows it tells the removed one.
    func turnsAway(_ one: Int, _ other: Int) async throws -> Bool {
        guard mix.changesDevices else { return false }
        var isRefused = false
        for (node, peer) in [(one, other), (other, one)] {
            if try await proof(ofRemoving: node, at: node) != nil { isRefused = true }
            guard let proof = try await proof(ofRemoving: peer, at: node) else { continue }
            isRefused = true
            guard try await self.proof(ofRemoving: peer, at: peer) == nil else { continue }
            tally.count("removed devices told")
            try await learn(proof, at: peer)
        }
        return isRefused
    }

    /// Learns the record in a peer's HELLO: the entries that list the peer.
    func greet(_ peer: Int, at node: Int) async throws {
        guard mix.changesDevices, let record = try await ownRecord(at: peer) else {
            try await nodes[node].replica?.learn(society.people[nodes[peer].person].record)
            return
        }
        try await learn(record.showing(only: nodes[peer].device), at: node)
    }

    /// Sends a node's own record after HELLO to a peer with whom it shares a space.
    func tellRecord(_ link: Int, _ end: Int) async throws {
        guard mix.changesDevices, let (node, _) = parties(link, end),
            let record = try await ownRecord(at: node)
        else { return }
        tellRecord(record, link, end)
    }

    private func tellRecord(_ record: PersonRecord, _ link: Int, _ end: Int) {
        guard let state = links[link], let (node, _) = parties(link, end),
            !state.ends[end].session.sharedSpaces.isEmpty,
            record != record.showing(only: nodes[node].device)
        else { return }
        put(.message(.identity([ClaimedPersonRecord(record)])), link, end)
    }

    /// Sends a record to all peers with whom something is shared, after it has changed.
    private func tellRecord(_ record: PersonRecord, at node: Int) {
        for link in nodes[node].links.values.sorted() {
            guard let end = links[link]?.end(of: node) else { continue }
            tellRecord(record, link, end)
        }
    }

    /// Sends the records that decide who wrote a log before its batches, once and again when one
    /// has grown.
    func introduce(authorOf log: LogName, in space: SpaceID, _ link: Int, _ end: Int) async {
        guard mix.changesDevices, let (node, peer) = parties(link, end), let state = links[link],
            log.device != nodes[peer].device, log.device != nodes[node].device
        else { return }
        for record in await nodes[node].replica?.authorRecords(of: log, in: space) ?? []
        where state.ends[end].introduced[record.person] != record {
            state.ends[end].introduced[record.person] = record
            send(.identity([ClaimedPersonRecord(record)]), link, end)
        }
    }

    // MARK: Checks

    /// Checks that a copy of a space has exactly the batches of a removed device up to the cut.
    ///
    /// Groups have exceptions. Other cuts may exclude more batches. A copy may never get the cut,
    /// or may count it as void: if its author left the group or was removed before others had the
    /// cut, or if the owner of the copy was removed. Such a copy may have batches after the cut.
    /// That all other copies have the cut is checked by ``checkComplete(_:of:)``.
    func checkEnded(
        _ batches: [ReferenceModel.Batch], of space: SpaceDescriptor, at node: Int
    ) throws(Violation) {
        let isGroup = space.kind == .group
        let present = Set(batches.map(\.hash))
        for (log, all) in (endings[space.id] ?? [:]).sorted(by: { $0.key < $1.key }) {
            let counting = isGroup ? all.filter { present.contains($0.cut) } : all
            guard let last = counting.map(\.last).max() else {
                tally.count("logs without the cut that ends them")
                continue
            }
            let numbers = Set(batches.filter { $0.log == log }.map(\.number))
            let written = ledger.entries(space.id, log.device).count { $0.log == log }
            tally.count("batches behind a cut looked for", max(0, written - Int(last)))
            tally.count("batches up to a cut looked for", Int(last))
            guard numbers != Set(1..<last + 1),
                !isGroup || numbers.contains(where: { $0 > last })
            else { continue }
            throw Violation(
                .ended,
                "node \(node) counts \(numbers.count) batches of \(log.device.suffix) in the "
                    + "\(space.kind.name) \(space.id.suffix), which was ended at \(last)")
        }
    }
}
