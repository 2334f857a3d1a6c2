internal import Links
internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Sync

// A link's life: from its arrival to its end.
extension Node {
    /// Serves every incoming link, each in its own task.
    func acceptLinks(_ listener: any LinkArrivals) async {
        await withDiscardingTaskGroup { group in
            while let link = await listener.nextLink() {
                group.addTask { await self.serve(link, targetKey: nil) }
            }
        }
    }

    /// Serves one link until it ends.
    /// - Returns: how long it lasted after both HELLOs; nil if these were not completed.
    @discardableResult
    @concurrent nonisolated func serve(
        _ link: any DeviceLink, targetKey: String?
    ) async -> Duration? {
        var frames: any AsyncIteratorProtocol<Frame, Never> = link.frames.makeAsyncIterator()
        let begun = clock.uptime
        do {
            guard await isWelcome(link.remoteDevice) else { throw SyncFault.notWelcome }
            guard let id = try await admit(link, &frames, targetKey) else { return nil }
            await listen(to: link, &frames, id: id)
            return clock.uptime - begun
        } catch {
            logger.debug(
                "no link with a device",
                metadata: ["device": "\(link.remoteDevice.suffix)", "why": "\(error)"])
            link.close(because: .refused)
            if let targetKey { await recordFailure(error, at: targetKey) }
            // A blocked person behind an unknown tag is dialled once, and not again.
            if case SyncFault.notWelcome = error, let targetKey { await forget(targetKey) }
            return nil
        }
    }

    func forget(_ targetKey: String) { plan.remove(targetKey) }

    /// Reads a link's frames to the end, with a second task that handles them and a third that
    /// sends the queued items.
    @concurrent nonisolated private func listen(
        to link: any DeviceLink, _ frames: inout any AsyncIteratorProtocol<Frame, Never>, id: UInt64
    ) async {
        let device = link.remoteDevice
        guard let active = await activeLink(device, id: id) else { return }
        let inbox = MessageInbox(room: inboxRoom, person: active.peer.person)
        async let sending: Void = drain(active)
        do {
            async let beginning: Void = linkBegan(active)
            await beginning
        }
        async let acting: Void = process(inbox, of: active)
        var reader = FrameReader(device: device, node: self)
        while let frame = await frames.next(isolation: nil) {
            if let channel = await reader.unsharedChannel(of: frame, after: inbox) {
                await inbox.add(wireBytes: 0) { .unshared(channel: channel) }
            } else if await reader.isUnasked(frame, after: inbox) {
                await inbox.add(wireBytes: 0) { .unasked }
            } else {
                await inbox.add(wireBytes: frame.wireBytes) { reader.item(of: frame) }
            }
        }
        inbox.finish()
        await acting
        link.close(because: .closed)
        active.outbox.finish()
        await sending
        await linkEnded(active)
    }

    /// Returns the link with this id if it is still the current one to its device.
    private func activeLink(_ device: DeviceID, id: UInt64) -> ActiveLink? {
        links[device].flatMap { $0.id == id ? $0 : nil }
    }

    private func linkBegan(_ active: ActiveLink) async {
        logger.info(
            "linked",
            metadata: [
                "device": "\(active.peer.device.suffix)",
                "address": "\(active.link.remoteAddress?.description ?? "unknown")",
                "dialled": "\(active.link.isDialled)",
            ])
        correctClock()
        ranging.link(active.peer.device)
        host.deliver(link: active.peer, isUp: true)
        publishLink(active.peer, .up)
        recordSeen(active.peer)
        deliverNearbyChange()
        sendAnnouncement(on: active)
        do {
            try await learnHello(of: active.peer.device, id: active.id)
        } catch {
            return end(active, becauseOf: error)
        }
        await recordChange(since: active)
        await shareSpaces(with: active.peer.device)
        askForRecovery(on: active.peer.device, id: active.id)
        askToJoin(on: active.peer.device, id: active.id)
    }

    private func linkEnded(_ active: ActiveLink) async {
        let why = await active.link.closed
        await storeAcknowledgements(by: active.peer.device, id: active.id)
        waiters.resumeDigests(of: active.id, through: nil)
        logger.info(
            "link ended",
            metadata: ["device": "\(active.peer.device.suffix)", "why": "\(why)"])
        guard let last = links[active.peer.device], last.id == active.id else { return }
        endContent(with: active.peer.device, contentEnd(of: last, why))
        links[active.peer.device] = nil
        if let trouble = last.trouble ?? ConnectionTrouble(why) {
            lan.ends.record(
                trouble, of: active.peer, at: lan.targetKey(of: active),
                isKnown: isKnown(active.peer.person), now: clock.uptime)
        }
        ended(active)
    }

    /// Returns the reason of a link's end for fetching content. A violation of the protocol counts
    /// as the peer's, although this side closes the link.
    private func contentEnd(of active: ActiveLink, _ why: LinkFault) -> ContentFetching.LinkEnd {
        switch why {
        case .closed: .byPeer
        case .refused: active.trouble == nil ? .byThisSide : .byPeer
        default: .lost
        }
    }

    /// Updates the node after a link was removed.
    func ended(_ active: ActiveLink) {
        endExchanges(with: active.peer.device)
        correctClock()
        if let key = lan.targetKey(of: active) {
            let person = active.peer.person
            plan.recordEnd(of: person, at: key, isKnown: isKnown(person))
        }
        forgetNamed(by: active)
        ranging.unlink(active.peer.device)
        host.deliver(link: active.peer, isUp: false)
        publishLink(active.peer, .down)
        recordSeen(active.peer)
        deliverNearbyChange()
    }

    private func publishLink(_ peer: Peer, _ state: LinkChange.State) {
        events.publish(
            LinkEvents.changed,
            LinkChange(device: Key(peer.device), person: Key(peer.person), state: state))
    }

    /// Corrects the clock by the median of mates' clocks. Other people's clocks are ignored, and so
    /// is a clock that is off by a day.
    func correctClock() {
        guard clock.correct(byOffsets: trustedOffsets) else { return }
        events.publish(StatusEvents.changed, StatusChange(clockSet: true))
    }

    /// The offsets of mates' clocks from this one; one for each person.
    var trustedOffsets: [Duration] {
        links.clockOffsets { $0 == me || relations.shares(.cards, with: $0) }
    }

    /// Ends a link with a goodbye.
    func leave(_ active: ActiveLink, _ reason: ByeReason, because fault: LinkFault) {
        _ = active.outbox.put(.message(.bye(reason)))
        active.outbox.finish()
        let link = active.link
        Task {
            // Queued items are sent first, if the peer still reads.
            try? await clock.sleep(for: Node.farewell)
            link.close(because: fault)
        }
    }

    /// Pings quiet links and asks for digests if equality is not known yet.
    func maintainLinks() {
        let now = clock.uptime
        guard now >= links.nextTending else { return }
        for device in links.keys {
            guard var active = links[device] else { continue }
            let (isPingDue, question) = active.tend(now: now)
            links[device] = active
            if isPingDue {
                put(.message(.ping(nonce: UInt64(now.components.seconds))), on: active)
            }
            guard let question else { continue }
            queue(question, on: device)
            // If damage made the digests differ, no report of equal digests triggers this.
            for space in health.damage.damaged.keys where !active.session.isInSync(space) {
                Task { await askForWanted(in: space, from: device) }
            }
        }
        links.nextTending = links.values.map(\.tendingDue).min() ?? now
    }

    // MARK: - Sending

    /// Queues one item; a link whose queue is full is closed.
    func put(_ item: Outbox.Item, on active: ActiveLink?) {
        guard let active, !active.outbox.put(item) else { return }
        active.link.close(because: .writeTooSlow)
    }

    /// Adds the effects that send something to the outbox, in order.
    func queue(_ effects: [SyncSession.Effect], on device: DeviceID) {
        guard let active = links[device] else { return }
        for effect in effects {
            switch effect {
            case .send(let message): put(.message(message), on: active)
            case .push(let space, let log, let after, let prefix, let channel):
                put(
                    .log(space, log, after: after, prefix: prefix, channel: channel), on: active)
            default: break
            }
        }
    }

    /// Sends the queued items in order, and waits if the peer does not read.
    nonisolated func drain(_ active: ActiveLink) async {
        let link = active.link
        var sender = await LogSender(active, node: self)
        do {
            while let item = await active.outbox.next() {
                switch item {
                case .message(let message):
                    active.outbox.sentBytes.add(try await send(message, over: link))
                case .pong(let nonce):
                    let answer = Message.pong(nonce: nonce, wallTime: clock.systemTime)
                    active.outbox.sentBytes.add(try await send(answer, over: link))
                case .log(let space, let log, let after, let prefix, let channel):
                    // The shared spaces may have changed since this was queued.
                    guard await shares(space, with: link.remoteDevice) else { continue }
                    try await sender.send(
                        log, of: space, after: after, prefix: prefix, channel: channel)
                case .passing(let ask, let space):
                    await answer(ask, in: space, for: link.remoteDevice)
                case .content(let request, let space):
                    let answer = await answer(to: request, of: space, for: link.remoteDevice)
                    active.outbox.sentBytes.add(try await send(answer, over: link))
                }
            }
        } catch {
            logger.debug("sending ended", metadata: ["why": "\(error)"])
            link.close(because: .closed)
        }
    }

    private func shares(_ space: SpaceID, with device: DeviceID) -> Bool {
        links[device]?.session.sharedSpaces.contains(space) ?? false
    }

    /// Sends one message.
    /// - Returns: the bytes of its frame.
    @discardableResult
    nonisolated func send(_ message: Message, over link: any DeviceLink) async throws -> Int {
        let payload = message.payload(sender: link.ownDevice)
        let frame = Frame(type: message.type, payload: payload)
        try await link.send(frame)
        return frame.wireBytes
    }
}
