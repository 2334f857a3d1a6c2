internal import ControlAPI
internal import Discovery
internal import Links
internal import PluginKit
internal import Records
internal import Sync

// Who is near, and why nobody is.
extension Node {
    /// How long nobody must be seen before the reason is looked for.
    static let emptyAfter: Duration = .seconds(10)
    /// How long a peer may take to dial back.
    static let dialBackWait: Duration = .seconds(8)

    /// Those who are linked, and those of whom only an announcement was seen.
    func nearbyPeople() -> [NearbyPerson] {
        var unlinked = sightings
        var people: [NearbyPerson] = []
        for active in links.values where active.peer.person != me {
            let sighting = sightings.values.first { reaches(active, $0) }
            if let sighting { unlinked[sighting.instance] = nil }
            people.append(
                person(active, sighting?.announcement))
        }
        for sighting in unlinked.values where sighting.announcement != nil {
            people.append(
                NearbyPerson(
                    device: nil, person: nil,
                    nickname: sighting.announcement?.introduction?.nickname,
                    dogName: sighting.announcement?.introduction?.dogName,
                    dropOpen: sighting.announcement?.dropOpen ?? false,
                    sinceMilliseconds: sightedSince[sighting.instance] ?? 0))
        }
        return people.sorted {
            ($0.sinceMilliseconds, $0.device?.description ?? "")
                < ($1.sinceMilliseconds, $1.device?.description ?? "")
        }
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

    /// What the peer said over its link counts more than what it announced: it is proven.
    private func person(_ active: ActiveLink, _ announcement: Announcement?) -> NearbyPerson {
        let said = active.presence.map {
            Introduction(nickname: $0.nickname, dogName: $0.dogName)
        }
        let introduction = said ?? announcement?.introduction
        return NearbyPerson(
            device: active.peer.device, person: active.peer.person,
            nickname: introduction?.nickname, dogName: introduction?.dogName,
            dropOpen: active.presence?.dropOpen ?? announcement?.dropOpen ?? false,
            sinceMilliseconds: active.sinceMilliseconds)
    }

    /// The first failing cause of "they do not find each other", once nobody was seen for 10 s.
    func emptyReason() async -> (cause: String, fix: String)? {
        guard let since = nobodySince, clock.uptime - since >= Node.emptyAfter else { return nil }
        guard let failed = await diagnose().firstFailure, let fix = failed.fix else { return nil }
        return (failed.finding, fix.command.map { "\(fix.advice) \($0)" } ?? fix.advice)
    }

    /// Looks for what keeps people from finding each other, as `waggle doctor` does.
    func diagnose() async -> Diagnosis {
        let port = port
        let skew = trustedOffsets.isEmpty ? nil : Int(-clockSkewMilliseconds)
        let dialBack = await askToDialBack()
        return await Doctor(
            leavingOut: settings.interfacesLeftOut, port: { .inUseByNode(port) },
            skewMilliseconds: { skew },
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

    /// The median of what linked mates' clocks differ from this one, in milliseconds.
    var clockSkewMilliseconds: Int64 { ClockOffset.median(trustedOffsets) }

    /// Asks one linked peer to dial back.
    /// - Returns: nil where nobody is linked.
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
