internal import Identity
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

// Links: their start, their frames and their end.
extension World {
    /// Tries to link two nodes unless they are linked. The attempt is repeated for ever.
    func dial(_ one: Int, _ other: Int) async throws {
        plan(.dial(one, other), within: isCalm ? 500...2000 : 2000...15_000)
        let isLinked = [(one, other), (other, one)].contains { from, to in
            nodes[from].links[to].flatMap { links[$0] }.map { $0.cutAt == nil } ?? false
        }
        guard !isLinked, !isBlocked(one, other), !isBlocked(other, one),
            nodes[one].replica != nil, nodes[other].replica != nil,
            try await !turnsAway(one, other)
        else { return }
        for (node, peer) in [(one, other), (other, one)] { abandon(nodes[node].links[peer], node) }
        let link = nextLink
        nextLink += 1
        let nonces = [chance.nonce(), chance.nonce()]
        links[link] = VirtualLink(
            id: link,
            ends: [(one, 0), (other, 1)].map { node, end in
                VirtualLink.End(
                    node: node, nonces: (nonces[end], nonces[1 - end]),
                    session: SyncSession(localNonce: nonces[end], remoteNonce: nonces[1 - end]))
            })
        tally.count("links")
        trace.record(now, "link \(link) \(one)-\(other)")
        for (node, peer) in [(one, other), (other, one)] {
            nodes[node].links[peer] = link
            // HELLO contains the peer's record and epoch.
            try await greet(peer, at: node)
            try await nodes[node].replica?.recordEpoch(
                nodes[peer].epoch, of: nodes[peer].device)
            try await checkNotedBefore(peer, at: node)
        }
        for end in [0, 1] {
            try await shareSpaces(link, end)
            try await tellRecord(link, end)
            planQuestion(link, end)
        }
    }

    /// Ends an old link that only this side still regards as open.
    private func abandon(_ link: Int?, _ node: Int) {
        guard let link, let end = links[link]?.end(of: node) else { return }
        close(link, end)
    }

    /// Shares exactly the spaces that the peer's person may see, as far as this node knows.
    func shareSpaces(_ link: Int, _ end: Int) async throws {
        guard let (node, peer) = parties(link, end), let replica = nodes[node].replica else {
            return
        }
        var here: [SharedSpace] = []
        for descriptor in spacesShared(by: node, with: peer) {
            try await replica.open(descriptor)
            if let space = await shared(descriptor.id, at: node) { here.append(space) }
        }
        guard let state = links[link] else { return }
        try await perform(state.ends[end].share(here), link, end)
    }

    /// Returns the spaces that a node shares with another: between devices of one person all
    /// spaces, between mates the pair and both cards.
    func spacesShared(by node: Int, with peer: Int) -> [SpaceDescriptor] {
        let (mine, theirs) = (nodes[node].person, nodes[peer].person)
        let (me, other) = (society.people[mine].id, society.people[theirs].id)
        let groups = nodes[node].groups.filter { group in
            group.value.contains { $0.person == other && $0.isServed }
        }.map(\.key).sorted { $0.id < $1.id }
        guard mine != theirs else {
            let mates = nodes[node].mates.sorted().map { society.people[$0].id }
            return [.own(me), .card(me)] + groups
                + mates.flatMap { [.between(me, $0), SpaceDescriptor.card($0)] }
        }
        guard nodes[node].mates.contains(theirs) else { return groups }
        return [.between(me, other), .card(me), .card(other)] + groups
    }

    /// Returns a space's state on a node, or nil if the space is not open or the node is down.
    func shared(_ space: SpaceID, at node: Int) async -> SharedSpace? {
        guard let replica = nodes[node].replica, let digest = await replica.digest(of: space) else {
            return nil
        }
        return SharedSpace(
            space: space, digest: digest, logs: replica.logsBySeniority(in: space) ?? [])
    }

    /// Returns the node at an end and its peer, while the end is open.
    func parties(_ link: Int, _ end: Int) -> (node: Int, peer: Int)? {
        guard let state = links[link], state.ends[end].isOpen else { return nil }
        return (state.ends[end].node, state.ends[1 - end].node)
    }

    /// Asks for unknown digests at the intervals that a node uses.
    func tend(_ link: Int, _ end: Int) async throws {
        guard parties(link, end) != nil, let state = links[link],
            state.ends[end].nextQuestion == now
        else { return }
        let effects = state.ends[end].session.askDigests(onlyUnknown: true)
        state.ends[end].digestPause = min(
            state.ends[end].digestPause * 2, VirtualLink.End.digestPauseMax)
        planQuestion(link, end)
        try await perform(effects, link, end)
    }

    /// Plans the next question for digests and replaces the planned one.
    func planQuestion(_ link: Int, _ end: Int) {
        guard let pause = links[link]?.ends[end].digestPause else { return }
        links[link]?.ends[end].nextQuestion = now + pause
        plan(.tend(link: link, end: end), after: pause)
    }

    // MARK: Ending

    /// Cuts a link. Frames in transit are lost, and each side learns of it at a random time.
    func cut(_ link: Int) {
        guard links[link]?.cutAt == nil else { return }
        links[link]?.cutAt = now
        tally.count("cuts")
        trace.record(now, "cut \(link)")
        for end in [0, 1] {
            plan(.learnOfCut(link: link, end: end), within: isCalm ? 0...500 : 0...45_000)
        }
    }

    /// Closes one end of a link.
    func close(_ link: Int, _ end: Int) {
        guard let (node, peer) = parties(link, end) else { return }
        links[link]?.ends[end].isOpen = false
        if nodes[node].links[peer] == link {
            nodes[node].links[peer] = nil
            nodes[node].content.linkEnded(nodes[peer].device)
        }
        cut(link)
        oldFrames[node, default: []] += links[link]?.ends[end].sent.suffix(4) ?? []
        if links[link]?.ends.allSatisfy({ !$0.isOpen }) ?? false { links[link] = nil }
    }

    // MARK: Frames

    /// Sends the queued items of an end in order.
    func drain(_ link: Int, _ end: Int) async throws {
        guard let (node, peer) = parties(link, end), let replica = nodes[node].replica else {
            return
        }
        let items = links[link]?.ends[end].outbox ?? []
        links[link]?.ends[end].outbox = []
        links[link]?.ends[end].isDraining = false
        for item in items {
            switch item {
            case .message(let message): send(message, link, end)
            case .content(let request, let space):
                try await answer(request, of: space, link, end)
            case .log(let space, let log, var last, let prefix, let channel):
                var expected = UInt64?.some(prefix)
                guard links[link]?.ends[end].session.sharedSpaces.contains(space) ?? false else {
                    continue
                }
                try checkSecrecy(of: space, from: node, to: peer)
                await introduce(authorOf: log, in: space, link, end)
                while let run = try await replica.runs(
                    in: space, log: log, after: last, prefix: expected,
                    bytesMax: World.pushBytesMax)
                {
                    (last, expected) = (run.lastNumber, nil)
                    links[link]?.ends[end].tell(space, log, last)
                    send(.push(Push(channel: channel, run: run)), link, end)
                }
            }
        }
    }

    /// The size limit of a PUSH, small enough that a log needs several frames.
    private static let pushBytesMax = 4096

    /// Sends a message.
    func send(_ message: Message, _ link: Int, _ end: Int) {
        guard let (node, _) = parties(link, end) else { return }
        let frame = VirtualLink.Frame(
            type: message.type, payload: message.payload(sender: nodes[node].device))
        send(frame, link, end)
    }

    /// Sends a frame, which may be lost, repeated or replayed at random.
    func send(_ frame: VirtualLink.Frame, _ link: Int, _ end: Int) {
        guard let state = links[link], let (node, _) = parties(link, end) else { return }
        tally.count("frames")
        let before = state.ends[end].sent.count
        if before < VirtualLink.End.sentMax { state.ends[end].sent.append(frame) }
        guard !isCalm else { return carry(frame, link, end) }
        let isFrail = mix.quality == .broken || mix.quality == .forgetful && frame.isForgettable
        let isLost = chance.chance(mix.lossShare)
        if isLost { tally.count("losses") }
        if isLost, isFrail { return }
        carry(frame, link, end, after: isLost ? chance.number(200...3000) : 0)
        guard isFrail, chance.chance(mix.repeatShare) else { return }
        tally.count("repeats")
        let old = mix.quality == .broken ? oldFrames[node] ?? [] : []
        let replayed = (old + state.ends[end].sent.prefix(before)).filter {
            mix.quality == .broken || $0.isForgettable
        }
        carry(replayed.randomElement(using: &chance) ?? frame, link, end)
    }

    /// Delivers a frame after a delay. Frames stay in order except on broken links.
    private func carry(
        _ frame: VirtualLink.Frame, _ link: Int, _ end: Int, after extra: Int = 0
    ) {
        guard let state = links[link], state.cutAt == nil else { return }
        let (node, peer) = (state.ends[end].node, state.ends[1 - end].node)
        guard !isBlocked(node, peer) else {
            state.ends[end].stalled.append(frame)
            return
        }
        let delay = isCalm ? chance.number(1...50) : chance.number(mix.delayMilliseconds)
        var arrival = now + Int64(delay + extra)
        if mix.quality != .broken || isCalm {
            arrival = max(arrival, state.ends[end].lastArrival)
            state.ends[end].lastArrival = arrival
        }
        queue.plan(.arrive(link: link, end: 1 - end, frame), at: arrival)
    }

    /// Sends the frames that a partition delayed.
    func flushStalled() {
        for link in links.keys.sorted() {
            for end in [0, 1] {
                let stalled = links[link]?.ends[end].stalled ?? []
                links[link]?.ends[end].stalled = []
                for frame in stalled { carry(frame, link, end) }
            }
        }
    }

    /// Whether no frame gets from one node to another.
    func isBlocked(_ from: Int, _ to: Int) -> Bool { blocked.contains(from * 16 + to) }
}
