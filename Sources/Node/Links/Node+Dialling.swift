internal import Discovery
internal import Identity
internal import Links
internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Who is seen, who is dialled, and what is announced.
extension Node {
    /// Follows one way of finding others until it stops.
    /// - Parameter announces: whether it also shows this node to others, so that its state counts.
    func follow(_ discovery: any Discovery, announces: Bool) async {
        for await event in discovery.events {
            switch event {
            case .appeared(let sighting), .changed(let sighting):
                if sightedSince[sighting.instance] == nil {
                    sightedSince[sighting.instance] = clock.wallMilliseconds
                }
                sightings[sighting.instance] = sighting
                plan(sighting)
                events.publish("nearby", .object([:]))
            case .disappeared(let instance):
                sightings[instance] = nil
                sightedSince[instance] = nil
                plan.remove(instance)
                events.publish("nearby", .object([:]))
            case .stateChanged(let state):
                guard announces else { continue }
                discoveryState = state
                if case .announcing = state { plan.retryAll(now: clock.uptime) }
                events.publish("status", ["discovery": .string(state.name)])
            }
            dialDue()
        }
    }

    private func plan(_ sighting: Sighting) {
        if let tag = sighting.announcement?.tag.bytes, blockedTags[tag] != nil {
            return plan.remove(sighting.instance)
        }
        let addresses = sighting.endpoints.map { LinkAddress(host: $0.host, port: $0.port) }
        let tag = sighting.announcement?.tag.bytes
        let target = DialPlan.Target(
            key: sighting.instance, addresses: addresses, expecting: tag.flatMap { matesByTag[$0] },
            isManual: sighting.announcement == nil,
            isSought: announced.dropOpen && sighting.announcement?.dropOpen == true)
        plan.set(target, now: clock.uptime, delay: headStart(against: tag))
    }

    /// The side with the higher tag gives the other a moment, so that usually only one dials.
    private func headStart(against tag: [UInt8]?) -> Duration {
        guard let tag, let mine = lastAnnouncement?.tag.bytes else { return .zero }
        return mine.lexicographicallyPrecedes(tag) ? .zero : .milliseconds(1500)
    }

    /// Dials what is due, each in its own task.
    func dialDue() {
        guard !isStopping else { return }
        let due = plan.takeDue(
            now: clock.uptime, strangersAcceptedCount: strangersAcceptedCount,
            isReached: { self.isReached($0) })
        for target in due {
            Task { await self.dial(target) }
        }
    }

    private func dial(_ target: DialPlan.Target) async {
        var lasted: Duration?
        for address in target.addresses {
            do {
                let link = try await transport.dial(address, expecting: target.expecting)
                lasted = await serve(link, targetKey: target.key)
                break
            } catch {
                logger.debug(
                    "dialling failed", metadata: ["address": "\(address)", "why": "\(error)"])
            }
        }
        let jitter = Double(random.bytes(1)[0]) / 255
        plan.ended(target.key, lasted: lasted, now: clock.uptime, jitter: jitter)
    }

    /// Whether a link leads to a target already, whoever dialled it.
    func isReached(_ target: DialPlan.Target) -> Bool {
        if let device = target.expecting { return links[device] != nil }
        return links.values.contains { active in
            active.targetKey == target.key
                || target.addresses.contains {
                    $0.port == active.hello.port && $0.host == active.link.remoteAddress?.host
                }
        }
    }

    // MARK: - Announcing

    /// Begins to look for others and to be seen.
    func startDiscovery() {
        tagHour = TagSchedule.hour(wallMilliseconds: clock.wallMilliseconds)
        guard let announcement = announcement() else { return }
        lastAnnouncement = announcement
        discovery?.start(announcing: announcement)
        fixed.start(announcing: announcement)
    }

    /// Announces anew what has changed.
    func announceNow() {
        guard port > 0, lastAnnouncement != nil, let fresh = announcement(),
            fresh != lastAnnouncement
        else { return }
        lastAnnouncement = fresh
        discovery?.update(fresh)
    }

    private func announcement() -> Announcement? {
        // Without a profile there is no tag key yet, and nobody who could know it.
        let key = relations.tagKeys[me] ?? boot.id.bytes
        guard let tag = DeviceTag(TagSchedule.tag(key: key, device: device, hour: tagHour)) else {
            return nil
        }
        return Announcement(
            tag: tag, port: port, dropOpen: announced.dropOpen,
            introduction: announced.names.map {
                Introduction(nickname: $0.nickname, dogName: $0.dogName)
            })
    }

    /// Computes by which tags the devices of mates, and of people who are blocked, are announced in
    /// this hour: the first are dialled whatever else there is, the others never.
    func refreshTags() async {
        let mates = relations.pairs.keys.filter(relations.isMate)
        let keys = await devices(of: Set(mates))
        matesByTag = TagSchedule.table(keys, hour: tagHour)
        blockedTags = TagSchedule.table(await devices(of: relations.blocked), hour: tagHour)
        for sighting in sightings.values { plan(sighting) }
    }

    /// The devices of people whose tag keys are known, with the keys.
    private func devices(
        of people: Set<PersonID>
    ) async -> [(key: [UInt8], device: DeviceID)] {
        var found: [(key: [UInt8], device: DeviceID)] = []
        for person in people {
            guard let key = relations.tagKeys[person] else { continue }
            for device in await replica.personRecord(person)?.devices ?? [] {
                found.append((key, device))
            }
        }
        return found
    }

    /// Takes what a plugin wants announced.
    func announce(_ field: AnnouncedField) {
        switch field {
        case .dropOpen(let isOpen):
            announced.dropOpen = isOpen
            // Who wants to meet as well is dialled before all others.
            for sighting in sightings.values { plan(sighting) }
            dialDue()
        case .names(let nickname, let dogName):
            announced.names = AnnouncedFields.Names(nickname: nickname, dogName: dogName)
        case .noNames: announced.names = nil
        }
        announceNow()
        for active in links.values { put(.message(.presence(presence)), on: active) }
    }

    /// What is announced, for linked peers: they may have been found by address alone.
    var presence: Presence {
        let introduction = announced.names.map {
            Introduction(nickname: $0.nickname, dogName: $0.dogName)
        }
        return Presence(
            dropOpen: announced.dropOpen, nickname: introduction?.nickname ?? "",
            dogName: introduction?.dogName ?? "")
    }

    // MARK: - Dialling back

    /// A peer asks whether it can be reached: dials the port it names at the address seen here.
    func dialBack(_ nonce: UInt64, port: UInt16, for device: DeviceID) {
        guard let active = links[device], let host = active.link.remoteAddress?.host, port > 0,
            !active.isDialledBack
        else { return put(.message(.dialResult(nonce: nonce, .notTried)), on: links[device]) }
        links[device]?.isDialledBack = true
        let address = LinkAddress(host: host, port: port)
        Task {
            let result = await tryDial(address, expecting: device)
            links[device]?.isDialledBack = false
            put(.message(.dialResult(nonce: nonce, result)), on: links[device])
        }
    }

    private func tryDial(_ address: LinkAddress, expecting device: DeviceID) async -> DialResult {
        do {
            let link = try await transport.dial(address, expecting: device)
            link.close(because: .closed)
            return .reached
        } catch .cannotConnect, .wrongDevice {
            return .refused
        } catch {
            return .timedOut
        }
    }
}
