internal import Identity
internal import Links
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// HELLO in both directions, and one link per pair of devices.
extension Node {
    /// Exchanges HELLOs and registers the link.
    /// - Returns: the link's id, or nil if it is not kept.
    @concurrent nonisolated func admit(
        _ link: any DeviceLink, _ frames: inout any AsyncIteratorProtocol<Frame, Never>,
        _ targetKey: String?
    ) async throws -> UInt64? {
        let (mine, theirs, listing) = try await greet(link, &frames)
        guard link.remoteDevice != link.ownDevice else {
            if await meetsItself(theirs), let targetKey { await forget(targetKey) }
            throw LinkFault.ownDevice
        }
        // A task keeps the memory of its deepest call until it ends. Work done once per link runs
        // in tasks that end, since there may be many links.
        async let enlisted = enlist(link, mine, theirs, listing, targetKey)
        return try await enlisted
    }

    /// Whether a device gets an answer. A blocked person's device gets none.
    func isWelcome(_ device: DeviceID) async -> Bool {
        guard !ownLogs.isRemoved else { return false }
        guard let person = await replica.person(of: device) else { return true }
        return !relations.blocked.contains(person)
    }

    /// Exchanges HELLOs. The side that dialled sends first, so that the other can stay silent
    /// towards a blocked person.
    ///
    /// Only the entries of the peer's person record that list its device are checked. The rest is
    /// checked by ``learnHello(of:id:)``, if something is shared with the person.
    /// - Returns: both HELLOs, and the checked part of the peer's record.
    @concurrent nonisolated private func greet(
        _ link: any DeviceLink, _ frames: inout any AsyncIteratorProtocol<Frame, Never>
    ) async throws -> (mine: Hello, theirs: Hello, listing: PersonRecord) {
        var mine = await hello(isForStranger: await isStranger(link.remoteDevice))
        if link.isDialled { try await send(.hello(mine), over: link) }
        guard let frame = await frames.next(isolation: nil) else { throw LinkFault.closed }
        let message = try Message(
            type: frame.type, payload: frame.payload, sender: link.remoteDevice)
        guard case .hello(let theirs) = message else {
            throw SyncFault.unexpectedMessage("something before HELLO")
        }
        try await check(theirs)
        let known = await replica.personRecord(theirs.person.person)
        try await waitForChecks(of: theirs.person, listing: link.remoteDevice, known)
        guard let listing = try theirs.person.listing(of: link.remoteDevice, known: known) else {
            throw SyncFault.notItsDevice
        }
        if !link.isDialled {
            // Their HELLO may show that a device with a new key is a mate's.
            if mine.startCount == 0, await listsForKnown(listing, link.remoteDevice) {
                mine = await hello(isForStranger: false)
            }
            try await send(.hello(mine), over: link)
        }
        return (mine, theirs, listing)
    }

    /// Waits, if the entries that list a device have more signatures than a HELLO may have checked
    /// at once. The home of an honest person may have had very many keys.
    /// - Throws: ``SyncFault/tooManyKeys`` if too many such HELLOs wait already; a later link may
    ///   succeed.
    private func waitForChecks(
        of claim: ClaimedPersonRecord, listing device: DeviceID, _ known: PersonRecord?
    ) async throws {
        let count = try claim.listingChecksCount(of: device, known: known) ?? 0
        guard count > Limits.listingChecksMax else { return }
        let pause = links.chainAllowance.spend(
            count, uptime: clock.uptime, pauseMax: Node.chainPauseMax)
        guard let pause else { throw SyncFault.tooManyKeys }
        if pause > .zero { try await clock.sleep(for: pause) }
    }

    /// The longest wait for the checks of a HELLO. A HELLO must be answered within 5 s.
    private static let chainPauseMax: Duration = .seconds(3)

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

    private func check(_ hello: Hello) throws {
        guard hello.commonVersion != nil else {
            throw SyncFault.noCommonVersion(theirs: hello.versions)
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
        let record = await replica.personRecord(me) ?? identity.person
        let person = ClaimedPersonRecord(isForStranger ? record.showing(only: device) : record)
        let random = surroundings.random
        return Hello(
            bootID: start.boot.id, startCount: isForStranger ? 0 : start.boot.startCount,
            replicaEpoch: isForStranger ? random.nonce() : start.replicaEpoch,
            nonce: random.nonce(), wallTime: clock.systemTime, port: start.port,
            person: person)
    }

    /// Tells a peer this person's whole record if HELLO did not, once a shared space is proven.
    /// - Parameter isCertain: whether the peer shares the space now; one that named it before may
    ///   share it no more, and is told again.
    func tellRecord(to device: DeviceID, isCertain: Bool = true) async {
        guard links[device]?.owesRecord == true, links[device]?.session.isAnySpaceProven == true
        else { return }
        links[device]?.owesRecord = !isCertain
        let person = await replica.personRecord(me) ?? identity.person
        guard person != person.showing(only: self.device) else { return }
        put(.message(.identity([ClaimedPersonRecord(person)])), on: links[device])
    }

    /// Lets a new link bring this person's record if a device was added or removed after HELLO was
    /// sent and before the link was one of those that are told.
    func recordChange(since active: ActiveLink) async {
        guard let told = active.toldRecord, let now = await replica.personRecord(me),
            ClaimedPersonRecord(now) != told, links[active.peer.device]?.id == active.id
        else { return }
        links[active.peer.device]?.owesRecord = true
    }

    /// Registers a link after HELLO, unless another link to the same device is kept.
    /// - Returns: the link's id, or nil if it is not kept.
    private func enlist(
        _ link: any DeviceLink, _ mine: Hello, _ theirs: Hello, _ listing: PersonRecord,
        _ targetKey: String?
    ) async throws -> UInt64? {
        let device = link.remoteDevice
        if isKnown(listing.person) {
            try await recognize(theirs, listing, over: link)
        } else if let targetKey {
            plan.recordStranger(at: targetKey)
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
            case .new:
                leave(existing, .replaced, because: .replaced)
                endContent(with: device, .lost)
                endExchanges(with: device)
            }
        } else if !isRoom(for: listing.person, over: link, targetKey: targetKey) {
            // To a known person, "too many" would mean that nothing is shared any longer.
            let reason = isKnown(listing.person) ? ByeReason.leaving : .tooMany
            _ = try? await send(.bye(reason), over: link)
            link.close(because: .refused)
            return nil
        }
        guard !life.isStopping else { throw LinkFault.closed }
        let active = ActiveLink(
            id: links.newID(), link: link,
            peer: Peer(device: device, person: listing.person), hello: theirs,
            listing: listing, boot: boot, outbox: Outbox(), since: clock.wallTime,
            clockOffset: theirs.wallTime - clock.systemTime,
            targetKey: targetKey,
            session: SyncSession(localNonce: mine.nonce, remoteNonce: theirs.nonce),
            toldRecord: mine.startCount == 0 ? nil : mine.person,
            owesRecord: mine.startCount == 0)
        links[device] = active
        links.nextTending = .zero
        if let targetKey { plan.record(targetKey, isKnown: isKnown(active.peer.person)) }
        if isKnown(active.peer.person), let host = link.remoteAddress?.host {
            plan.prove(LinkAddress(host: host, port: theirs.port), of: device)
        }
        ownLogs.recordLink(with: device)
        link.helloAccepted(isKnown: isKnown(active.peer.person))
        return active.id
    }

    /// Stores the checked part of a HELLO of a person with whom something is shared. There may be
    /// many strangers: theirs are not stored.
    private func recognize(
        _ theirs: Hello, _ listing: PersonRecord, over link: any DeviceLink
    ) async throws {
        let device = link.remoteDevice
        let before = await replica.personRecord(listing.person)
        await committed(try await replica.learn(listing, wallTime: clock.wallTime))
        await noticeReturn(of: listing.person, before: before)
        guard let known = await replica.personRecord(listing.person) else {
            throw SyncFault.noRoom
        }
        // A device that was removed may still send a record from before its removal.
        guard known.devices.contains(device) else {
            await tellRemoval(of: device, from: known, over: link)
            throw SyncFault.notItsDevice
        }
        if known.devices != before?.devices { await devicesChanged(of: listing.person) }
        // An epoch that was drawn for this link says nothing about the replica. A mateship ends
        // when its end is acknowledged, whatever the epoch.
        if theirs.startCount > 0, !relations.endsWhenAcknowledged(by: listing.person) {
            // The acknowledgements that wait on an older link are from before this epoch.
            _ = links[device]?.acknowledgements.removeAll(uptime: clock.uptime)
            try await replica.recordEpoch(theirs.replicaEpoch, of: device)
        }
    }

    /// Whether something is or was shared with a person, or it is this person.
    func isKnown(_ person: PersonID) -> Bool { person == me || relations.isKnown(person) }

    /// The decisions about links with strangers.
    private var strangersRoom: StrangersRoom {
        StrangersRoom(
            links: links, isKnown: { self.isKnown($0) }, isStranger: { self.plan.isStranger($0) })
    }

    /// Whether there is room for a link, perhaps because another one is given up for it.
    private func isRoom(
        for person: PersonID, over link: any DeviceLink, targetKey: String?
    ) -> Bool {
        if isKnown(person) { return isRoom(forKnown: person) }
        if let targetKey, !plan.isStranger(targetKey) { return true }
        let answer = strangersRoom.answer(
            to: link.remoteAddress?.host, isSeeking: host.seeksOthers || adding.shown != nil,
            isSought: {
                $0.announced.map(host.seeks) ?? false || $0.peer.device == adding.joiner?.device
            })
        switch answer {
        case .welcome: return true
        case .refused: return false
        case .inPlaceOf(let other):
            giveUp(other)
            return true
        }
    }

    /// Whether there is room for a link with a known person, perhaps because another one is given
    /// up for it.
    private func isRoom(forKnown person: PersonID) -> Bool {
        let room = KnownRoom(
            links: links, isKnown: { self.isKnown($0) },
            isMate: { $0 == self.me || self.relations.shares(.pair, with: $0) })
        switch room.answer(to: person) {
        case .welcome: return true
        case .refused: return false
        case .inPlaceOf(let other):
            giveUp(other)
            return true
        }
    }

    private func giveUp(_ active: ActiveLink) {
        links[active.peer.device] = nil
        endContent(with: active.peer.device, .byThisSide)
        // To a known person, "too many" would mean that nothing is shared any longer.
        let reason = isKnown(active.peer.person) ? ByeReason.leaving : .tooMany
        leave(active, reason, because: .refused)
        ended(active)
    }

    /// Closes surplus links with strangers.
    func giveUpSurplusStrangers() {
        for active in strangersRoom.surplus { giveUp(active) }
    }
}
