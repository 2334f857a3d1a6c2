internal import Records
internal import Replica
internal import Sync
internal import TestSupport

// What honest nodes and liars do.
extension OpenTown {
    /// Lets a person post.
    /// - Returns: the number of the batch.
    @discardableResult
    func post(_ node: Int) async throws -> UInt64 {
        _ = try await residents[node].replica.author(
            [
                .create(
                    collection: RecordCollection.simulatedPost.name,
                    nonce: Bytes16(chance.bytes(16)) ?? .zero,
                    fields: ["text": .text("The café at \(node) is open, says \(chance.next())")])
            ], in: space, wallTime: wallTime)
        tally.count("posts")
        try await tellChanges(node)
        let log = residents[node].log
        let number = offered(log, at: node)?.high ?? 0
        residents[node].reached[log, default: [:]][number] = now
        return number
    }

    func offered(_ log: LogName, at node: Int) -> OfferedLog? {
        residents[node].replica.offer(of: space)?.logs.first { $0.log == log }
    }

    /// Tells the exchange what changed in the replica.
    func tellChanges(_ node: Int) async throws {
        let known = residents[node].revision
        guard let offer = residents[node].replica.offer(of: space, since: known),
            offer.revision != known
        else { return }
        residents[node].revision = offer.revision
        var gone = offer.gone
        if offer.isWhole {
            let kept = Set(offer.logs.map(\.log))
            gone = residents[node].exchange.logs.filter { !kept.contains($0) }
        }
        let effects = residents[node].exchange.change(
            offer.logs, gone: gone, digest: offer.digest, now: time)
        try await perform(effects, at: node)
    }

    func receive(_ message: Message, bytes: Int, from: Int, to node: Int) async throws {
        residents[node].bytes += bytes + 5
        guard var link = residents[node].links[from] else { return }
        let peer = device(of: from)
        var wanted: [OpenExchange.Effect] = []
        do throws(SyncFault) {
            let effects = try link.session.receive(message)
            residents[node].links[from] = link
            for effect in effects {
                switch effect {
                case .send(let answer): wanted.append(.send(peer, answer))
                case .offered(_, let digest):
                    wanted += residents[node].exchange.named(peer, digest: digest, now: time)
                case .notOffered: wanted += residents[node].exchange.unnamed(peer, now: time)
                case .open(_, let message):
                    wanted += try residents[node].exchange.receive(message, from: peer, now: time)
                default: break
                }
            }
        } catch {
            tally.count("links ended for a fault")
            guard from >= residents.count else {
                throw Violation(.unrefused, "\(node) ended the link with honest \(from): \(error)")
            }
            return try await end(node, from)
        }
        try await perform(wanted, at: node)
    }

    /// Performs what an exchange requests, and plans its next call.
    func perform(_ effects: [OpenExchange.Effect], at node: Int) async throws {
        for effect in effects {
            switch effect {
            case .send(let device, let message):
                if let to = nodeByDevice[device] { send(message, from: node, to: to) }
            case .read(let device, let ask):
                tally.count("reads")
                let answer = try await residents[node].replica.passing(ask, in: space)
                try await perform(
                    residents[node].exchange.answer(
                        ask, to: device, with: answer?.passed, of: answer?.author, now: time),
                    at: node)
            case .store(let device, let ask, let piece):
                let end = max(now, residents[node].diskFree) + OpenTownPlan.storing
                residents[node].diskFree = end
                events.plan(.store(node: node, from: device, ask: ask, piece: piece), at: end)
            case .refused(let device):
                if let peer = nodeByDevice[device] { try await countRefusal(of: peer, at: node) }
            }
        }
        guard let due = residents[node].exchange.nextWake(after: time) else { return }
        let (seconds, attoseconds) = due.components
        let started = attoseconds > 0 ? 1 + (attoseconds - 1) / 1_000_000_000_000_000 : 0
        let wake = max(now, seconds * 1000 + started)
        if residents[node].wake.map({ wake < $0 }) ?? true {
            residents[node].wake = wake
            events.plan(.wake(node), at: wake)
        }
    }

    /// Ends a link with a peer that broke the protocol; it comes back.
    private func end(_ node: Int, _ other: Int) async throws {
        try await cut(node, other)
        events.plan(.relink(node, other), at: now + 5000)
    }

    func store(_ piece: PassedRun, _ ask: LogAsk, from: DeviceID, at node: Int) async throws {
        // The link may have ended meanwhile, and its peer may have disguised itself.
        guard let peer = nodeByDevice[from], device(of: peer) == from,
            residents[node].links[peer] != nil
        else {
            let effects = residents[node].exchange.stored(ask, from: from, .refused, now: time)
            return try await perform(effects, at: node)
        }
        let sender = person(of: peer)
        let before = try await use(at: node)
        let received = try await residents[node].replica.receive(
            piece, in: space, from: sender, wallTime: wallTime)
        tally.count("pieces")
        try checkShares(node, from: sender, before, try await use(at: node))
        for number in piece.run.firstNumber...piece.run.lastNumber {
            residents[node].arrivals[piece.run.log, default: [:]][number, default: 0] += 1
        }
        try await tellChanges(node)
        if case .stored(let offered) = received.result,
            residents[node].reached[offered.log]?[offered.high] == nil
        {
            residents[node].reached[offered.log, default: [:]][offered.high] = now
        }
        let outcome = outcome(of: received.result, for: piece.run)
        tally.count("pieces \(outcome.name)")
        try await perform(
            residents[node].exchange.stored(ask, from: from, outcome, now: time), at: node)
        guard case .refused(let fault) = received.result else { return }
        if !fault.isHonest { try await countRefusal(of: peer, at: node) }
    }

    /// Counts a refused run, and ends the link with the 16th.
    func countRefusal(of peer: Int, at node: Int) async throws {
        tally.count("refused runs")
        residents[node].links[peer]?.refusedCount += 1
        guard peer < residents.count || residents[node].links[peer]?.refusedCount ?? 0 >= 16 else {
            return
        }
        guard peer >= residents.count else {
            throw Violation(.unrefused, "a run of honest node \(peer) was refused at \(node)")
        }
        try await end(node, peer)
    }

    private func outcome(
        of result: ReceivedPiece.Result, for run: Run
    ) -> OpenExchange.Outcome {
        switch result {
        case .stored: .stored
        case .overAllowance(let until):
            .overAllowance(until: time + .milliseconds(until.milliseconds - wallTime.milliseconds))
        case .noShare: .noShare
        case .noRoom: .noRoom
        case .expired: .expired(through: run.lastNumber)
        case .refused(.gap): .gap
        case .refused, .refusedRecord: .refused
        }
    }

    /// Removes what has expired, and asks again if there is room.
    func tend(_ node: Int) async throws {
        try await residents[node].replica.prune(wallTime: wallTime)
        try await tellChanges(node)
        try await checkBounds(node)
        let full = try await use(at: node).fullBringers
        let hasRoom = !residents[node].fullPeople.isSubset(of: full)
        residents[node].fullPeople = full
        if hasRoom { try await perform(residents[node].exchange.madeRoom(now: time), at: node) }
    }

    // MARK: - Liars

    func receive(_ message: Message, from: Int, byLiar liar: Int) {
        guard var link = liars[liar].links[from] else { return }
        let effects = (try? link.session.receive(message)) ?? []
        liars[liar].links[from] = link
        let here = residents.count + liar
        guard let channel = link.session.channel(of: space) else { return }
        for case .open(_, .ask(let question)) in effects {
            switch question.subject {
            case .page(let log):
                let page = liars[liar].page(after: log)
                let offer = Offer(
                    channel: channel, digest: Bytes16(chance.bytes(16)) ?? .zero,
                    part: page.hasMore ? .page : .lastPage, logs: page.logs)
                send(.offer(offer), from: here, to: from)
            case .piece(let ask, _):
                guard let answer = liars[liar].answer(ask, channel: channel) else { continue }
                send(answer, from: here, to: from)
            }
        }
    }

    func lie(_ liar: Int) async throws {
        if liars[liar].lie == .disguise, now / 1000 % 20 == 0 { return try await disguise(liar) }
        for (other, link) in liars[liar].links.sorted(by: { $0.key < $1.key }) {
            guard let channel = link.session.channel(of: space) else { continue }
            for message in liars[liar].unasked(channel: channel, using: &chance) {
                tally.count("lies")
                send(message, from: residents.count + liar, to: other)
            }
        }
    }

    /// Lets a liar come back to its peers as another person.
    private func disguise(_ liar: Int) async throws {
        let here = residents.count + liar
        let peers = liars[liar].links.keys.sorted()
        for peer in peers { try await cut(peer, here) }
        try liars[liar].disguise(using: &chance)
        nodeByDevice[device(of: here)] = here
        tally.count("disguises")
        for peer in peers { events.plan(.relink(peer, here), at: now + 100) }
    }
}

extension OpenExchange.Outcome {
    var name: String {
        switch self {
        case .stored: "stored"
        case .overAllowance: "over their allowance"
        case .noShare: "beyond a share"
        case .noRoom: "without room"
        case .expired: "expired"
        case .gap: "after a gap"
        case .refused: "refused"
        }
    }
}

extension BatchFault {
    /// Whether an honest peer may cause the fault.
    fileprivate var isHonest: Bool {
        switch self {
        case .gap, .forked, .beyondCut, .notEnded: true
        default: false
        }
    }
}
