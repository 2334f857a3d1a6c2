internal import Discovery
internal import Identity
internal import Links
internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Sightings of others, dialling, and announcements.
extension Node {
    /// Handles the events of one discovery method until it stops.
    /// - Parameter announces: whether it also announces this node, so that its state is shown.
    func follow(_ discovery: any Discovery, announces: Bool) async {
        for await event in discovery.events {
            switch event {
            case .appeared(let sighting), .changed(let sighting):
                lan.record(sighting, at: clock.wallTime)
                plan(sighting)
                deliverNearbyChange()
                // In a crowd nearly all announcements are of strangers for whom there is no room.
                guard
                    !plan.waitsForRoom(
                        sighting.instance, links.strangersCount { self.isKnown($0) })
                else { continue }
            case .disappeared(let instance):
                lan.remove(instance)
                plan.remove(instance)
                deliverNearbyChange()
                continue
            case .stateChanged(let state):
                guard announces else { continue }
                lan.discoveryState = state
                if case .announcing = state { plan.retryAll(now: clock.uptime) }
                events.publish(StatusEvents.changed, StatusChange(discovery: .init(state)))
            }
            dialDue()
        }
    }

    private func plan(_ sighting: Sighting) {
        guard let target = lan.target(of: sighting, isSought: host.seeks) else {
            return plan.remove(sighting.instance)
        }
        plan.set(target, now: clock.uptime, delay: lan.dialDelay(of: sighting))
    }

    /// Dials the targets that are due, each in its own task.
    func dialDue() {
        guard !life.isStopping, !ownLogs.isRemoved else { return }
        let due = plan.startDue(
            now: clock.uptime,
            strangersAcceptedCount: links.strangersAcceptedCount { self.isKnown($0) },
            isAnyoneMissing: isAnyoneMissing, isReached: { self.isReached($0) })
        for target in due {
            Task { await self.dial(target) }
        }
    }

    /// Whether a person who is related to this one is not linked, or another device of this person.
    /// Such devices may be in sight under tags that are not recognised.
    private var isAnyoneMissing: Bool {
        let linked = Set(links.values.map(\.peer.person))
        return !relations.people.subtracting(relations.blocked).isSubset(of: linked)
            || lan.owners.contains { $0.value == me && links[$0.key] == nil }
    }

    private func dial(_ target: DialPlan.Target) async {
        var lasted: Duration?
        for (index, address) in target.addresses.enumerated() {
            guard plan.permitDial(of: target, at: address, now: clock.uptime) else {
                return plan.postpone(
                    target.key, untriedCount: target.addresses.count - index)
            }
            do {
                let link = try await surroundings.transport.dial(
                    address, expecting: target.expecting)
                lasted = await serve(link, targetKey: target.key)
                break
            } catch {
                if case .wrongDevice(let expected, _) = error {
                    plan.disprove(address, for: expected)
                }
                recordFailure(error, at: target.key)
                logger.debug(
                    "dialling failed", metadata: ["address": "\(address)", "why": "\(error)"])
            }
        }
        let jitter = Double(surroundings.random.bytes(1)[0]) / 255
        plan.ended(target.key, lasted: lasted, now: clock.uptime, jitter: jitter)
        if plan.isNewTrouble(at: target.key) { lan.owesNearby = true }
    }

    /// Records the reason why no link came of a dial.
    func recordFailure(_ error: any Error, at targetKey: String) {
        if let failure = ConnectionTrouble(error) { plan.record(failure, at: targetKey) }
    }

    /// Whether a link leads to a target already, no matter which side dialled.
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

    /// Starts looking for others and announcing this node.
    func startDiscovery() {
        guard !ownLogs.isRemoved, let announcement = announcement() else { return }
        lan.ownAnnouncement = announcement
        surroundings.discovery?.start(announcing: announcement)
        fixed.start(announcing: announcement)
    }

    /// Updates the announcement if it has changed.
    func announceNow() {
        guard start.port > 0, lan.ownAnnouncement != nil, let fresh = announcement(),
            fresh != lan.ownAnnouncement
        else { return }
        lan.ownAnnouncement = fresh
        surroundings.discovery?.update(fresh)
    }

    private func announcement() -> Announcement? {
        // Without a profile there is no tag key yet, so no mate can know it.
        let key = relations.tagKeys[me] ?? start.boot.id.bytes
        guard let tag = DeviceTag(lan.tags.own(key: key, device: device)) else { return nil }
        return Announcement(tag: tag, port: start.port, fields: host.announcement)
    }

    /// Computes the tags that the devices of mates and of blocked people announce in this hour:
    /// mates are always dialled, blocked people never.
    func refreshTags() async {
        let before = lan.recognized
        // My other devices are dialled as mates are, and are no people nearby.
        let mates = await devices(of: relations.people(sharing: .cards).union([me]))
        lan.tags.setMates(mates.map(\.device))
        lan.owners = Dictionary(mates.map { ($0.device.device, $0.person) }) { first, _ in first }
        let blocked = await devices(of: relations.blocked)
        lan.tags.setBlocked(blocked.map(\.device))
        // A device that was listed as a stranger's may now be known as that of a mate, of a blocked
        // person or of this one.
        if lan.recognized != before { lan.owesNearby = true }
        for sighting in lan.sightings.values { plan(sighting) }
    }

    /// Returns the devices of people whose tag keys are known, with the keys and their people.
    private func devices(
        of people: Set<PersonID>
    ) async -> [(device: KnownTags.Device, person: PersonID)] {
        var found: [(device: KnownTags.Device, person: PersonID)] = []
        for person in people {
            guard let key = relations.tagKeys[person] else { continue }
            for device in await replica.personRecord(person)?.devices ?? []
            where device != self.device {
                found.append(((key, device), person))
            }
        }
        return found
    }

    /// Announces the plugins' fields after they have changed.
    package func announcementChanged() {
        // A device that a plugin looks for is dialled before all others.
        for sighting in lan.sightings.values { plan(sighting) }
        dialDue()
        announceNow()
        for active in links.values { sendAnnouncement(on: active) }
    }

    /// Sends the announced fields over a link: the peer may have found this node by address alone.
    func sendAnnouncement(on active: ActiveLink) {
        let fields = host.announcement
        put(
            .message(active.version < 2 ? .presence(Presence(fields)) : .announced(fields)),
            on: active)
    }

    /// Records the fields a peer announces. Changes in quick succession are published with a delay.
    func receive(_ fields: AnnouncedFields, from device: DeviceID) {
        let fields = host.understood(fields)
        guard var active = links[device], active.announced != fields else { return }
        active.announced = fields
        let isAllowed = active.announcedAllowance.permitMessage(uptime: clock.uptime)
        links[device] = active
        if isAllowed { deliverNearbyChange() } else { lan.owesNearby = true }
    }
}
