internal import Records
internal import Replica
internal import Sync

// The processing of frames, as in `Node`: the session decides, and this code performs its effects.
extension World {
    /// The number of waiting messages above which a node closes a link.
    static let outboxItemsMax = 4096
    /// The number of refused messages and batches after which a link ends.
    static let faultsMax = 16

    /// Processes a received frame.
    func arrive(_ frame: VirtualLink.Frame, at end: Int, of link: Int) async throws {
        guard let (node, peer) = parties(link, end), links[link]?.cutAt == nil,
            nodes[node].replica != nil
        else { return }
        tally.count("arrivals")
        trace.record(now, "\(peer)>\(node) \(frame.type)", frame.payload)
        do {
            let message = try Message(
                type: frame.type, payload: frame.payload, sender: nodes[peer].device)
            recordIgnoredRun(message, link, end)
            try await processContent(message, link, end)
            if case .identity(let claims) = message { try await learn(claims, at: node) }
            guard let state = links[link] else { return }
            let effects = try state.ends[end].session.receive(message)
            try checkBelieved(message, effects, link, end)
            try await perform(effects, link, end)
        } catch let violation as Violation {
            throw violation
        } catch {
            try excuse("\(error)", from: peer, to: node)
            close(link, end)
        }
    }

    /// Counts a refusal. Only a liar or a broken link may cause one.
    private func excuse(
        _ why: String, from peer: Int, to node: Int, about device: DeviceID? = nil
    ) throws(Violation) {
        tally.count("refusals")
        trace.record(now, "refused \(peer)>\(node) \(why)")
        if let device, society.isSuspect(device) { return }
        guard nodes[peer].isLiar || nodes[node].isLiar || mix.quality == .broken else {
            throw Violation(.unrefused, "node \(node) refused node \(peer)'s: \(why)")
        }
    }

    /// Performs a session's effects. Messages are sent first, as in a node.
    func perform(_ effects: [SyncSession.Effect], _ link: Int, _ end: Int) async throws {
        try queueUp(effects, link, end)
        for effect in effects {
            guard let (node, peer) = parties(link, end) else { return }
            switch effect {
            case .merge(let space, let run): try await merge(run, in: space, link, end)
            case .acknowledged(let space, let reaches):
                try await record(reaches, in: space, of: peer, at: node)
            case .forked(let space, let log, let number):
                try excuse(
                    "a fork of \(log.device.suffix) at \(number) in \(space.suffix)", from: peer,
                    to: node, about: log.device)
            case .inSync(_, true):
                links[link]?.ends[end].digestPause = VirtualLink.End.digestPauseMin
            default: break
            }
        }
    }

    /// Queues the messages of a session.
    private func queueUp(
        _ effects: [SyncSession.Effect], _ link: Int, _ end: Int
    ) throws(Violation) {
        guard let state = links[link], let (node, peer) = parties(link, end) else { return }
        for effect in effects {
            switch effect {
            case .send(let message):
                try checkSecrecy(of: message, link, end)
                state.ends[end].tell(message)
                state.ends[end].outbox.append(.message(message))
            case .push(let space, let log, let after, let prefix, let channel):
                try checkSecrecy(of: space, from: node, to: peer)
                state.ends[end].outbox.append(
                    .log(space, log, after: after, prefix: prefix, channel: channel))
            default: break
            }
        }
        if state.ends[end].outbox.count > World.outboxItemsMax {
            guard nodes[peer].isLiar else {
                throw Violation(.bounded, "node \(node) has \(state.ends[end].outbox.count) to say")
            }
        }
        startDraining(link, end)
    }

    /// Queues an item that no session asked for.
    func put(_ item: VirtualLink.Item, _ link: Int, _ end: Int) {
        guard parties(link, end) != nil else { return }
        links[link]?.ends[end].outbox.append(item)
        startDraining(link, end)
    }

    private func startDraining(_ link: Int, _ end: Int) {
        guard let state = links[link], !state.ends[end].isDraining,
            !state.ends[end].outbox.isEmpty
        else { return }
        state.ends[end].isDraining = true
        plan(.drain(link: link, end: end), within: 0...5)
    }

    // MARK: Merging

    /// Stores a peer's run, acknowledges it, and then informs the other sessions.
    private func merge(_ run: Run, in space: SpaceID, _ link: Int, _ end: Int) async throws {
        guard let (node, peer) = parties(link, end), let replica = nodes[node].replica else {
            return
        }
        try checkOnceSent(run, in: space, link, end)
        let checked = await checked(run, in: space, by: replica)
        let outcome = try await replica.merge([(space, checked)], wallTime: wall(node))
        tally.count("merges")
        tally.count("batches", outcome.stored.reduce(0) { $0 + $1.numbers.count })
        nodes[node].record(outcome.commits)
        try await checkMayHold(space, node)
        if let fault = outcome.faults[0] {
            try await refuse(fault, run, in: space, link, end)
        } else {
            guard try await keep(run, in: space, at: node) else { return }
            try await acknowledge(run, outcome.stored, in: space, link, end)
            if !outcome.stored.isEmpty { trace.record(now, "\(node) stored of \(peer)'s") }
        }
        var changed = Set(outcome.commits.map(\.space))
        if !outcome.stored.isEmpty { changed.insert(space) }
        for space in changed.sorted() { try await advance(space, at: node) }
        if !changed.isEmpty { try await refreshGroups(node) }
    }

    /// Returns a run as a node passes it to its replica: checked, if it continues the log's end and
    /// is valid.
    private func checked(_ run: Run, in space: SpaceID, by replica: Replica) async -> Run {
        let head = await replica.heads(in: space).first { $0.log == run.log }
        guard (head?.high ?? 0) + 1 == run.firstNumber else { return run }
        let checked = try? proven.checked(run, in: space, after: head?.headHash ?? .none)
        return checked ?? run
    }

    /// Stores a run.
    /// - Returns: false if the node crashes between the disk and the acknowledgement.
    private func keep(_ run: Run, in space: SpaceID, at node: Int) async throws -> Bool {
        guard let replica = nodes[node].replica else { return false }
        if let head = await replica.heads(in: space).first(where: { $0.log == run.log }) {
            nodes[node].promise(head.head, in: space)
        }
        guard nodes[node].crashesOnceStored, !isCalm else { return true }
        nodes[node].crashesOnceStored = false
        tally.count("crashes between disk and ACK")
        try crash(node)
        return false
    }

    private func acknowledge(
        _ run: Run, _ new: [MergeOutcome.StoredRange], in space: SpaceID, _ link: Int, _ end: Int
    ) async throws {
        guard let (node, peer) = parties(link, end), let replica = nodes[node].replica else {
            return
        }
        let logs = await replica.heads(in: space).filter { $0.log.device == run.log.device }
        let received = logs.filter { log in
            new.contains { $0.space == space && $0.log == log.log }
                || run.log == log.log && run.lastNumber == log.high
        }
        guard let state = links[link] else { return }
        let effects = state.ends[end].session.stored(
            logs, received: received.map { LogReach($0.head) }, in: space)
        state.ends[end].tell(space, run.log, run.lastNumber)
        try await checkAcknowledged(effects, run, node, peer, state.ends[end].session, space)
        try queueUp(effects, link, end)
    }

    private func refuse(
        _ fault: BatchFault, _ run: Run, in space: SpaceID, _ link: Int, _ end: Int
    ) async throws {
        guard let (node, peer) = parties(link, end), let state = links[link] else { return }
        if case .forked = fault {
            try queueUp(
                state.ends[end].session.refusedSide(of: run.log.device, in: space), link, end)
        }
        if isForgiven(fault, run, of: peer) {
            trace.record(now, "put off \(peer)>\(node) \(fault)")
            return tally.count("batches put off")
        }
        if case .beyondCut = fault, mix.changesDevices {
            return tally.count("batches refused behind a cut")
        }
        if case .notEnded = fault {
            planEnd(of: run.log, in: space, at: node)
            return try queueUp(state.ends[end].session.missing(in: space), link, end)
        }
        if case .gap = fault {
            tally.count("gaps")
            if mix.quality == .sound {
                try excuse("\(fault)", from: peer, to: node, about: run.log.device)
            }
            return try queueUp(state.ends[end].session.missing(in: space), link, end)
        }
        if society.groups.keys.contains(where: { $0.id == space }), fault.isAboutMembers {
            tally.count("batches refused by membership")
        } else {
            try excuse("\(fault)", from: peer, to: node, about: run.log.device)
        }
        state.ends[end].faultCount += 1
        if state.ends[end].faultCount >= World.faultsMax { close(link, end) }
    }

    /// Whether a fault does not count against the peer, as in a node.
    private func isForgiven(_ fault: BatchFault, _ run: Run, of peer: Int) -> Bool {
        guard mix.hasRefusedLogs else { return false }
        switch fault {
        case .tooFarAhead, .tooSoon: return true
        case .tooManyWaiting:
            tally.count("runs refused for waiting operations")
            return true
        case .noRoom:
            tally.count("runs refused for room")
            return society.person(of: run.log.device) == society.liar
        case .forked: return run.log.device != nodes[peer].device
        default: return false
        }
    }

    /// Records what a peer acknowledges.
    private func record(
        _ reaches: [LogReach], in space: SpaceID, of peer: Int, at node: Int
    ) async throws {
        try checkTruthful(reaches, in: space, of: peer, at: node)
        tally.count("acknowledgements", reaches.count)
        try await nodes[node].replica?.recordAcknowledgement(
            of: nodes[peer].device, in: space, reaches: reaches)
    }

    /// Passes a space's new state to every session that shares it.
    func advance(_ space: SpaceID, at node: Int) async throws {
        guard let here = await shared(space, at: node) else { return }
        for (_, link) in nodes[node].links.sorted(by: { $0.key < $1.key }) {
            guard let state = links[link] else { continue }
            let end = state.end(of: node)
            let effects = state.ends[end].advance(here)
            guard !effects.isEmpty else { continue }
            state.ends[end].digestPause = VirtualLink.End.digestPauseMin
            planQuestion(link, end)
            try queueUp(effects, link, end)
        }
    }
}

extension BatchFault {
    /// Whether the fault may be due to a removed author or to one whose membership is not known
    /// yet.
    fileprivate var isAboutMembers: Bool {
        switch self {
        case .notAMember, .beyondCut: true
        default: false
        }
    }
}
