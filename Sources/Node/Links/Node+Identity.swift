internal import Identity
internal import Links
internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Person records from peers: they show whose devices write in the shared spaces.
extension Node {
    /// Handles person records from a peer. Those of members of a shared space are checked and
    /// stored, in one transaction unless the allowances of the peer's person make it wait in
    /// between; the others wait on the link, since the batch that identifies them may still arrive.
    ///
    /// A transaction that changes the record of a known person uses up a part of the allowance of
    /// changes that the peer's person has.
    ///
    /// A peer that shares no space has no batches of others to bring: its records are dropped.
    func receive(
        _ claims: [ClaimedPersonRecord], from device: DeviceID, id: UInt64
    ) async throws {
        // A device that was removed learns it from anyone who knows.
        guard
            links[device]?.session.sharedSpaces.isEmpty == false
                || claims.contains(where: { $0.person == me })
        else { return }
        // Most messages say nothing new, or only of people who are known.
        var concerned: Set<PersonID>?
        var permitted: [ClaimedPersonRecord] = []
        var (isPaid, isAnyKept) = (false, false)
        for claim in claims {
            // Comparing a record is expensive, so it is not done after the link or the node ended.
            try Task.checkCancellation()
            guard links[device]?.id == id else { return }
            let checksCount = try await replica.checksCount(of: claim)
            let known = await replica.personRecord(claim.person)
            guard let active = links[device], active.id == id else { return }
            let isChange = known != nil && !isPaid
            let pause = links.allowances.charge(active.peer.person, now: clock.uptime) {
                $0.spend(checksCount: checksCount, isChange: isChange, uptime: clock.uptime)
            }
            if pause > .zero {
                try await learn(permitted)
                (permitted, isPaid) = ([], false)
                try await self.pause(pause, on: device)
            }
            guard checksCount != nil else { continue }
            isPaid = isPaid || isChange
            if !isKnown(claim.person), concerned == nil { concerned = await peopleInSharedSpaces() }
            if isKnown(claim.person) || concerned?.contains(claim.person) == true {
                permitted.append(claim)
            } else if links[device]?.id == id {
                links[device]?.records.keep(claim)
                isAnyKept = true
            }
        }
        try await learn(permitted)
        // A grant may have come over another link while this one waited. A message that keeps
        // nothing was charged for nothing, and so does not cause this look at all shared spaces.
        if isAnyKept { await learnWaitingRecords() }
    }

    /// Checks and stores the whole record of a peer's HELLO, if something is shared with its
    /// person, and tells the peer what it lacks. When the link began, only the entries that list
    /// the peer's device were checked.
    func learnHello(of device: DeviceID, id: UInt64) async throws {
        guard let claim = links[device]?.hello.person, isKnown(claim.person) else { return }
        if let checksCount = try await replica.checksCount(of: claim) {
            try await learn(claim, checksCount: checksCount, of: device, id: id)
        }
        await tellLacking(in: claim, to: device, id: id)
    }

    private func learn(
        _ claim: ClaimedPersonRecord, checksCount: Int, of device: DeviceID, id: UInt64
    ) async throws {
        guard let active = links[device], active.id == id else { return }
        let pause = links.allowances.charge(active.peer.person, now: clock.uptime) {
            $0.spend(
                checksCount: checksCount, isChange: true, uptime: clock.uptime,
                pauseMax: ActiveLink.owedMax)
        }
        guard let pause else { throw SyncFault.owesTooMuch }
        try await self.pause(pause, on: device)
        guard isKnown(claim.person) else { return }
        try await learn([claim])
    }

    /// Tells a peer its own person's record if that of its HELLO lacks entries that are known here:
    /// its database may have been replaced by one from before a device was added or removed.
    private func tellLacking(
        in claim: ClaimedPersonRecord, to device: DeviceID, id: UInt64
    ) async {
        guard let known = await replica.personRecord(claim.person),
            claim != ClaimedPersonRecord(known),
            // A HELLO to a stranger has only the entries that list the device.
            claim != ClaimedPersonRecord(known.showing(only: device)),
            let active = links[device], active.id == id
        else { return }
        put(.message(.identity([ClaimedPersonRecord(known)])), on: active)
    }

    /// Returns the members of all spaces that are shared on a link.
    private func peopleInSharedSpaces() async -> Set<PersonID> {
        var people: Set<PersonID> = []
        for space in Set(links.values.flatMap(\.session.sharedSpaces)) {
            people.formUnion(await replica.members(in: space).map(\.person))
        }
        return people
    }

    /// Stores the people to whom devices belong, announces the batches that count for another
    /// person now, and ends the links of devices that no longer belong to a person.
    func learn(_ claims: [ClaimedPersonRecord]) async throws {
        await committed(try await store(claims))
    }

    /// Does the same, and leaves it to the caller to announce these batches.
    func store(_ claims: [ClaimedPersonRecord]) async throws -> [Commit] {
        guard !claims.isEmpty else { return [] }
        let people = Set(claims.map(\.person))
        var before: [PersonID: PersonRecord] = [:]
        for person in people { before[person] = await replica.personRecord(person) }
        let commits = try await replica.learn(claims, wallTime: clock.wallTime)
        for person in people { await recordChange(of: person, before: before[person]) }
        return commits
    }

    /// Does what follows from a change of a person's stored record: reports new devices, and ends
    /// the links and logs of removed ones.
    /// - Parameter before: the record that was known before; nil if there was none.
    func recordChange(of person: PersonID, before: PersonRecord?) async {
        await noticeReturn(of: person, before: before)
        // There was no room for a record that is not here.
        guard let devices = await replica.personRecord(person)?.devices else { return }
        for active in links.values
        where active.peer.person == person && !devices.contains(active.peer.device) {
            await turnAway(active)
        }
        guard devices != before?.devices else { return }
        await devicesChanged(of: person)
        // A restored backup may be older than a removal by this device, with the cuts it wrote.
        if person == me { await endRemovedLogs() }
    }

    /// Checks, after a possible change of a space's members, whether waiting records are now
    /// usable. The allowance was charged for them when they came.
    func learnWaitingRecords() async {
        links.mayRecordsBeUsable = false
        let concerned = await peopleInSharedSpaces()
        for (device, active) in links.byDevice {
            let usable = active.records.all.filter {
                isKnown($0.person) || concerned.contains($0.person)
            }
            guard !usable.isEmpty else { continue }
            for claim in usable { links[device]?.records.remove(claim.person) }
            do { try await learn(usable) } catch {
                logger.error("a record was not kept", metadata: ["why": "\(error)"])
            }
        }
    }
}
