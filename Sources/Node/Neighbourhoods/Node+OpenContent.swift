internal import Identity
internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Looking for content of neighbourhoods over the links that there are, and answering peers who
// look for some.
extension Node {
    /// Looks for content that the user opened.
    func seek(_ wanted: ContentFetching.Wanted) async {
        await perform(openContent.seeking.seek([wanted], now: clock.uptime))
    }

    /// Looks for the content that is fetched with its record, if it is time.
    func seekSmallContent() async {
        guard !neighbourhoods.isEmpty, openContent.beginLook(ifDueAt: clock.uptime) else { return }
        do {
            let due = try await replica.dueSmallContent(countMax: SeekingLimits.ownMax / 2)
            let joined = due.filter { neighbourhoods.contains($0.space) }
            for isOfKnown in [true, false] {
                let wanted = joined.filter { $0.isRetained == isOfKnown }.map {
                    ContentFetching.Wanted(space: $0.space, blob: $0.blob)
                }
                await perform(
                    openContent.seeking.seek(
                        withRecord: wanted, ofKnown: isOfKnown, now: clock.uptime))
            }
        } catch {
            logger.error("content was not looked for", metadata: ["why": "\(error)"])
        }
    }

    /// Has the content of new records looked for.
    func seekContent(of commits: [Commit]) async {
        guard commits.contains(where: { neighbourhoods.contains($0.space) }) else { return }
        openContent.requestLook()
        await seekSmallContent()
    }

    /// Records that a linked peer named a neighbourhood that is joined here too.
    func beginSeeking(in space: SpaceID, from device: DeviceID) async {
        guard links[device]?.version ?? 0 >= Hello.seekingVersion else { return }
        await perform(
            openContent.seeking.linkBegan(device, in: space, now: clock.uptime))
    }

    /// Records that neighbourhoods were left.
    func endSeeking(in spaces: [SpaceID]) async {
        for space in spaces { await perform(openContent.seeking.left(space)) }
    }

    /// Does what is due about content of neighbourhoods.
    func maintainOpenContent() async {
        let now = clock.uptime
        for device in openContent.fetching.checkProgress(now: now) {
            openContent.seeking.recordSilence(of: device, now: now)
        }
        await perform(openContent.seeking.advance(now: now))
        await seekSmallContent()
        await fetchContent(isOpen: true)
    }

    // MARK: - Messages

    /// Processes a message about content of a neighbourhood.
    func receive(
        content message: Message, of space: SpaceID, from device: DeviceID
    ) async {
        switch message {
        case .seek(let seek):
            await perform(
                openContent.seeking.receive(seek, in: space, from: device, now: clock.uptime))
        case .found(let found):
            await perform(
                openContent.seeking.receive(found, in: space, from: device, now: clock.uptime))
        default: break
        }
    }

    /// Records that content of a neighbourhood has arrived, and tells those who asked for it.
    func recordArrival(of wanted: ContentFetching.Wanted) async {
        await perform(openContent.seeking.arrived(wanted, now: clock.uptime))
    }

    // MARK: - Effects

    private func perform(_ effects: [ContentSeeking.Effect]) async {
        var isFound = false
        for effect in effects {
            switch effect {
            case .ask(let device, let space, let hops, let blobs):
                send(to: device, about: space) {
                    .seek(Seek(channel: $0, hops: hops, blobs: blobs))
                }
            case .tell(let device, let space, let hashes):
                send(to: device, about: space) { .found(Found(channel: $0, hashes: hashes)) }
            case .lookUp(let device, let space, let hops, let blobs):
                await answer(blobs, hops: hops, in: space, to: device)
            case .fetch(let wanted):
                isFound = true
                await fetchFound(wanted)
            case .settle(let wanted): await settle(wanted)
            case .giveUp(let wanted):
                openContent.fetching.remove(wanted)
                await discard(wanted, isOpen: true)
            }
        }
        if isFound { await fetchContent(isOpen: true) }
    }

    private func send(
        to device: DeviceID, about space: SpaceID, _ message: (_ channel: UInt64) -> Message
    ) {
        guard let active = links[device], active.session.names(open: space),
            let channel = active.session.channel(of: space)
        else { return }
        put(.message(message(channel)), on: active)
    }

    private func answer(
        _ blobs: [SoughtBlob], hops: Int, in space: SpaceID, to device: DeviceID
    ) async {
        let arrivals = openContent.seeking.arrivalsCount
        var found: [(blob: SoughtBlob, content: SoughtContent)] = []
        for blob in blobs {
            let content = try? await replica.sought(blob, in: space)
            found.append((blob, content ?? .unknown))
        }
        await perform(
            openContent.seeking.answer(
                found, hops: hops, in: space, to: device, after: arrivals, now: clock.uptime))
    }

    private func fetchFound(_ wanted: ContentFetching.Wanted) async {
        let seeking = openContent.seeking
        let dropped = openContent.fetching.want(wanted, priority: seeking.priority(of:))
        guard let dropped else { return }
        openContent.seeking.forgetFinders(of: dropped)
        await discard(dropped, isOpen: true)
    }

    private func settle(_ wanted: ContentFetching.Wanted) async {
        do {
            try await replica.giveUp(wanted.blob, in: wanted.space)
        } catch {
            logger.error("content is still looked for", metadata: ["why": "\(error)"])
        }
    }
}
