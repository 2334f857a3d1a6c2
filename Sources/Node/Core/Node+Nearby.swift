internal import ControlAPI
internal import Discovery
package import PluginHost
package import PluginKit
internal import Records
internal import Sync

// The people nearby, or the reason that no one is seen.
extension Node {
    /// The maximum time that a peer may take to dial back.
    static let dialBackWait: Duration = .seconds(8)

    /// Returns the linked devices, and those that were only seen in an announcement.
    package func nearbyDevices() -> [NearbyDevice] {
        let measurements = measurements()
        return lan.nearbyDevices(
            links.values, besides: me, now: clock.uptime,
            isKnown: { isKnown($0) && !relations.blocked.contains($0) },
            failure: { plan.trouble(at: $0) }
        ).map { near in
            var near = near
            near.distanceMetres = near.device.flatMap { measurements[$0]?.distanceMetres }
            return near
        }
    }

    /// Dials a device of which only an announcement was seen, before other strangers.
    package func reach(_ tag: AnnouncedTag) -> NearbyReach {
        guard let key = lan.targetKey(announcing: tag) else { return .gone }
        if let active = links.values.first(where: { lan.targetKey(of: $0) == key }) {
            return .linked(active.peer.device)
        }
        let now = clock.uptime
        guard plan.want(key, now: now) else { return .gone }
        dialDue()
        return .dialling(failure: plan.failure(at: key) ?? lan.ends.lastEnd(at: key, now: now))
    }

    /// Tells the plugins that the nearby devices changed.
    func deliverNearbyChange() {
        lan.owesNearby = false
        host.deliverNearbyChange()
    }

    /// Returns the first failing cause of "they do not find each other", after no one was seen for
    /// 10 s.
    package func reasonNobodyIsSeen() async -> (cause: Sentence, fix: Sentence, command: String?)? {
        guard lan.isLongAlone(now: clock.uptime) else { return nil }
        guard let failed = await diagnose().firstFailure, let fix = failed.fix else { return nil }
        return (failed.finding, fix.advice, fix.command)
    }

    /// Checks for causes that keep people from finding each other, as `waggle doctor` does.
    func diagnose() async -> Diagnosis {
        let port = start.port
        let clocks = ClockOffset.median(ofOthers: trustedOffsets).map {
            Doctor.Clocks(ahead: .zero - $0, correction: clock.correction)
        }
        let dialBack = await askToDialBack()
        return await Doctor(
            leavingOut: settings.interfacesLeftOut, port: { .inUseByNode(port) },
            clocks: { clocks },
            dialBack: {
                switch dialBack {
                case nil: .notAsked(reason: "No linked device could try to connect to this one.")
                case .reached: .reached(port: port)
                case .notTried: .notAsked(reason: "The linked device did not try.")
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
        let nonce = UInt64(surroundings.random.bytes(7).reduce(0) { $0 << 8 | UInt64($1) })
        put(.message(.dialBack(nonce: nonce, port: start.port)), on: active)
        let clock = clock
        Task {
            try? await clock.sleep(for: Node.dialBackWait)
            waiters.resume(dialBack: nonce, returning: .timedOut)
        }
        return await withCheckedContinuation { waiters.add($0, forDialBack: nonce) }
    }
}
