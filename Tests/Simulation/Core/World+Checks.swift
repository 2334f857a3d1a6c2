internal import Identity
internal import Records
internal import Replica
internal import Sync

// The checks at any time.
extension World {
    /// Checks that acknowledged data is stored after a crash, with the batches it was acknowledged
    /// for.
    func checkDurable(_ node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        let heads = Dictionary(
            uniqueKeysWithValues: await replica.spaces().map { ($0.id, $0) })
        if replica.startCountsDisagree, !nodes[node].wasRestored {
            throw Violation(.durable, "node \(node) takes a crash for a restored backup")
        }
        for (space, logs) in nodes[node].promised.sorted(by: { $0.key < $1.key }) {
            guard heads[space] != nil, let membership = await replica.membership(of: space) else {
                throw Violation(.durable, "node \(node) lost the space \(space.suffix)")
            }
            let batches = try await batches(in: space, of: replica)
            let present = Set(batches.map(\.hash))
            for head in logs.values.sorted() where !present.contains(head.hash) {
                guard let author = society.person(of: head.log.device),
                    membership.reach(of: head.log, by: author) >= head.number,
                    !isOneOfMany(head.log.device, batches)
                else { continue }
                throw Violation(
                    .durable,
                    "node \(node) lost batch \(head.number) of \(head.log.device.suffix) "
                        + "in \(space.suffix)")
            }
        }
    }

    /// Whether a liar signed so many batches with one number that some had to be dropped.
    private func isOneOfMany(_ device: DeviceID, _ batches: [ReferenceModel.Batch]) -> Bool {
        let sides = batches.filter { $0.log.device == device && $0.log.branch.raw == $0.hash.raw }
        return !society.isHonest(device) && sides.count >= Limits.forkSidesMax
    }

    /// Checks that a node holds only spaces that its person may see.
    func checkMayHold(_ space: SpaceID, _ node: Int) async throws {
        guard let descriptor = await nodes[node].replica?.descriptor(of: space) else { return }
        guard !society.mayHold(descriptor, nodes[node].person) else { return }
        throw Violation(.members, "node \(node) holds the \(descriptor.kind.name) \(space.suffix)")
    }

    /// Checks that a space is mentioned only to people who may hold it.
    func checkSecrecy(of space: SpaceID, from node: Int, to peer: Int) throws(Violation) {
        guard !nodes[node].isLiar else { return }
        guard !mayHold(space, nodes[peer].person) else { return }
        throw Violation(.secrecy, "node \(node) tells node \(peer) of \(space.suffix)")
    }

    /// Checks that a message contains data only about spaces that the peer may hold.
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

    /// Returns all spaces that a person may hold.
    func spaces(of person: Int) -> [SpaceDescriptor] {
        let me = society.people[person].id
        let others = society.people.indices.filter { society.areMates(person, $0) }
            .map { society.people[$0].id }
        return [.own(me), .card(me)] + society.groups(of: me)
            + others.flatMap { [.between(me, $0), SpaceDescriptor.card($0)] }
    }

    /// Checks that plausible acknowledgements are accepted: those that cover at most the local part
    /// of an honest device's log.
    func checkBelieved(
        _ message: Message, _ effects: [SyncSession.Effect], _ link: Int, _ end: Int
    ) throws(Violation) {
        guard case .acknowledge(let vector) = message, let (node, peer) = parties(link, end),
            !nodes[peer].isLiar, mix.quality == .sound, let state = links[link]
        else { return }
        let channels = state.ends[1 - end].channels
        guard vector.channel < channels.count,
            state.ends[end].session.sharedSpaces.contains(channels[Int(vector.channel)])
        else { return }
        let here = state.ends[end].here[channels[Int(vector.channel)]] ?? []
        let canBeTrue = vector.logs.contains { reach in
            !society.isSuspect(reach.log.device)
                && here.contains { $0.log == reach.log && $0.high >= reach.high }
        }
        let isBelieved = effects.contains { if case .acknowledged = $0 { true } else { false } }
        guard canBeTrue, !isBelieved else { return }
        throw Violation(.answered, "node \(node) passes over an acknowledgement of node \(peer)'s")
    }

    /// Checks that a stored run is acknowledged as far as it counts. A log without a batch that
    /// counts is not acknowledged.
    func checkAcknowledged(
        _ effects: [SyncSession.Effect], _ run: Run, _ node: Int, _ peer: Int,
        _ session: SyncSession, _ space: SpaceID
    ) async throws {
        guard session.sharedSpaces.contains(space), !society.isSuspect(run.log.device),
            let author = society.person(of: run.log.device)
        else { return }
        let membership = await nodes[node].replica?.membership(of: space)
        let last = min(run.lastNumber, membership?.reach(of: run.log, by: author) ?? 0)
        guard last > 0 else { return }
        let isAcknowledged = effects.contains {
            guard case .send(.acknowledge(let vector)) = $0 else { return false }
            return vector.logs.contains { $0.log == run.log && $0.high >= last }
        }
        guard !isAcknowledged else { return }
        throw Violation(.answered, "node \(node) stored node \(peer)'s run and does not say so")
    }

    /// Checks that a run continues a batch that this side announced.
    func checkOnceSent(
        _ run: Run, in space: SpaceID, _ link: Int, _ end: Int
    ) throws(Violation) {
        guard mix.quality == .sound, let (node, peer) = parties(link, end), !nodes[peer].isLiar
        else { return }
        let told = links[link]?.ends[end].told[space]?[run.log] ?? [0]
        links[link]?.ends[end].tell(space, run.log, run.lastNumber)
        guard !told.contains(run.firstNumber - 1), !society.isSuspect(run.log.device) else {
            return
        }
        throw Violation(
            .onceSent,
            "node \(peer) sends node \(node) \(run.firstNumber) to \(run.lastNumber) of "
                + "\(run.log.device.suffix), told of \(told.sorted())")
    }

    /// Records a run of a space that this side does not share now. The run is ignored here, but the
    /// peer continues after it.
    func recordIgnoredRun(_ message: Message, _ link: Int, _ end: Int) {
        guard case .push(let push) = message, let state = links[link] else { return }
        let channels = state.ends[1 - end].channels
        guard push.channel < channels.count else { return }
        let space = channels[Int(push.channel)]
        guard !state.ends[end].session.sharedSpaces.contains(space) else { return }
        links[link]?.ends[end].tell(space, push.run.log, push.run.lastNumber)
    }

    /// Checks that an honest device holds what it is recorded to hold, unless a database was
    /// restored.
    func checkTruthful(
        _ reaches: [LogReach], in space: SpaceID, of peer: Int, at node: Int
    ) throws(Violation) {
        guard !nodes[peer].isLiar, !nodes[peer].wasRestored, mix.quality != .broken else { return }
        for reach in reaches where !society.isSuspect(reach.log.device) {
            let promised = nodes[peer].promised[space]?[reach.log]?.number ?? 0
            guard promised < reach.number else { continue }
            throw Violation(
                .truthful,
                "node \(node) notes \(reach.number) of \(reach.log.device.suffix) for node "
                    + "\(peer), which holds \(promised)")
        }
    }

    /// Checks that a node takes nothing for held by a peer whose database was replaced by an older
    /// one, unless it holds it now.
    func checkNotedBefore(_ peer: Int, at node: Int) async throws {
        guard let replica = nodes[node].replica, let other = nodes[peer].replica,
            nodes[peer].isEpochRenewed, !nodes[peer].wasRestoredUnknowingly,
            !society.isSuspect(nodes[node].device), !nodes[peer].isLiar, mix.quality != .broken
        else { return }
        tally.count("renewed epochs seen")
        let groups = Set(society.groups.keys.map(\.id))
        for row in try await replica.acknowledgements() {
            guard row.bytes("device") == nodes[peer].device.bytes, let space = row.space("id"),
                let number = row.integer("number"), !groups.contains(space)
            else { continue }
            let held =
                await other.heads(in: space)
                .first { $0.log.device == nodes[node].device }?.high ?? 0
            guard UInt64(clamping: number) > held else { continue }
            throw Violation(
                .truthful,
                "node \(node) still notes \(number) of its own for node \(peer), which holds "
                    + "\(held) since it was restored")
        }
    }

    /// Checks that an edit is stamped after all merged batches, and only by the own clock and
    /// clocks up to 24 h ahead of it.
    func checkStamp(_ commit: Commit, at node: Int) throws(Violation) {
        let known = nodes[node].merged[commit.space] ?? Stamp(.min)
        guard commit.stamp > known else {
            throw Violation(.knowing, "node \(node) stamped \(commit.stamp) after \(known)")
        }
        let latest = nodes[node].latestWall + Limits.stampAheadMax + .milliseconds(1)
        guard commit.stamp.time <= latest else {
            throw Violation(.undragged, "node \(node) stamped \(commit.stamp)")
        }
    }
}
