internal import ControlAPI
internal import Discovery
internal import Links
package import PluginHost
internal import PluginKit
internal import Records
internal import Sync

// The people nearby, or the reason that no one is seen.
extension Node {
    /// How long a peer may take to dial back.
    static let dialBackWait: Duration = .seconds(8)

    /// Returns the linked devices, and those that were only seen in an announcement.
    package func nearbyDevices() -> [NearbyDevice] {
        var unlinked = sightings
        var devices: [NearbyDevice] = []
        for active in links.values where active.peer.person != me {
            let sighting = sightings.values.first { reaches(active, $0) }
            if let sighting { unlinked[sighting.instance] = nil }
            // The link's fields take precedence over the announcement's: they are authenticated.
            let fields = active.announced ?? sighting?.announcement?.fields
            devices.append(
                NearbyDevice(
                    device: active.peer.device, person: active.peer.person,
                    fields: fields ?? AnnouncedFields(),
                    since: active.since))
        }
        for sighting in unlinked.values {
            guard let announcement = sighting.announcement else { continue }
            devices.append(
                NearbyDevice(
                    device: nil, person: nil, fields: announcement.fields,
                    since: sightedSince[sighting.instance] ?? .min))
        }
        return devices.sorted {
            ($0.since, $0.device?.description ?? "")
                < ($1.since, $1.device?.description ?? "")
        }
    }

    /// Returns the dial target that leads to a link's device, also if the peer dialled.
    func targetKey(of active: ActiveLink) -> String? {
        active.targetKey ?? sightings.values.first { reaches(active, $0) }?.instance
    }

    private func reaches(_ active: ActiveLink, _ sighting: Sighting) -> Bool {
        if active.targetKey == sighting.instance { return true }
        if let tag = sighting.announcement?.tag.bytes, matesByTag[tag] == active.peer.device {
            return true
        }
        return sighting.endpoints.contains {
            $0.port == active.hello.port && $0.host == active.link.remoteAddress?.host
        }
    }

    /// Tells followers to query the nearby devices again.
    func publishNearby() {
        owesNearby = false
        events.publish("nearby", .object([:]))
    }

    /// Returns the first failing cause of "they do not find each other", after no one was seen for
    /// 10 s.
    package func emptyReason() async -> (cause: String, fix: String)? {
        guard solitude.isLong(now: clock.uptime) else { return nil }
        guard let failed = await diagnose().firstFailure, let fix = failed.fix else { return nil }
        return (failed.finding, fix.command.map { "\(fix.advice) \($0)" } ?? fix.advice)
    }

    /// Checks for causes that keep people from finding each other, as `waggle doctor` does.
    func diagnose() async -> Diagnosis {
        let port = port
        let clocks = ClockOffset.median(ofOthers: trustedOffsets).map {
            Doctor.Clocks(ahead: .zero - $0, correction: clock.correction)
        }
        let dialBack = await askToDialBack()
        return await Doctor(
            leavingOut: settings.interfacesLeftOut, port: { .inUseByNode(port) },
            clocks: { clocks },
            dialBack: {
                switch dialBack {
                case nil: .notAsked(reason: "No peer is linked that could dial this node.")
                case .reached: .reached(port: port)
                case .notTried: .notAsked(reason: "The linked peer did not try.")
                case .refused, .timedOut: .unreachable(port: port)
                }
            }
        ).examine()
    }

    /// The median difference between the clocks of linked mates and this one, whose own zero
    /// counts too.
    var clockSkew: Duration { ClockOffset.median(trustedOffsets) }

    /// Asks one linked peer to dial back.
    /// - Returns: nil if no peer is linked.
    func askToDialBack() async -> DialResult? {
        guard let active = links.values.min(by: { $0.id < $1.id }) else { return nil }
        let nonce = UInt64(random.bytes(7).reduce(0) { $0 << 8 | UInt64($1) })
        put(.message(.dialBack(nonce: nonce, port: port)), on: active)
        let clock = clock
        Task {
            try? await clock.sleep(for: Node.dialBackWait)
            dialBackWaiters.removeValue(forKey: nonce)?.resume(returning: .timedOut)
        }
        return await withCheckedContinuation { dialBackWaiters[nonce] = $0 }
    }
}
