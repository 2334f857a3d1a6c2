internal import Identity
internal import Links
internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// A link's life: HELLO both ways, one link per pair of devices, then its frames until it ends.
extension Node {
    /// Serves every link that comes in, each in its own task.
    func acceptLinks(_ listener: any LinkArrivals) async {
        await withDiscardingTaskGroup { group in
            while let link = await listener.nextLink() {
                group.addTask { await self.serve(link, targetKey: nil) }
            }
        }
    }

    /// Serves one link until it ends.
    /// - Returns: how long it stood after both HELLOs; nil where it did not come to that.
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
            // A blocked person behind a tag that is not known is dialled once, and not again.
            if case SyncFault.notWelcome = error, let targetKey { await forget(targetKey) }
            return nil
        }
    }

    /// Exchanges HELLOs and enters the link.
    /// - Returns: the link's id, or nil where it is not kept.
    @concurrent nonisolated private func admit(
        _ link: any DeviceLink, _ frames: inout any AsyncIteratorProtocol<Frame, Never>,
        _ targetKey: String?
    ) async throws -> UInt64? {
        let (mine, theirs) = try await greet(link, &frames)
        guard link.remoteDevice != link.ownDevice else {
            if await meetsItself(theirs), let targetKey { await forget(targetKey) }
            throw LinkFault.ownDevice
        }
        // A task keeps the memory that its deepest call took until it ends. What is done once
        // on a link is done by tasks that end, since there may be many links.
        async let enlisted = enlist(link, mine, theirs, targetKey)
        return try await enlisted
    }

    private func forget(_ targetKey: String) { plan.remove(targetKey) }

    /// Whether a device may be spoken to at all: one of a blocked person hears nothing.
    private func isWelcome(_ device: DeviceID) async -> Bool {
        guard let person = await replica.person(of: device) else { return true }
        return !relations.blocked.contains(person)
    }

    /// Exchanges HELLOs. The side that dialled speaks first, so that the other can stay silent
    /// towards somebody it has blocked.
    @concurrent nonisolated private func greet(
        _ link: any DeviceLink, _ frames: inout any AsyncIteratorProtocol<Frame, Never>
    ) async throws -> (mine: Hello, theirs: Hello) {
        let mine = await hello()
        if link.isDialled { try await send(.hello(mine), over: link) }
        guard let frame = await frames.next(isolation: nil) else { throw LinkFault.closed }
        let message = try Message(
            type: frame.type, payload: frame.payload, sender: link.remoteDevice)
        guard case .hello(let theirs) = message else {
            throw SyncFault.unexpectedMessage("something before HELLO")
        }
        try await check(theirs, from: link)
        if !link.isDialled { try await send(.hello(mine), over: link) }
        return (mine, theirs)
    }

    private func check(_ hello: Hello, from link: any DeviceLink) throws {
        guard hello.versions.contains(Hello.version) else {
            throw SyncFault.noCommonVersion(theirs: hello.versions)
        }
        guard hello.person.devices.contains(link.remoteDevice) else {
            throw SyncFault.notItsDevice
        }
        guard !relations.blocked.contains(hello.person.person) else { throw SyncFault.notWelcome }
        guard hello.frameBytesMax >= UInt64(Limits.frameBytesMin) else {
            throw SyncFault.framesTooShort(bytes: hello.frameBytesMax)
        }
    }

    private func hello() async -> Hello {
        let person = await replica.personRecord(me) ?? identity.person
        return Hello(
            bootID: boot.id, startCount: boot.startCount, replicaEpoch: replicaEpoch,
            nonce: random.nonce(), wallMilliseconds: clock.systemMilliseconds, port: port,
            person: person)
    }

    /// Enters a greeted link, unless another to the same device stays.
    /// - Returns: the link's id, or nil where it is not kept.
    private func enlist(
        _ link: any DeviceLink, _ mine: Hello, _ theirs: Hello, _ targetKey: String?
    ) async throws -> UInt64? {
        // Strangers come and go: only of those with whom something is shared a record is kept.
        let device = link.remoteDevice
        var theirs = theirs
        if isKnown(theirs.person.person) {
            try await replica.learn(theirs.person)
            // A device that was removed may still show a record from before that.
            guard let record = await replica.personRecord(theirs.person.person),
                record.devices.contains(device)
            else { throw SyncFault.notItsDevice }
            // Links to one person's devices share what is kept of it.
            if record == theirs.person { theirs.person = record }
            try await replica.noteEpoch(theirs.replicaEpoch, of: device)
        }
        let boot = Boot(id: theirs.bootID, startCount: theirs.startCount)
        if let existing = links[device] {
            let claim = existing.link.claim(boot: existing.boot)
            switch LinkChoice(existing: claim, new: link.claim(boot: boot)) {
            case .existing:
                if boot < existing.boot { await noteClone(of: device) }
                _ = try? await send(.bye(.replaced), over: link)
                link.close(because: .replaced)
                return nil
            case .new: leave(existing, .replaced, because: .replaced)
            }
        } else if !isRoom(for: theirs.person.person, over: link, targetKey: targetKey) {
            _ = try? await send(.bye(.tooMany), over: link)
            link.close(because: .refused)
            return nil
        }
        guard !isStopping else { throw LinkFault.closed }
        let active = ActiveLink(
            id: nextLinkID, link: link,
            peer: Peer(device: device, person: theirs.person.person), hello: theirs, boot: boot,
            outbox: Outbox(), sinceMilliseconds: clock.wallMilliseconds,
            clockOffsetMilliseconds: theirs.wallMilliseconds - clock.systemMilliseconds,
            targetKey: targetKey,
            session: SyncSession(localNonce: mine.nonce, remoteNonce: theirs.nonce))
        nextLinkID += 1
        links[device] = active
        nextTending = .zero
        if let targetKey { plan.note(targetKey, isKnown: isKnown(active.peer.person)) }
        replacedElsewhere[device] = nil
        link.helloAccepted()
        return active.id
    }

    /// Whether something is or was shared with a person, or it is oneself.
    func isKnown(_ person: PersonID) -> Bool { person == me || relations.isKnown(person) }

    /// Links to mates and to people of one's groups are always kept, and those that somebody asked
    /// for by address; of others at most eight, and of those at most four from one address, since
    /// keys are made up easily and the others are to find room too. Whichever side dialled, the
    /// link counts.
    private func isRoom(
        for person: PersonID, over link: any DeviceLink, targetKey: String?
    ) -> Bool {
        if isKnown(person) { return true }
        if let targetKey, !plan.isStranger(targetKey) { return true }
        let host = link.remoteAddress?.host
        let fromThere = links.values.count {
            !isKnown($0.peer.person) && $0.link.remoteAddress?.host == host
        }
        guard fromThere < DialPlan.strangersPerAddressMax else { return false }
        return strangersLinkedCount < DialPlan.strangersMax || makesWay()
    }

    /// While a drop is open here the person one wants to meet may be anyone who comes, so the
    /// longest link with a stranger who does not want to meet makes way.
    private func makesWay() -> Bool {
        let idle = links.values.filter {
            !isKnown($0.peer.person) && $0.presence?.dropOpen != true
                && ($0.targetKey.map(plan.isStranger) ?? true)
        }
        guard announced.dropOpen, let longest = idle.min(by: { $0.id < $1.id }) else {
            return false
        }
        giveUp(longest)
        return true
    }

    private func giveUp(_ active: ActiveLink) {
        links[active.peer.device] = nil
        leave(active, .tooMany, because: .refused)
        ended(active)
    }

    /// Who was a mate and is none any more takes a place among the strangers: where these are too
    /// many now, the longest links make way.
    func giveUpSurplusStrangers() {
        let strangers = links.values.filter {
            !isKnown($0.peer.person) && ($0.targetKey.map(plan.isStranger) ?? true)
        }
        let surplus = max(0, strangersLinkedCount - DialPlan.strangersMax)
        for active in strangers.sorted(by: { $0.id < $1.id }).prefix(surplus) { giveUp(active) }
    }

    /// How many linked people are no mates.
    var strangersLinkedCount: Int {
        links.values.count { !isKnown($0.peer.person) }
    }

    /// Those of them who dialled; whom this side dialled its plan counts.
    var strangersAcceptedCount: Int {
        links.values.count { !isKnown($0.peer.person) && !$0.link.isDialled }
    }

    /// Reads a link's frames to the end, with a second task that acts on them and a third that
    /// sends what is queued.
    @concurrent nonisolated private func listen(
        to link: any DeviceLink, _ frames: inout any AsyncIteratorProtocol<Frame, Never>, id: UInt64
    ) async {
        let device = link.remoteDevice
        guard let active = await activeLink(device, id: id) else { return }
        let inbox = MessageInbox()
        async let sending: Void = drain(active)
        do {
            async let beginning: Void = linkBegan(active)
            await beginning
        }
        async let acting: Void = empty(inbox, of: active)
        var reader = FrameReader(device: device, node: self)
        while let frame = await frames.next(isolation: nil) {
            await inbox.put(await reader.item(of: frame), bytes: frame.wireBytes)
        }
        inbox.finish()
        await acting
        link.close(because: .closed)
        active.outbox.finish()
        await sending
        await linkEnded(active)
    }

    /// The link of this id, while it is the one to its device.
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
        host.deliver(link: active.peer, isUp: true)
        events.publish("link", linkEvent(active.peer, "up"))
        events.publish("nearby", .object([:]))
        put(.message(.presence(presence)), on: active)
        await shareSpaces(with: active.peer.device)
    }

    private func linkEnded(_ active: ActiveLink) async {
        let why = await active.link.closed
        resumeWaiters(of: active.id)
        logger.info(
            "link ended",
            metadata: ["device": "\(active.peer.device.suffix)", "why": "\(why)"])
        guard links[active.peer.device]?.id == active.id else { return }
        links[active.peer.device] = nil
        ended(active)
    }

    /// A link is one of the node's no longer.
    private func ended(_ active: ActiveLink) {
        correctClock()
        host.deliver(link: active.peer, isUp: false)
        events.publish("link", linkEvent(active.peer, "down"))
        events.publish("nearby", .object([:]))
    }

    private func linkEvent(_ peer: Peer, _ state: JSONValue) -> JSONValue {
        [
            "device": .string(peer.device.description), "person": .string(peer.person.description),
            "state": state,
        ]
    }

    /// The median of what mates' clocks say corrects one's own. A stranger's word counts for
    /// nothing, and neither does a clock that is a day off.
    func correctClock() { clock.correct(byOffsets: trustedOffsets) }

    /// How far mates' clocks are from this one, in milliseconds.
    var trustedOffsets: [Int64] {
        links.values.filter { relations.pairs[$0.peer.person] != nil || $0.peer.person == me }
            .map(\.clockOffsetMilliseconds)
            .filter { $0.magnitude <= Limits.stampAheadMillisecondsMax }
    }

    /// Ends a link in good order.
    func leave(_ active: ActiveLink, _ reason: ByeReason, because fault: LinkFault) {
        _ = active.outbox.put(.message(.bye(reason)))
        active.outbox.finish()
        let link = active.link
        Task {
            // What is queued goes out first, where the peer reads at all.
            try? await clock.sleep(for: Node.farewell)
            link.close(because: fault)
        }
    }

    /// Pings quiet links and asks for digests where equality is not known yet.
    func tendLinks() {
        let now = clock.uptime
        guard now >= nextTending else { return }
        for device in links.keys {
            guard var active = links[device] else { continue }
            if now - active.lastPing >= ActiveLink.pingEvery {
                active.lastPing = now
                put(.message(.ping(nonce: UInt64(now.components.seconds))), on: active)
            }
            if now >= active.nextDigestQuestion {
                let question = active.session.askDigests(onlyUnknown: true)
                active.nextDigestQuestion = now + active.digestPause
                active.digestPause = min(active.digestPause * 2, ActiveLink.digestPauseMax)
                links[device] = active
                queue(question, on: device)
                // Where damage made the digests differ, no word of their being equal leads to this.
                for space in damage.damaged.keys where !active.session.isInSync(space) {
                    Task { await askForWanted(in: space, from: device) }
                }
            } else {
                links[device] = active
            }
        }
        nextTending = links.values.map(\.tendingDue).min() ?? now
    }
}
