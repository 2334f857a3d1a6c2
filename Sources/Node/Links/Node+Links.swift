internal import Identity
internal import Links
internal import Logging
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// A link's life: HELLO in both directions, one link per pair of devices, then its frames.
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
            // A blocked person behind an unknown tag is dialled once, and not again.
            if case SyncFault.notWelcome = error, let targetKey { await forget(targetKey) }
            return nil
        }
    }

    /// Exchanges HELLOs and registers the link.
    /// - Returns: the link's id, or nil if it is not kept.
    @concurrent nonisolated private func admit(
        _ link: any DeviceLink, _ frames: inout any AsyncIteratorProtocol<Frame, Never>,
        _ targetKey: String?
    ) async throws -> UInt64? {
        let (mine, theirs) = try await greet(link, &frames)
        guard link.remoteDevice != link.ownDevice else {
            if await meetsItself(theirs), let targetKey { await forget(targetKey) }
            throw LinkFault.ownDevice
        }
        // A task keeps the memory of its deepest call until it ends. Work done once per link runs
        // in tasks that end, since there may be many links.
        async let enlisted = enlist(link, mine, theirs, targetKey)
        return try await enlisted
    }

    private func forget(_ targetKey: String) { plan.remove(targetKey) }

    /// Whether a device gets an answer. A blocked person's device gets none.
    private func isWelcome(_ device: DeviceID) async -> Bool {
        guard let person = await replica.person(of: device) else { return true }
        return !relations.blocked.contains(person)
    }

    /// Exchanges HELLOs. The side that dialled sends first, so that the other can stay silent
    /// towards a blocked person.
    @concurrent nonisolated private func greet(
        _ link: any DeviceLink, _ frames: inout any AsyncIteratorProtocol<Frame, Never>
    ) async throws -> (mine: Hello, theirs: Hello) {
        var mine = await hello(isForStranger: await isStranger(link.remoteDevice))
        if link.isDialled { try await send(.hello(mine), over: link) }
        guard let frame = await frames.next(isolation: nil) else { throw LinkFault.closed }
        let message = try Message(
            type: frame.type, payload: frame.payload, sender: link.remoteDevice)
        guard case .hello(let theirs) = message else {
            throw SyncFault.unexpectedMessage("something before HELLO")
        }
        try await check(theirs, from: link)
        if !link.isDialled {
            // Their HELLO may show that a device with a new key is a mate's.
            if mine.startCount == 0, await listsForKnown(theirs.person, link.remoteDevice) {
                mine = await hello(isForStranger: false)
            }
            try await send(.hello(mine), over: link)
        }
        return (mine, theirs)
    }

    /// Whether a device belongs to an unknown person or to one who shares nothing with this node.
    private func isStranger(_ device: DeviceID) async -> Bool {
        guard let person = await replica.person(of: device) else { return true }
        return !isKnown(person)
    }

    /// Whether a checked record belongs to a person who shares something with this node and lists a
    /// device, also after it is merged with the known record.
    private func listsForKnown(_ record: PersonRecord, _ device: DeviceID) async -> Bool {
        guard isKnown(record.person) else { return false }
        let merged = try? await replica.personRecord(record.person)?.merging(record)
        return (merged ?? record).devices.contains(device)
    }

    private func check(_ hello: Hello, from link: any DeviceLink) throws {
        guard hello.commonVersion != nil else {
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

    /// Returns this side's HELLO. A stranger learns only what they need: no start count, an epoch
    /// for this link only, and the entries that list this device. The rest of the record follows
    /// with ``tellRecord(to:)``.
    private func hello(isForStranger: Bool) async -> Hello {
        let person = await replica.personRecord(me) ?? identity.person
        return Hello(
            bootID: boot.id, startCount: isForStranger ? 0 : boot.startCount,
            replicaEpoch: isForStranger ? random.nonce() : replicaEpoch,
            nonce: random.nonce(), wallTime: clock.systemTime, port: port,
            person: isForStranger ? person.showing(only: device) : person)
    }

    /// Tells a peer this person's whole record if HELLO did not, once a shared space is proven.
    func tellRecord(to device: DeviceID) async {
        guard links[device]?.owesRecord == true, links[device]?.session.isAnySpaceProven == true
        else { return }
        links[device]?.owesRecord = false
        let person = await replica.personRecord(me) ?? identity.person
        guard person != person.showing(only: self.device) else { return }
        put(.message(.identity([ClaimedPersonRecord(person)])), on: links[device])
    }

    /// Registers a link after HELLO, unless another link to the same device is kept.
    /// - Returns: the link's id, or nil if it is not kept.
    private func enlist(
        _ link: any DeviceLink, _ mine: Hello, _ theirs: Hello, _ targetKey: String?
    ) async throws -> UInt64? {
        // There may be many strangers: records are stored only for people with whom something is
        // shared.
        let device = link.remoteDevice
        var theirs = theirs
        if isKnown(theirs.person.person) {
            await committed(try await replica.learn(theirs.person))
            // A device that was removed may still send a record from before its removal.
            guard let record = await replica.personRecord(theirs.person.person),
                record.devices.contains(device)
            else { throw SyncFault.notItsDevice }
            // Links to one person's devices share one copy of its record.
            if record == theirs.person { theirs.person = record }
            // An epoch that was drawn for this link says nothing about the replica.
            if theirs.startCount > 0 {
                try await replica.recordEpoch(theirs.replicaEpoch, of: device)
            }
        }
        let boot = Boot(id: theirs.bootID, startCount: theirs.startCount)
        if let existing = links[device] {
            let claim = existing.link.claim(boot: existing.boot)
            switch LinkChoice(existing: claim, new: link.claim(boot: boot)) {
            case .existing:
                if boot.isKnownOlder(than: existing.boot) {
                    await recordClone(of: existing.peer)
                }
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
            outbox: Outbox(), since: clock.wallTime,
            clockOffset: theirs.wallTime - clock.systemTime,
            targetKey: targetKey,
            session: SyncSession(localNonce: mine.nonce, remoteNonce: theirs.nonce),
            owesRecord: mine.startCount == 0)
        nextLinkID += 1
        links[device] = active
        nextTending = .zero
        if let targetKey { plan.record(targetKey, isKnown: isKnown(active.peer.person)) }
        if isKnown(active.peer.person), let host = link.remoteAddress?.host {
            plan.prove(LinkAddress(host: host, port: theirs.port), of: device)
        }
        replacedElsewhere[device] = nil
        link.helloAccepted()
        return active.id
    }

    /// Whether something is or was shared with a person, or it is this person.
    func isKnown(_ person: PersonID) -> Bool { person == me || relations.isKnown(person) }

    /// Whether there is room for a link. Links to mates, to members of this person's groups, and to
    /// addresses that were added are always kept; of others at most eight, and of those at most
    /// four from one address, since keys are easy to generate and other people need room too. Links
    /// count no matter which side dialled.
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

    /// Closes a link to make room if possible. While a plugin's switch is on, any new peer may be
    /// the person to meet, so the oldest link with a stranger whose switch is off is closed.
    private func makesWay() -> Bool {
        let idle = links.values.filter {
            !isKnown($0.peer.person) && !($0.announced.map(host.seeks) ?? false)
                && ($0.targetKey.map(plan.isStranger) ?? true)
        }
        guard host.seeksOthers, let longest = idle.min(by: { $0.id < $1.id }) else {
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

    /// Closes surplus links with strangers. A former mate counts as a stranger: if there are now
    /// too many, the oldest links are closed.
    func giveUpSurplusStrangers() {
        let strangers = links.values.filter {
            !isKnown($0.peer.person) && ($0.targetKey.map(plan.isStranger) ?? true)
        }
        let surplus = max(0, strangersLinkedCount - DialPlan.strangersMax)
        for active in strangers.sorted(by: { $0.id < $1.id }).prefix(surplus) { giveUp(active) }
    }

    /// The number of linked people who are not mates.
    var strangersLinkedCount: Int {
        links.values.count { !isKnown($0.peer.person) }
    }

    /// The number of those who dialled; the dial plan counts those that this side dialled.
    var strangersAcceptedCount: Int {
        links.values.count { !isKnown($0.peer.person) && !$0.link.isDialled }
    }

    /// Reads a link's frames to the end, with a second task that handles them and a third that
    /// sends the queued items.
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
        async let acting: Void = process(inbox, of: active)
        var reader = FrameReader(device: device, node: self)
        while let frame = await frames.next(isolation: nil) {
            await inbox.put(await reader.item(of: frame))
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
        host.deliver(link: active.peer, isUp: true)
        events.publish("link", linkEvent(active.peer, "up"))
        publishNearby()
        sayAnnouncement(on: active)
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

    /// Updates the node after a link was removed.
    private func ended(_ active: ActiveLink) {
        correctClock()
        if let key = targetKey(of: active) {
            recentTargets.record(active.peer.person, at: key)
            plan.setKnown(isKnown(active.peer.person), at: key)
        }
        host.deliver(link: active.peer, isUp: false)
        events.publish("link", linkEvent(active.peer, "down"))
        publishNearby()
    }

    private func linkEvent(_ peer: Peer, _ state: JSONValue) -> JSONValue {
        [
            "device": .string(peer.device.description), "person": .string(peer.person.description),
            "state": state,
        ]
    }

    /// Corrects the clock by the median of mates' clocks. Other people's clocks are ignored, and so
    /// is a clock that is off by a day.
    func correctClock() { clock.correct(byOffsets: trustedOffsets) }

    /// The offsets of mates' clocks from this one; one for each person, since a person may have as
    /// many devices as they like.
    var trustedOffsets: [Duration] {
        let possible = .zero - Limits.stampAheadMax...Limits.stampAheadMax
        let trusted = links.values.filter {
            $0.peer.person == me || relations.shares(.cards, with: $0.peer.person)
        }
        return Dictionary(grouping: trusted, by: \.peer.person).values.compactMap { devices in
            ClockOffset.vote(of: devices.map(\.clockOffset).filter(possible.contains))
        }
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
                // If damage made the digests differ, no report of equal digests triggers this.
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
