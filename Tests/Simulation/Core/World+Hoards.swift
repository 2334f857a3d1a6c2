internal import Identity
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

/// A misdeed of a dishonest member that uses up the room that others have for it.
enum Hoard: String, CaseIterable {
    /// Long batches without end, until no more of the liar's are stored in a space, and then more.
    case filling
    /// Operations on records that have not begun, more than may wait.
    case waiting
}

/// A record that a liar changed before it began, and the honest node that begins it later.
struct Unbegun {
    let space: SpaceID
    let node: Int
    let nonce: Bytes16
}

// What a liar hoards. All of it is drawn from a generator of its own.
extension World {
    /// The number of operations in one batch that wait for a record.
    static let waitingPerBatchMax = 2500
    /// The number of such batches in one run.
    private static let waitingBatchesMax = 3
    /// The pause between records that begin at the end, in milliseconds.
    private static let beginPause = 50
    /// The bytes of a batch that fills.
    private static let fillingBytes = 2000...20_000

    /// Lets the liar do one of the misdeeds that the seed drew, in the space that it fills.
    func hoard() async throws {
        plan(.hoard, after: Int64(hoardChance.number(5000...60_000)))
        guard !isCalm, let liar = nodes.firstIndex(where: \.isLiar), nodes[liar].replica != nil,
            let kind = mix.hoards.randomElement(using: &hoardChance),
            let space = hoardedSpace(of: kind, liar)
        else { return }
        tally.count("hoards")
        trace.record(now, "hoard \(kind.rawValue) \(liar)")
        switch kind {
        case .filling where hoardChance.chance(5): try await makeRoom(in: space, liar)
        case .filling:
            let bodies = (0...hoardChance.number(0...4)).map { _ in longBody(in: space) }
            tally.count("batches that fill", bodies.count)
            try await continueLog(of: liar, in: space, by: bodies)
        case .waiting: try await changeUnbegun(in: space, liar)
        }
    }

    /// Returns the space that the liar fills in the whole run, and draws it first: one that it
    /// shares with an honest mate; nil while there is none.
    private func hoardedSpace(of kind: Hoard, _ liar: Int) -> SpaceID? {
        if let drawn = hoarded[kind] { return drawn }
        let me = society.people[nodes[liar].person].id
        let mates = nodes[liar].mates.sorted().map { society.people[$0].id }
        guard !mates.isEmpty else { return nil }
        let pairs = mates.map { SpaceDescriptor.between(me, $0) }
        let spaces = kind == .waiting ? pairs : pairs + [.card(me)]
        hoarded[kind] = spaces.randomElement(using: &hoardChance)?.id
        return hoarded[kind]
    }

    /// Signs batches that continue the liar's log, and stores them at the liar, whose node sends
    /// them like any others.
    private func continueLog(
        of liar: Int, in space: SpaceID, by bodies: [BatchBody]
    ) async throws {
        guard let replica = nodes[liar].replica, let descriptor = hoardedDescriptor(space, liar)
        else { return }
        try await replica.open(descriptor)
        let head = await replica.heads(in: space)
            .filter { $0.log.device == nodes[liar].device }
            .max { $0.high < $1.high }
        let last =
            head?.head ?? LogHead(log: LogName(device: nodes[liar].device), number: 0, hash: .none)
        let run = try refusedRun(of: space, after: last) ?? newRun(bodies, in: space, last, liar)
        let outcome = try await replica.merge([(space, run)], wallTime: wall(liar))
        refusedRuns[space] = outcome.faults[0] == nil ? nil : run
        if outcome.faults[0] != nil { push(run, in: space, from: liar) }
        nodes[liar].record(outcome.commits)
        try await advance(space, at: liar)
    }

    private func newRun(
        _ bodies: [BatchBody], in space: SpaceID, _ last: LogHead, _ liar: Int
    ) throws -> Run {
        let start = max(wall(liar), nodes[liar].merged[space]?.time ?? .min)
        return try signed(
            bodies, bodies.indices.map { Stamp(start + .milliseconds(Int64($0 + 1))) },
            by: nodes[liar].key, in: space, after: last)
    }

    /// Returns the run that the liar's own replica refused, if it still continues the log.
    private func refusedRun(of space: SpaceID, after last: LogHead) -> Run? {
        guard let run = refusedRuns[space], run.log == last.log,
            run.firstNumber == last.number + 1
        else { return nil }
        return run
    }

    /// Sends a run to everybody, although the liar's own replica has no room for it.
    private func push(_ run: Run, in space: SpaceID, from liar: Int) {
        for link in nodes[liar].links.values.sorted() {
            guard let state = links[link], let end = links[link]?.end(of: liar),
                let channel = state.ends[end].channels.firstIndex(of: space)
            else { continue }
            tally.count("runs that wait at the liar too")
            let message = Message.push(Push(channel: UInt64(channel), run: run))
            links[link]?.ends[end].tell(message)
            send(message, link, end)
        }
    }

    private func hoardedDescriptor(_ space: SpaceID, _ liar: Int) -> SpaceDescriptor? {
        spaces(of: nodes[liar].person).first { $0.id == space }
    }

    // MARK: Filling

    private func longBody(in space: SpaceID) -> BatchBody {
        let known = notes[space]?.randomElement(using: &hoardChance)
        let length = hoardChance.number(World.fillingBytes)
        let entity = known ?? EntityID(raw: hoardChance.nonce())
        let long = Value.bytes([UInt8](repeating: UInt8(length & 0xff), count: length))
        return BatchBody(
            [Operation.onNote(entity, .set(field: 5, long))], salt: hoardChance.nonce())
    }

    /// Lets the liar erase everything it wrote in a space, so that others have room for more.
    private func makeRoom(in space: SpaceID, _ liar: Int) async throws {
        guard let replica = nodes[liar].replica else { return }
        let own = await replica.heads(in: space).filter { $0.log.device == nodes[liar].device }
        do {
            let commits = try await replica.eraseOwn(
                in: space, through: own.map(\.head), wallTime: wall(liar))
            for commit in commits { try await authored(commit, at: liar) }
            tally.count("erasures that make room", commits.count)
        } catch is BatchFault {
            tally.count("edits refused by membership")
        }
    }

    // MARK: Waiting

    /// Lets the liar change a record many times that an honest member begins later.
    private func changeUnbegun(in space: SpaceID, _ liar: Int) async throws {
        let honest = nodes.indices.filter { node in
            !nodes[node].isLiar && nodes[node].mates.contains(nodes[liar].person)
                && mayHold(space, nodes[node].person)
        }
        guard let node = honest.randomElement(using: &hoardChance) else { return }
        let record = Unbegun(space: space, node: node, nonce: hoardChance.nonce())
        unbegun.append(record)
        let entity = Operation.entity(
            in: space, of: RecordCollection.simulatedNote.id, by: nodes[node].device,
            nonce: record.nonce)
        let bodies = (0..<hoardChance.number(1...World.waitingBatchesMax)).map { _ in
            let count = hoardChance.number(200...World.waitingPerBatchMax)
            // One record never begins.
            let never = Operation.onNote(EntityID(raw: hoardChance.nonce()), .countAny)
            let changes = [Operation](repeating: .onNote(entity, .countAny), count: count)
            return BatchBody([never] + changes, salt: hoardChance.nonce())
        }
        let count = bodies.reduce(0) { $0 + $1.operations.count }
        tally.count("operations before their records", count)
        try await continueLog(of: liar, in: space, by: bodies)
        plan(.beginLate(record), after: Int64(hoardChance.number(30_000...900_000)))
    }

    /// Lets an honest node begin a record that the liar changed before.
    func begin(_ record: Unbegun) async throws {
        guard let replica = nodes[record.node].replica,
            let space = await replica.descriptor(of: record.space),
            try await isSettled(space, at: record.node)
        else { return }
        let entity = Operation.entity(
            in: record.space, of: RecordCollection.simulatedNote.id, by: replica.device,
            nonce: record.nonce)
        guard try await replica.notes()[record.space]?[entity] == nil else { return }
        let edit = Edit.create(
            collection: RecordCollection.simulatedNote.name, nonce: record.nonce, fields: [:])
        let commit = try await replica.author(
            [edit], in: record.space, wallTime: wall(record.node))
        tally.count("records begun late")
        try await authored(commit, at: record.node)
    }

    // MARK: Short room

    /// Limits the room of each author as the seed drew.
    func makeRoomShort() async throws {
        guard !mix.hoards.isEmpty else { return }
        isRoomShort = true
        quota.authorBytesMax = mix.authorBytesMax ?? quota.authorBytesMax
        for node in nodes { await node.replica?.setQuota(quota) }
    }

    /// Compares what must be equal although the liar's room is used up, then raises the setting and
    /// lets all records begin, so that everything is read.
    func compareWhileShort() async throws {
        guard !mix.hoards.isEmpty else { return }
        try await compareAll(isAllDue: false)
        isRoomShort = false
        quota = StorageQuota()
        for node in nodes { await node.replica?.setQuota(quota) }
        for (index, record) in unbegun.enumerated() {
            plan(.beginLate(record), after: Int64(index * World.beginPause))
        }
        try await run(until: now + recoveryMilliseconds)
    }

    /// Lets the liar make room at the end of faults, in most runs.
    func makeRoomInCalm() async throws {
        guard let space = hoarded[.filling], let liar = nodes.firstIndex(where: \.isLiar),
            hoardChance.chance(90)
        else { return }
        try await makeRoom(in: space, liar)
    }
}

extension Operation {
    /// Creates an operation on a note.
    fileprivate static func onNote(_ entity: EntityID, _ action: Action) -> Operation {
        Operation(
            collection: RecordCollection.simulatedNote.id, entity: entity, action: action)
    }
}

extension Operation.Action {
    /// Counts in the field that every member may count in.
    fileprivate static var countAny: Operation.Action {
        let field = RecordCollection.simulatedNote.field(named: "sum_any")
        return .count(field: field?.number ?? 0, 1)
    }
}
