internal import Identity
internal import Records
internal import Replica
internal import Sync

// What is checked at any time.
extension World {
    /// What was acknowledged is there after a crash, with the batches it was acknowledged for.
    func checkDurable(_ node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        let heads = Dictionary(
            uniqueKeysWithValues: await replica.spaces().map { ($0.id, $0) })
        if replica.startCountsDisagree, !nodes[node].wasRestored {
            throw Violation(.durable, "node \(node) takes a crash for a restored backup")
        }
        for (space, logs) in nodes[node].promised.sorted(by: { $0.key < $1.key }) {
            guard heads[space] != nil else {
                throw Violation(.durable, "node \(node) lost the space \(space.suffix)")
            }
            let batches = try await replica.batches(in: space, person: society.person)
            let present = Set(
                batches.map { LogHead(log: $0.log, number: $0.number, hash: $0.hash) })
            for head in logs.values.sorted() where !present.contains(head) {
                throw Violation(
                    .durable,
                    "node \(node) lost batch \(head.number) of \(head.log.device.suffix) "
                        + "in \(space.suffix)")
            }
        }
    }

    /// A node holds only what its person may see.
    func checkMayHold(_ space: SpaceID, _ node: Int) async throws {
        guard let descriptor = await nodes[node].replica?.descriptor(of: space) else { return }
        guard !society.mayHold(descriptor, nodes[node].person) else { return }
        throw Violation(.members, "node \(node) holds the \(descriptor.kind.word) \(space.suffix)")
    }

    /// A space is spoken of only to those who may hold it.
    func checkSecrecy(of space: SpaceID, from node: Int, to peer: Int) throws(Violation) {
        guard !nodes[node].isLiar else { return }
        let isAllowed = spaces(of: nodes[peer].person).contains { $0.id == space }
        guard !isAllowed else { return }
        throw Violation(.secrecy, "node \(node) tells node \(peer) of \(space.suffix)")
    }

    /// A message says something of spaces only to those who may hold them.
    func checkSecrecy(of message: Message, _ link: Int, _ end: Int) throws(Violation) {
        guard let (node, peer) = parties(link, end), let state = links[link] else { return }
        switch message {
        case .vector(let vector), .acknowledge(let vector):
            let channels = state.ends[end].channels
            guard vector.channel < channels.count else {
                throw Violation(.secrecy, "node \(node) names channel \(vector.channel)")
            }
            try checkSecrecy(of: channels[Int(vector.channel)], from: node, to: peer)
        case .have(let have):
            guard nodes[peer].isLiar || mix.matesShare < 50 else { return }
            let known = Set(state.ends[end].session.sharedSpaces)
            guard have.entries.count <= known.count else {
                throw Violation(.secrecy, "node \(node) names more spaces than it shares")
            }
            for space in known.sorted() { try checkSecrecy(of: space, from: node, to: peer) }
        default: break
        }
    }

    /// All spaces that a person may hold.
    func spaces(of person: Int) -> [SpaceDescriptor] {
        let me = society.people[person].id
        let others = society.people.indices.filter { society.areMates(person, $0) }
            .map { society.people[$0].id }
        return [.own(me), .card(me)]
            + others.flatMap { [.between(me, $0), SpaceDescriptor.card($0)] }
    }

    /// An acknowledgement that can be true is believed.
    func checkBelieved(
        _ message: Message, _ effects: [SyncSession.Effect], _ link: Int, _ end: Int
    ) throws(Violation) {
        guard case .acknowledge(let vector) = message, let (node, peer) = parties(link, end),
            !nodes[peer].isLiar, mix.quality == .sound, let state = links[link]
        else { return }
        let channels = state.ends[1 - end].channels
        guard vector.channel < channels.count, !vector.logs.isEmpty,
            state.ends[end].session.sharedSpaces.contains(channels[Int(vector.channel)])
        else { return }
        let isBelieved = effects.contains { if case .acknowledged = $0 { true } else { false } }
        guard !isBelieved else { return }
        throw Violation(.answered, "node \(node) passes over an acknowledgement of node \(peer)'s")
    }

    /// A run that is on the disk is acknowledged as far as it reaches.
    func checkAcknowledged(
        _ effects: [SyncSession.Effect], _ run: Run, _ node: Int, _ peer: Int,
        _ session: SyncSession, _ space: SpaceID
    ) throws(Violation) {
        guard session.sharedSpaces.contains(space) else { return }
        let isAcknowledged = effects.contains {
            guard case .send(.acknowledge(let vector)) = $0 else { return false }
            return vector.logs.contains { $0.log == run.log && $0.high >= run.lastNumber }
        }
        guard !isAcknowledged else { return }
        throw Violation(.answered, "node \(node) stored node \(peer)'s run and does not say so")
    }

    /// A run begins after a batch that this side said it holds.
    func checkOnceSent(
        _ run: Run, in space: SpaceID, _ link: Int, _ end: Int
    ) throws(Violation) {
        guard mix.quality == .sound, let (node, peer) = parties(link, end), !nodes[peer].isLiar
        else { return }
        let told = links[link]?.ends[end].told[space]?[run.log] ?? [0]
        links[link]?.ends[end].tell(space, run.log, run.lastNumber)
        guard !told.contains(run.firstNumber - 1) else { return }
        throw Violation(
            .onceSent,
            "node \(peer) sends node \(node) \(run.firstNumber) to \(run.lastNumber) of "
                + "\(run.log.device.suffix), told of \(told.sorted())")
    }

    /// What an honest device is noted to hold it holds, unless an older database came back.
    func checkTruthful(
        _ reaches: [LogReach], in space: SpaceID, of peer: Int, at node: Int
    ) throws(Violation) {
        guard !nodes[peer].isLiar, !nodes[peer].wasRestored, mix.quality != .broken else { return }
        for reach in reaches {
            let promised = nodes[peer].promised[space]?[reach.log]?.number ?? 0
            guard promised < reach.number else { continue }
            throw Violation(
                .truthful,
                "node \(node) notes \(reach.number) of \(reach.log.device.suffix) for node "
                    + "\(peer), which holds \(promised)")
        }
    }

    /// An edit is stamped after all that was merged before, and by no clock but one's own and
    /// those up to 24 h ahead of it.
    func checkStamp(_ commit: Commit, at node: Int) throws(Violation) {
        let known = nodes[node].merged[commit.space] ?? Stamp(milliseconds: 0)
        guard commit.stamp > known else {
            throw Violation(.knowing, "node \(node) stamped \(commit.stamp) after \(known)")
        }
        let day = Int64(Limits.stampAheadMillisecondsMax)
        guard Int64(clamping: commit.stamp.milliseconds) <= nodes[node].latestWall + day + 1 else {
            throw Violation(.undragged, "node \(node) stamped \(commit.stamp)")
        }
    }
}
