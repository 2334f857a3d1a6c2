internal import Discovery
internal import Links
internal import PluginHost
internal import PluginKit
internal import Records
internal import Sync

/// The node's view of the LAN: the announcements of others, whose they are, and the state of
/// discovery.
struct LANView: Sendable {
    /// All sightings, by instance.
    private(set) var sightings: [String: Sighting] = [:]
    /// When each sighting began.
    private var sightedSince: [String: Timestamp] = [:]
    /// The tags by which mates and blocked people are recognized.
    var tags = KnownTags()
    /// The mates to whom the devices of ``KnownTags/mates`` belong.
    var owners: [DeviceID: PersonID] = [:]
    /// The last ends of links.
    var ends = LinkEnds()
    /// The state of the discovery that announces this node.
    var discoveryState: DiscoveryState = .quiet
    /// The announcement of this node, once discovery has begun.
    var ownAnnouncement: Announcement?
    /// Whether a change in the nearby devices is unpublished because it came too soon.
    var owesNearby = false
    /// The time since another person was last in sight.
    private var solitude = Solitude(since: .zero)

    /// The delay with which the side with the higher tag dials.
    private static let dialDelay: Duration = .milliseconds(1500)

    /// Records a sighting that appeared or changed.
    mutating func record(_ sighting: Sighting, at time: Timestamp) {
        if sightedSince[sighting.instance] == nil { sightedSince[sighting.instance] = time }
        sightings[sighting.instance] = sighting
    }

    /// Removes a sighting.
    mutating func remove(_ instance: String) {
        (sightings[instance], sightedSince[instance]) = (nil, nil)
    }

    /// The known devices behind the sightings, by instance: first a mate's or this person's own,
    /// then a blocked person's.
    var recognized: [String: [DeviceID?]] {
        sightings.compactMapValues { sighting in
            sighting.announcement.map { [tags.mates[$0.tag.bytes], tags.blocked[$0.tag.bytes]] }
        }
    }

    // MARK: - Dialling

    /// Returns the dial target of a sighting; nil if it is a blocked person's.
    /// - Parameter isSought: whether a plugin's switch is on there and here.
    func target(of sighting: Sighting, isSought: (AnnouncedFields) -> Bool) -> DialPlan.Target? {
        let tag = sighting.announcement?.tag.bytes
        if let tag, tags.blocked[tag] != nil { return nil }
        let addresses = sighting.endpoints.map { LinkAddress(host: $0.host, port: $0.port) }
        return DialPlan.Target(
            key: sighting.instance, addresses: addresses, expecting: tag.flatMap { tags.mates[$0] },
            isManual: sighting.announcement == nil,
            isSought: sighting.announcement.map { isSought($0.fields) } ?? false)
    }

    /// Returns how long to wait before a sighting is dialled, so that usually only one side dials.
    func dialDelay(of sighting: Sighting) -> Duration {
        guard let tag = sighting.announcement?.tag.bytes, let mine = ownAnnouncement?.tag.bytes
        else { return .zero }
        return mine.lexicographicallyPrecedes(tag) ? .zero : LANView.dialDelay
    }

    /// Returns the dial target that leads to a link's device, also if the peer dialled.
    func targetKey(of active: ActiveLink) -> String? {
        active.targetKey ?? sighting(of: active)?.instance
    }

    private func sighting(of active: ActiveLink) -> Sighting? {
        sightings.values.first { reaches(active, $0) }
    }

    private func reaches(_ active: ActiveLink, _ sighting: Sighting) -> Bool {
        if active.targetKey == sighting.instance { return true }
        if let tag = sighting.announcement?.tag.bytes, tags.mates[tag] == active.peer.device {
            return true
        }
        return sighting.endpoints.contains {
            $0.port == active.hello.port && $0.host == active.link.remoteAddress?.host
        }
    }

    // MARK: - Who is nearby

    /// Returns the linked devices of others, those known ones whose links keep ending, and those of
    /// which only an announcement was seen, without blocked ones.
    /// - Parameters:
    ///   - isKnown: whether something is or was shared with a person. Of strangers whose links keep
    ///     ending, only the announcement is shown: keys are easy to generate.
    ///   - failure: returns the reason why a dial target cannot be reached.
    func nearbyDevices(
        _ links: some Collection<ActiveLink>, besides me: PersonID, now: Duration,
        isKnown: (PersonID) -> Bool = { _ in false },
        failure: (_ targetKey: String) -> ConnectionTrouble? = { _ in nil }
    ) -> [NearbyDevice] {
        var unlinked = sightings
        var linked: Set<DeviceID> = []
        var devices: [NearbyDevice] = []
        for active in links where active.peer.person != me {
            let sighting = sighting(of: active)
            if let sighting { unlinked[sighting.instance] = nil }
            linked.insert(active.peer.device)
            // The link's fields take precedence over the announcement's: they are authenticated.
            let fields = active.announced ?? sighting?.announcement?.fields
            devices.append(
                NearbyDevice(
                    device: active.peer.device, person: active.peer.person, tag: sighting?.tag,
                    fields: fields ?? AnnouncedFields(), since: active.since,
                    trouble: ends.trouble(with: active.peer.device, now: now)))
        }
        for (peer, key) in ends.troubled(now: now)
        where !linked.contains(peer.device) && peer.person != me && isKnown(peer.person) {
            let sighting = key.flatMap { unlinked.removeValue(forKey: $0) }
            devices.append(
                NearbyDevice(
                    device: peer.device, person: peer.person, tag: sighting?.tag,
                    fields: sighting?.announcement?.fields ?? AnnouncedFields(),
                    since: key.flatMap { sightedSince[$0] } ?? .min,
                    trouble: ends.trouble(with: peer.device, now: now)))
        }
        for sighting in unlinked.values {
            guard let announcement = sighting.announcement, let tag = sighting.tag,
                tags.blocked[announcement.tag.bytes] == nil
            else { continue }
            let owner = tags.mates[announcement.tag.bytes].flatMap { owners[$0] }
            guard owner != me else { continue }
            let key = sighting.instance
            devices.append(
                NearbyDevice(
                    device: nil, person: owner,
                    tag: tag, fields: announcement.fields, since: sightedSince[key] ?? .min,
                    trouble: ends.trouble(at: key, now: now) ?? failure(key)))
        }
        return devices.sorted {
            ($0.since, $0.device?.description ?? "") < ($1.since, $1.device?.description ?? "")
        }
    }

    /// Returns the key of the dial target that announces a tag, unless it is a blocked person's.
    func targetKey(announcing tag: AnnouncedTag) -> String? {
        sightings.values.first {
            $0.tag == tag && tags.blocked[$0.announcement?.tag.bytes ?? []] == nil
        }?.instance
    }

    /// Records whether someone is seen now.
    /// - Parameter isAnybodyLinked: whether there is a link.
    /// - Returns: whether followers should ask why no one is seen.
    mutating func lookForAnybody(isAnybodyLinked: Bool, now: Duration) -> Bool {
        let isAnybodySeen = sightings.values.contains { $0.announcement != nil }
        return solitude.look(isAnybodyNear: isAnybodyLinked || isAnybodySeen, now: now)
    }

    /// Whether no person has been in sight for so long that there must be a reason.
    func isLongAlone(now: Duration) -> Bool { solitude.isLong(now: now) }
}

extension Sighting {
    /// The announced tag, as programs name it.
    fileprivate var tag: AnnouncedTag? {
        announcement.map { AnnouncedTag(digits: $0.tag.description) }
    }
}
