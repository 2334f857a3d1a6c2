internal import Identity
internal import Links
internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Handling of a peer's frames.
extension Node {
    /// Handles the frames of a link, in order, until it ends or another link replaces it.
    func process(_ inbox: MessageInbox, of active: ActiveLink) async {
        let device = active.peer.device
        while let (items, memoryBytes) = await inbox.drain() {
            burst.record(bytes: memoryBytes)
            links[device]?.owed = .zero
            // A person who quits does not wait for what others sent; they send it again.
            guard links[device]?.id == active.id, !life.isStopping else { break }
            do {
                try await process(items, from: device, id: active.id)
            } catch {
                end(active, becauseOf: error)
                break
            }
        }
        // Later frames have no reader; the task that puts them in must not wait for room.
        inbox.finish()
        if links[device]?.id != active.id { active.link.close(because: .closed) }
    }

    /// Ends a link whose peer violated the protocol.
    func end(_ active: ActiveLink, becauseOf fault: any Error) {
        let device = active.peer.device
        logger.warning(
            "a peer broke the protocol",
            metadata: ["device": "\(device.suffix)", "why": "\(fault)"])
        guard let present = links[device], present.id == active.id else { return }
        links[device]?.trouble = ConnectionTrouble(fault)
        leave(present, .fault, because: .refused)
    }

    /// Handles messages in order; consecutive batches are merged together.
    private func process(
        _ items: [MessageInbox.Item], from device: DeviceID, id: UInt64
    ) async throws {
        var runs: [(space: SpaceID, run: Run)] = []
        for item in items {
            guard links[device]?.id == id, !life.isStopping else { return }
            try requireRoomWhileOwing(device)
            if case .message(.push(let push)) = item {
                runs += try receive(push, from: device)
                continue
            }
            await merge(runs, from: device)
            runs = []
            switch item {
            case .message(let message):
                // Rare compared to pushes; a separate task handles it, so that this task stays
                // small.
                async let isDone: Void = process(message, from: device, id: id)
                try await isDone
            case .unshared(let channel): queue([.send(.none(channel: channel))], on: device)
            case .unasked: countFault(of: device, Node.unaskedPiece)
            case .broken(let fault): throw fault
            }
        }
        await merge(runs, from: device)
    }

    /// Waits because an allowance of a peer's person is used up.
    func pause(_ pause: Duration, on device: DeviceID) async throws {
        guard pause > .zero else { return }
        links[device]?.owed += pause
        try await clock.sleep(for: pause)
    }

    /// Checks that a person who must wait long does not hold memory that others need.
    ///
    /// For example, Ben sends a hundred messages with person records, 8 MiB in all, and each takes
    /// a second of his allowances. After three seconds his link ends and the memory is free.
    /// - Throws: ``SyncFault/owesTooMuch``.
    private func requireRoomWhileOwing(_ device: DeviceID) throws(SyncFault) {
        guard let active = links[device], active.owed > ActiveLink.owedMax,
            inboxRoom.bytes(of: active.peer.person) > ActiveLink.owingBytesMax
        else { return }
        throw .owesTooMuch
    }

    /// Passes a push to the session.
    /// - Returns: the run to merge, if the session wants it.
    private func receive(
        _ push: Push, from device: DeviceID
    ) throws -> [(space: SpaceID, run: Run)] {
        guard var active = links[device] else { return [] }
        let effects = try active.session.receive(.push(push))
        links[device] = active
        queue(effects, on: device)
        return effects.compactMap { effect in
            if case .merge(let space, let run) = effect { (space, run) } else { nil }
        }
    }

    /// Handles a message. Another link may have replaced the one it came over before this began: a
    /// message from one link means nothing to the session of another.
    private func process(_ message: Message, from device: DeviceID, id: UInt64) async throws {
        guard links[device]?.id == id else { return }
        guard links[device]?.version ?? 0 >= message.versionMin else {
            throw SyncFault.unexpectedMessage("a message of version \(message.versionMin)")
        }
        switch message {
        case .hello: throw SyncFault.unexpectedMessage("a second HELLO")
        case .ping(let nonce): put(.pong(nonce: nonce), on: links[device])
        case .pong: break
        case .identity(let claims): try await receive(claims, from: device, id: id)
        case .direct(let direct): receiveDirect(direct, from: device)
        case .dialBack(let nonce, let port): dialBack(nonce, port: port, for: device)
        case .dialResult(let nonce, let result):
            waiters.resume(dialBack: nonce, returning: result)
        case .bye(let reason):
            if reason == .replaced { recordReplacedLink(of: device) }
            // Only strangers receive this reason: the peer shares nothing with this person.
            if reason == .tooMany, let person = links[device]?.peer.person {
                await endIfEnding(SpaceDescriptor.between(me, person).id, with: device)
            }
            guard links[device]?.id == id else { return }
            links[device]?.trouble = ConnectionTrouble(reason)
            links[device]?.link.close(because: reason == .replaced ? .replaced : .closed)
        case .presence(let presence):
            receive(presence.fields, from: device)
        case .announced(let fields): receive(fields, from: device)
        case .recoveryQuestion(let question):
            try await answer(question, from: device, id: id)
        case .recoveryAnswer(let record): try await receive(record, from: device)
        case .askSpaces(let space): try answerSpaces(after: space, to: device)
        case .spaces(let page): try await receive(page, from: device, id: id)
        case .joinQuestion(let question): try await answer(question, from: device, id: id)
        case .joinAnswer(let answer): try receive(answer, from: device)
        case .joinConsent(let consent): try await receive(consent, from: device, id: id)
        case .joined(let record): try receive(joined: record, from: device)
        case .want, .piece, .lacking:
            try await processContent(message, from: device, id: id)
            if case .lacking(let request) = message { recordLacking(request.hash, from: device) }
        case .have, .vector, .push, .acknowledge, .ephemeral, .audit, .none, .offer, .ask,
            .passed, .notPassed, .seek, .found:
            guard var active = links[device] else { return }
            let effects = try active.session.receive(message)
            links[device] = active
            queue(effects, on: device)
            await tellRecord(to: device)
            await settle(effects, on: device, id: id)
            if case .have(let have) = message { await remindOfEnd(device, id: id, have) }
        }
    }

    /// Shares the pair of a former mate again if the former mate announces it: their replica lost
    /// the end of the mateship, which they acknowledged before they restored a backup. It is done
    /// once on a link, and lasts until they acknowledge the end again. ``EndReminders`` limits it,
    /// since each reminder is stored.
    private func remindOfEnd(_ device: DeviceID, id: UInt64, _ have: Have) async {
        guard have.round == .announcement, let active = links[device], active.id == id,
            !active.isReminded, active.peer.person != me
        else { return }
        let person = active.peer.person
        let pair = SpaceDescriptor.between(me, person).id
        guard !relations.shares(.pair, with: person), active.session.names(pair, in: have) else {
            return
        }
        links[device]?.isReminded = true
        guard await replica.descriptor(of: pair) != nil,
            links.reminders.permitReminder(of: person, now: clock.uptime)
        else { return }
        do {
            if try await replica.doubt(person, in: pair) { await refreshRelations() }
        } catch {
            logger.error("the end of a mateship was not sent again", metadata: ["why": "\(error)"])
        }
    }

    private func receiveDirect(_ direct: Direct, from device: DeviceID) {
        guard var active = links[device] else { return }
        let isAllowed = active.directAllowance.permitMessage(uptime: clock.uptime)
        links[device] = active
        guard isAllowed else { return }
        guard direct.topic != ManifestCheck.rangingTopic else {
            return ranging.receive(token: direct.body, from: device)
        }
        host.deliver(
            TopicMessage(topic: direct.topic, from: active.peer, space: nil, body: direct.body))
    }

    /// Performs the effects that concern this side.
    /// - Parameter id: the link whose session requested them.
    func settle(_ effects: [SyncSession.Effect], on device: DeviceID, id: UInt64) async {
        for effect in effects {
            switch effect {
            case .send, .push: break
            case .merge(let space, let run): await merge([(space, run)], from: device)
            case .acknowledged(let space, let reaches):
                guard links[device]?.id == id else { continue }
                // A device holds its own log.
                let news = reaches.filter { $0.log.device != device }
                links[device]?.acknowledgements.add(news, in: space)
            case .shared(let space):
                content.own.request()
                await fetchContent()
                if let peer = links[device]?.peer {
                    host.deliver(shared: await replica.descriptor(of: space), with: peer)
                }
            case .inSync(let space, let isInSync): await recordSync(space, isInSync, device)
            case .forked(let space, let log, let number):
                recordFork(of: log, at: number, in: space, by: device)
            case .ephemeral(let space, let message):
                await receiveEphemeral(message, in: space, from: device)
            case .audit(let space, let range, let theirs):
                await compare(range, in: space, theirs: theirs, with: device)
            case .hash(let space, let range): await sendHash(of: range, in: space, to: device)
            case .differs(let space, let log, let number):
                await checkDiffering(log, number: number, in: space, from: device)
            case .notShared(let space):
                // A peer that shares nothing drops this person's record.
                links[device]?.owesRecord = true
                await endIfEnding(space, with: device)
            case .offered(let space, let digest):
                guard links[device]?.id == id else { continue }
                await receiveOffer(of: space, digest, from: device)
            case .notOffered(let space):
                guard links[device]?.id == id else { continue }
                await receiveEnd(of: space, from: device)
            case .open(let space, let message):
                await receive(message, about: space, from: device, id: id)
            case .digestsAnswered(let question):
                waiters.resumeDigests(of: id, through: question)
            }
        }
        await planAcknowledgements(by: device, id: id)
    }

    /// Stores what a peer acknowledged, or lets a task do so after a pause.
    private func planAcknowledgements(by device: DeviceID, id: UInt64) async {
        guard let active = links[device], active.id == id,
            let pause = links[device]?.acknowledgements.plan(uptime: clock.uptime)
        else { return }
        guard pause > .zero else {
            return await storeAcknowledgements(by: device, id: id)
        }
        Task {
            try? await clock.sleep(for: pause)
            await storeAcknowledgements(by: device, id: id)
        }
    }

    /// Stores everything that a peer acknowledged over a link and that is not stored yet.
    func storeAcknowledgements(by device: DeviceID, id: UInt64) async {
        guard links[device]?.id == id,
            let reaches = links[device]?.acknowledgements.removeAll(uptime: clock.uptime)
        else { return }
        await acknowledged(reaches, by: device)
    }

    /// Logs, once per link and log, that a peer names a different batch; it may repeat that
    /// forever.
    private func recordFork(
        of log: LogName, at number: UInt64, in space: SpaceID, by device: DeviceID
    ) {
        guard links[device]?.forks.record(log, in: space) == true else { return }
        logger.error(
            "two batches with one number",
            metadata: [
                "space": "\(space.suffix)", "device": "\(log.device.suffix)",
                "number": "\(number)",
            ])
    }

    private func acknowledged(_ reaches: [SpaceID: [LogReach]], by device: DeviceID) async {
        guard !reaches.isEmpty else { return }
        do {
            let grown = try await replica.recordAcknowledgements(of: device, reaches)
            guard let peer = links[device]?.peer else { return }
            for space in grown {
                host.deliverAcknowledgement(in: await replica.descriptor(of: space), by: peer)
            }
            if relations.endsWhenAcknowledged(by: peer.person) { await refreshRelations() }
        } catch {
            logger.error("an acknowledgement was lost", metadata: ["why": "\(error)"])
        }
    }

    /// Ends a pair whose peer no longer shares it: the peer ended it too, or its acknowledgement
    /// was lost.
    private func endIfEnding(_ space: SpaceID, with device: DeviceID) async {
        guard let person = links[device]?.peer.person,
            relations.endsWhenAcknowledged(by: person),
            space == SpaceDescriptor.between(me, person).id, let here = await shared(space)
        else { return }
        // Another device of this person may have told the end, and the peer told only that one that
        // it knows.
        let mine = await replica.personRecord(me)?.claims ?? [:]
        let own = here.logs.filter { mine[$0.log.device] != nil }.map { LogReach($0.head) }
        await acknowledged([space: own], by: device)
    }

    private func recordSync(_ space: SpaceID, _ isInSync: Bool, _ device: DeviceID) async {
        if isInSync, var active = links[device] {
            active.digestPause = ActiveLink.digestPauseMin
            links[device] = active
            await askForWanted(in: space, from: device)
            await recordRegained(from: device)
            await recordArrival(of: space, from: device)
        }
        events.publish(
            StatusEvents.changed,
            StatusChange(space: Key(space), device: Key(device), inSync: isInSync))
    }

    private func receiveEphemeral(
        _ message: Ephemeral, in space: SpaceID, from device: DeviceID
    ) async {
        guard var active = links[device], message.expiry > .zero else { return }
        let isAllowed = active.ephemeralAllowance.permitMessage(uptime: clock.uptime)
        links[device] = active
        guard isAllowed, let descriptor = await replica.descriptor(of: space) else { return }
        host.deliver(
            TopicMessage(
                topic: message.topic, from: active.peer, space: descriptor, body: message.body))
    }
}

extension MessageInbox.Item {
    /// Decodes a frame.
    init(_ frame: Frame, from sender: DeviceID) {
        do {
            self = .message(
                try Message(type: frame.type, payload: frame.payload, sender: sender))
        } catch {
            self = .broken(error)
        }
    }
}
