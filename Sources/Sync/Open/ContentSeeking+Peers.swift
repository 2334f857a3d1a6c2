public import Records

// Questions and answers of peers, and what is due as time passes.
extension ContentSeeking {
    /// Processes a question of a peer. Ignores questions beyond the link's allowance.
    public mutating func receive(
        _ seek: Seek, in space: SpaceID, from device: DeviceID, now: Duration
    ) -> [Effect] {
        guard var link = links.removeValue(forKey: device) else { return [] }
        defer { links[device] = link }
        guard link.spaces.contains(space),
            link.allowances.lookedUp.permit(seek.blobs.count, now: now)
        else { return [] }
        return [.lookUp(device, space, hops: seek.hops, seek.blobs)]
    }

    /// Answers a question with what the replica knows, and passes the rest on, if the link's
    /// allowance permits.
    /// - Parameters:
    ///   - found: the blobs of the effect ``Effect/lookUp(_:_:hops:_:)``.
    ///   - hops: the hops of the question.
    ///   - arrivals: ``arrivalsCount`` before the look. If content has arrived since and some of
    ///     the blobs were missing, they are looked up again.
    public mutating func answer(
        _ found: [(blob: SoughtBlob, content: SoughtContent)], hops: Int, in space: SpaceID,
        to device: DeviceID, after arrivals: Int, now: Duration
    ) -> [Effect] {
        guard links[device]?.spaces.contains(space) ?? false else { return [] }
        let isMissing = found.contains { if case .missing = $0.content { true } else { false } }
        guard !isMissing || arrivals == arrivalsCount else {
            return [.lookUp(device, space, hops: hops, found.map(\.blob))]
        }
        var (here, effects): ([BlobHash], [Effect]) = ([], [])
        for (sought, content) in found {
            switch content {
            case .isHere: here.append(sought.hash)
            case .missing(let blob):
                effects += seek(
                    ContentFetching.Wanted(space: space, blob: blob), hops: hops, for: device,
                    now: now)
            case .unknown: break
            }
        }
        return (here.isEmpty ? [] : [.tell(device, space, here)]) + effects
    }

    private mutating func seek(
        _ wanted: ContentFetching.Wanted, hops: Int, for device: DeviceID, now: Duration
    ) -> [Effect] {
        let key = Key(wanted)
        if let existing = sought[key] {
            let isPassedOn =
                isFarther(existing, hops: hops, for: device)
                && mayPassOn(key, wanted.blob, hops: hops, for: device, now: now)
            change(key) { item in
                item.askers.insert(device, hops: hops)
                guard isPassedOn else { return }
                item.hops = hops - 1
                item.asked = [device]
                guard item.reason != .withRecord else { return }
                item.reason = .passedOn(for: device)
                item.deadline = max(item.deadline ?? now, now + SeekingLimits.passedOnTime)
            }
            if isPassedOn { enqueue(key) }
            return pump(now: now)
        }
        guard hops > 0, hasRoomToPassOn(for: device),
            mayPassOn(key, wanted.blob, hops: hops, for: device, now: now)
        else {
            if waiting[key] != nil || waiting.count < room(of: SeekingLimits.askersMax, for: device)
            {
                waiting[key, default: (Askers(), now)].askers.insert(device, hops: hops)
            }
            return []
        }
        var item = Sought(wanted: wanted, reason: .passedOn(for: device), hops: hops - 1)
        item.askers.insert(device, hops: hops)
        // It ends even if no link can be asked.
        item.deadline = now + SeekingLimits.passedOnTime
        begin(item)
        enqueue(key)
        return pump(now: now)
    }

    /// Whether a question goes farther than the one for which content is looked for now.
    ///
    /// For example, a stranger asked with 1 hop for a photo, so the links were asked with 0. A mate
    /// asks for it with 7. The links are asked again, with 6, or the stranger could stop the mate's
    /// question by asking first.
    private func isFarther(_ existing: Sought, hops: Int, for device: DeviceID) -> Bool {
        guard hops > existing.hops + 1 else { return false }
        switch existing.reason {
        case .wanted: return false
        // The links of content that comes with its record were asked for themselves only.
        case .withRecord: return true
        case .passedOn(let asker):
            return isKnown(device) && (asker == device || hasRoomOnLink(for: device))
        }
    }

    private func origin(of device: DeviceID, hops: Int) -> Origin {
        guard isKnown(device) else { return .stranger }
        return hops == Limits.contentHopsMax - 1 ? .known : .throughKnown
    }

    private func hasRoomOnLink(for device: DeviceID) -> Bool {
        sought.values.count { $0.reason.asker == device } < SeekingLimits.passedOnPerLinkMax
    }

    private func hasRoomToPassOn(for device: DeviceID) -> Bool {
        let askers = sought.values.compactMap(\.reason.asker)
        return askers.count < SeekingLimits.passedOnMax
            && hasRoomOnLink(for: device)
            && (isKnown(device)
                || askers.count { !isKnown($0) } < SeekingLimits.passedOnForStrangersMax)
    }

    /// The part of a limit that the questions of a device may take, together with all others.
    private func room(of limit: Int, for device: DeviceID) -> Int {
        isKnown(device) ? limit : limit / 4 * 3
    }

    /// Charges a link for passing its question on, if it was not passed on a short time ago. It may
    /// be passed on once more for each higher origin.
    private mutating func mayPassOn(
        _ key: Key, _ blob: Blob, hops: Int, for device: DeviceID, now: Duration
    ) -> Bool {
        let origin = origin(of: device, hops: hops)
        let isRecent =
            passedOn[key].map {
                now - $0.time < SeekingLimits.passedOnMemory && origin <= $0.origin
            } ?? false
        guard !isRecent,
            passedOn.count < room(of: SeekingLimits.passedOnRememberedMax, for: device),
            links[device]?.allowances.passedOnBytes.isOpen(now: now) ?? false,
            links[device]?.allowances.passedOn.permit(1, now: now) ?? false
        else { return false }
        links[device]?.allowances.passedOnBytes.spend(blob.bytesCount, now: now)
        passedOn[key] = (now, origin)
        return true
    }

    /// Processes what a peer has. It has no effect for content that the peer was not asked for.
    public mutating func receive(
        _ found: Found, in space: SpaceID, from device: DeviceID, now: Duration
    ) -> [Effect] {
        var effects: [Effect] = []
        for key in found.hashes.flatMap({ keys(of: $0, in: space) }) {
            guard var item = sought[key], item.asked.contains(device),
                item.finders.insert(device).inserted
            else { continue }
            if item.reason.asker != nil, item.finders.count == 1 {
                item.deadline = now + SeekingLimits.fetchingMax
            }
            sought[key] = item
            effects.append(.fetch(item.wanted))
        }
        return effects
    }

    /// Ends searches whose time is over and repeats the others. Call it once a second.
    public mutating func advance(now: Duration) -> [Effect] {
        var effects: [Effect] = []
        forgetPeers(now: now)
        for key in sought.keys.sorted() {
            guard let item = sought[key] else { continue }
            if let deadline = item.deadline, deadline <= now {
                if item.reason == .withRecord { effects.append(.settle(item.wanted)) }
                effects += giveUp(key).map { [$0] } ?? []
            } else if let due = item.nextRepeat, due <= now, item.reason.asker == nil {
                repeatQuestion(key, now: now)
            }
        }
        return effects + pump(now: now)
    }

    /// Forgets the questions of peers that are old enough.
    private mutating func forgetPeers(now: Duration) {
        let (memory, pause) = (SeekingLimits.askerMemory, SeekingLimits.passedOnMemory)
        // Most of the time there are none, and nothing is copied.
        if waiting.contains(where: { now - $0.value.since >= memory }) {
            waiting = waiting.filter { now - $0.value.since < memory }
        }
        if passedOn.contains(where: { now - $0.value.time >= pause }) {
            passedOn = passedOn.filter { now - $0.value.time < pause }
        }
    }

    private mutating func repeatQuestion(_ key: Key, now: Duration) {
        guard var item = sought[key] else { return }
        item.pause = min(item.pause * 2, SeekingLimits.repeatPauseMax)
        item.nextRepeat = now + item.pause
        // Those that said they have it are asked for the content itself.
        item.asked.formIntersection(item.finders)
        sought[key] = item
        enqueue(key)
    }
}
