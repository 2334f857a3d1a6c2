internal import Identity
internal import Links
internal import Logging
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The exchange of joined neighbourhoods with every linked device that joined them too, strangers'
// as well. Nobody becomes known by it: nothing else is shared with a stranger.
extension Node {
    /// Names the joined neighbourhoods to a linked device. It learns nothing of one that it has not
    /// joined: its name is in no message.
    func nameNeighbourhoods(to device: DeviceID) async {
        guard var link = links[device], link.version >= Hello.openVersion,
            !relations.blocked.contains(link.peer.person)
        else { return }
        if !neighbourhoods.knows(device, linkID: link.id) { endExchanges(with: device) }
        let effects = link.session.name(open: neighbourhoods.digests)
        links[device] = link
        for space in neighbourhoods.ids {
            guard let channel = link.session.channel(of: space) else { continue }
            neighbourhoods.begin(device, linkID: link.id, in: space, channel: channel)
        }
        queue(effects, on: device)
        await settle(effects, on: device, id: link.id)
    }

    /// Ends the part of a device's link in all exchanges.
    func endExchanges(with device: DeviceID) {
        for (space, effects) in neighbourhoods.end(device, now: clock.uptime) {
            _ = performAtOnce(effects, in: space)
        }
    }

    /// Processes that a peer named a neighbourhood that is joined here too.
    func receiveOffer(of space: SpaceID, _ digest: Bytes16, from device: DeviceID) async {
        let now = clock.uptime
        let effects = neighbourhoods.exchange(of: space) {
            $0.named(device, digest: digest, now: now)
        }
        await perform(effects ?? [], in: space)
        await beginSeeking(in: space, from: device)
    }

    /// Processes that a peer has left a neighbourhood.
    func receiveEnd(of space: SpaceID, from device: DeviceID) async {
        let now = clock.uptime
        openContent.seeking.linkEnded(device, in: space)
        let effects = neighbourhoods.exchange(of: space) { $0.unnamed(device, now: now) }
        await perform(effects ?? [], in: space)
    }

    /// Processes a message about a neighbourhood.
    func receive(
        _ message: Message, about space: SpaceID, from device: DeviceID, id: UInt64
    ) async {
        guard let active = links[device], active.id == id else { return }
        switch message {
        case .seek, .found: return await receive(content: message, of: space, from: device)
        default: break
        }
        let now = clock.uptime
        do {
            let effects = try neighbourhoods.exchange(of: space) { exchange throws(SyncFault) in
                try exchange.receive(message, from: device, now: now)
            }
            await perform(effects ?? [], in: space)
        } catch {
            end(active, becauseOf: error)
        }
    }

    /// Tells the exchange of a neighbourhood, and so its peers, what changed here.
    func offerChanged(of space: SpaceID) async {
        guard neighbourhoods.contains(space),
            let offer = replica.offer(of: space, since: neighbourhoods.revision(of: space))
        else { return }
        let effects = neighbourhoods.update(space, to: offer, now: clock.uptime)
        let digests = neighbourhoods.digests
        for (device, link) in links.byDevice
        where neighbourhoods.knows(device, linkID: link.id) {
            links[device]?.session.update(open: digests)
        }
        await perform(effects, in: space)
    }

    /// Advances the exchanges when their time comes, until the task is cancelled.
    func runExchanges() async {
        while !Task.isCancelled {
            let now = clock.uptime
            let pause = neighbourhoods.planWake(now: now).map { max(.zero, $0 - now) }
            do {
                try await exchangeAlarm.wait(for: pause ?? Node.exchangePauseMax, on: clock)
            } catch { return }
            neighbourhoods.endWait()
            await advanceExchanges()
        }
    }

    /// The longest pause between two looks at the exchanges.
    static let exchangePauseMax: Duration = .seconds(3600)

    private func advanceExchanges() async {
        for space in neighbourhoods.ids {
            let now = clock.uptime
            let effects = neighbourhoods.exchange(of: space) { $0.advance(now: now) }
            await perform(effects ?? [], in: space)
        }
    }

    // MARK: - Effects

    /// A piece that is to be stored.
    private struct Arrival {
        let device: DeviceID
        let ask: LogAsk
        let passed: PassedRun
    }

    /// Performs what an exchange asks for. A piece is stored before this returns, so a link whose
    /// pieces are slow to store is not read meanwhile.
    func perform(_ effects: [OpenExchange.Effect], in space: SpaceID) async {
        for arrival in performAtOnce(effects, in: space) { await store(arrival, in: space) }
    }

    /// Performs what needs no waiting. Answers come in the order of the questions, so nothing may
    /// come between the change of an exchange and the sending of what it asks.
    /// - Returns: the pieces to store.
    private func performAtOnce(
        _ effects: [OpenExchange.Effect], in space: SpaceID
    ) -> [Arrival] {
        var arrivals: [Arrival] = []
        for effect in effects {
            switch effect {
            case .send(let device, let message): put(.message(message), on: links[device])
            case .read(let device, let ask): put(.passing(ask, space), on: links[device])
            case .store(let device, let ask, let passed):
                arrivals.append(Arrival(device: device, ask: ask, passed: passed))
            case .refused(let device): countFault(of: device, Node.unaskedPiece)
            }
        }
        if neighbourhoods.isWakeDueSooner(now: clock.uptime) { exchangeAlarm.ring() }
        return arrivals
    }

    /// The fault of a peer that passes what it was not asked for.
    static let unaskedPiece = "a piece that was not asked for"

    /// Reads a piece for a peer that asked for it, when its turn comes.
    func answer(_ ask: LogAsk, in space: SpaceID, for device: DeviceID) async {
        var found: (author: PersonID, passed: PassedRun)?
        do { found = try await replica.passing(ask, in: space) } catch {
            logger.error("a piece could not be read", metadata: ["why": "\(error)"])
        }
        let now = clock.uptime
        let effects = neighbourhoods.exchange(of: space) {
            $0.answer(ask, to: device, with: found?.passed, of: found?.author, now: now)
        }
        await perform(effects ?? [], in: space)
        if let run = found?.passed.run, ask.log == LogName(device: self.device) {
            neighbourhoods.recordPassing(of: space, upTo: run.lastNumber, to: device)
        }
    }

    private func store(_ arrival: Arrival, in space: SpaceID) async {
        let outcome = await stored(arrival.passed, from: arrival.device, in: space)
        await offerChanged(of: space)
        let now = clock.uptime
        let effects = neighbourhoods.exchange(of: space) {
            $0.stored(arrival.ask, from: arrival.device, outcome, now: now)
        }
        await perform(effects ?? [], in: space)
    }

    private func stored(
        _ passed: PassedRun, from device: DeviceID, in space: SpaceID
    ) async -> OpenExchange.Outcome {
        guard let person = links[device]?.peer.person else { return .refused }
        let checksCount = await replica.checksCount(of: passed)
        // The run has one signature; more are those of a record that says something new.
        let isChange = checksCount > 1 && hasKnownRecord(passed)
        let allowed = links.allowances.charge(person, now: clock.uptime) {
            $0.spend(checksCount: checksCount, isChange: isChange, uptime: clock.uptime)
        }
        do {
            try await pause(allowed, on: device)
            await shareRoom()
            let end = await replica.ownEnd(in: space)
            let received = try await replica.receive(
                passed, in: space, from: person, wallTime: clock.wallTime)
            burst.record(batchesCount: received.commits.count)
            if let change = received.person {
                await recordChange(of: change.after.person, before: change.before)
            }
            await deliver(received.commits)
            // Own posts come back after leaving and joining again; their numbers were used here.
            let own = received.commits.filter { $0.log.device == self.device && $0.number > end }
            if !own.isEmpty { await recordOwnBatches() }
            if !received.removed.isEmpty {
                await host.deliver(CommitNews(changes: received.removed), from: replica)
            }
            return outcome(of: received.result, for: passed.run, from: device)
        } catch is CancellationError {
            return .refused
        } catch {
            logger.error("a piece could not be stored", metadata: ["why": "\(error)"])
            return .noRoom
        }
    }

    /// Whether a piece contains the record of a person who is known for another reason than a
    /// neighbourhood.
    private func hasKnownRecord(_ passed: PassedRun) -> Bool {
        guard let encoded = passed.record, let claim = try? ClaimedPersonRecord(encoded) else {
            return false
        }
        return isKnown(claim.person)
    }

    private func outcome(
        of result: ReceivedPiece.Result, for run: Run, from device: DeviceID
    ) -> OpenExchange.Outcome {
        switch result {
        case .stored: return .stored
        case .overAllowance(let until):
            return .overAllowance(until: clock.uptime + max(.zero, until - clock.wallTime))
        case .noShare: return .noShare
        case .noRoom: return .noRoom
        case .expired: return .expired(through: run.lastNumber)
        case .refused(.gap): return .gap
        case .refused(let fault):
            if fault.isPeersFault { countFault(of: device, "\(fault)") }
            return .refused
        case .refusedRecord(let fault):
            countFault(of: device, "\(fault)")
            return .refused
        }
    }
}

extension BatchFault {
    /// Whether a peer that passes on such batches of a neighbourhood has broken a rule. It may not
    /// know yet what is known here.
    fileprivate var isPeersFault: Bool {
        switch self {
        case .notAMember, .beyondCut, .notEnded, .tooFarAhead, .tooManyWaiting, .tooSoon,
            .unknownSpace, .noRoom, .forked:
            false
        default: true
        }
    }
}
