internal import Identity
internal import Links
internal import Logging
internal import PluginHost
package import PluginKit
package import Records
internal import Replica
internal import Sync

// The content of blobs: stored for plugins, fetched from linked members of a space, and sent to
// them.
extension Node {
    /// Stores content that records of a space will name; it is on the disk when this returns.
    package func put(
        _ content: [UInt8], kind: String, in space: SpaceDescriptor
    ) async throws -> Blob {
        try await replica.put(content, kind: kind, in: space.id, wallTime: clock.wallTime)
    }

    /// Returns content that a record of a space names. If it is not here, it is fetched from the
    /// next linked member who has it, and plugins hear of it when it has arrived.
    package func find(_ blob: Blob, in space: SpaceDescriptor) async throws -> [UInt8]? {
        let found = try await findHere(blob, in: space)
        if found == nil { await fetch(blob, in: space) }
        return found
    }

    /// Returns content that a record of a space names; nil if it is not here.
    package func findHere(_ blob: Blob, in space: SpaceDescriptor) async throws -> [UInt8]? {
        try await replica.content(of: blob, in: space.id, wallTime: clock.wallTime)
    }

    /// Returns the path of that content, for a program of this computer that only reads it.
    package func file(of blob: Blob, in space: SpaceDescriptor) async throws -> String? {
        let found = try await replica.contentFile(
            of: blob, in: space.id, wallTime: clock.wallTime)
        if found == nil { await fetch(blob, in: space) }
        return found
    }

    /// Copies that content to a new file.
    package func save(
        _ blob: Blob, in space: SpaceDescriptor, to path: String
    ) async throws -> Bool {
        let isSaved = try await replica.export(
            blob, in: space.id, to: path, wallTime: clock.wallTime)
        if !isSaved { await fetch(blob, in: space) }
        return isSaved
    }

    /// Reads a picture that the person chose.
    package nonisolated func encode(
        _ source: PhotoSource, for use: PhotoUse
    ) async throws -> EncodedPhoto {
        try await surroundings.photos.encode(source, for: use)
    }

    private func fetch(_ blob: Blob, in space: SpaceDescriptor) async {
        let isOnCard = space.kind == .card && space != .card(me)
        await want(
            ContentFetching.Wanted(space: space.id, blob: blob),
            because: isOnCard ? .card : .opened)
        await fetchContent()
    }

    /// Wants content: from members of its space, or from any device that has it in a neighbourhood.
    func want(
        _ wanted: ContentFetching.Wanted, because reason: MemberContent.Reason = .opened
    ) async {
        guard !neighbourhoods.contains(wanted.space) else { return await seek(wanted) }
        let dropped = content.want(wanted, because: reason, now: clock.uptime)
        for wish in dropped { await discard(wish, isOpen: false) }
    }

    /// Removes what has arrived of content that is not fetched now, unless it is fetched with
    /// another length.
    func discard(_ wanted: ContentFetching.Wanted, isOpen: Bool) async {
        guard !self[fetching: isOpen].isWanted(wanted.blob.hash, in: wanted.space) else { return }
        await replica.discard(wanted.blob, in: wanted.space)
    }

    // MARK: - Fetching

    /// The fetching from members, or for neighbourhoods.
    private subscript(fetching isOpen: Bool) -> ContentFetching {
        get { isOpen ? openContent.fetching : content.fetching }
        _modify {
            if isOpen { yield &openContent.fetching } else { yield &content.fetching }
        }
    }

    /// Begins to fetch the next wanted blobs, as many as may be fetched at a time.
    /// - Parameter isOpen: whether they are those of neighbourhoods.
    func fetchContent(isOpen: Bool = false) async {
        while let choice = chooseContent(isOpen: isOpen) {
            let wanted = choice.wanted
            do {
                switch try await replica.arrivedBytes(of: wanted.blob, in: wanted.space) {
                case .missing(let arrivedBytes):
                    let effects = self[fetching: isOpen].begin(
                        choice, arrivedBytes: arrivedBytes, now: clock.uptime)
                    await perform(effects, isOpen: isOpen)
                case .isHere:
                    self[fetching: isOpen].remove(wanted)
                    await deliver(wanted, isOpen: isOpen)
                case .notNamed: forget(wanted, isOpen: isOpen)
                case .noRoom: postpone(wanted, isOpen: isOpen)
                }
            } catch {
                logger.error("content cannot be fetched", metadata: ["why": "\(error)"])
                postpone(wanted, isOpen: isOpen)
            }
        }
    }

    private func chooseContent(isOpen: Bool) -> ContentFetching.Choice? {
        let now = clock.uptime
        guard !isOpen else {
            let seeking = openContent.seeking
            let priorities = ContentFetching.Priorities(
                priority: seeking.priority(of:), isKnown: seeking.isKnown)
            return openContent.fetching.choose(now: now, priorities: priorities) {
                seeking.finders(of: $0, now: now)
            }
        }
        let links = links
        return content.choose(
            now: now, me: me, person: { links[$0]?.peer.person },
            linked: { Node.contentSources(of: $0, links) })
    }

    private func forget(_ wanted: ContentFetching.Wanted, isOpen: Bool) {
        self[fetching: isOpen].remove(wanted)
        if isOpen { openContent.seeking.remove(wanted) }
    }

    private func postpone(_ wanted: ContentFetching.Wanted, isOpen: Bool) {
        self[fetching: isOpen].postpone(wanted, until: clock.uptime + Node.contentPause)
    }

    /// The time after which content is tried again for which there was no room.
    private static let contentPause: Duration = .seconds(60)

    /// Returns the linked devices that share a space and exchange content, in no order.
    private static func contentSources(of space: SpaceID, _ links: LinkTable) -> [DeviceID] {
        links.values.filter {
            $0.version >= Hello.contentVersion && $0.session.commonSpaces.contains(space)
        }.map(\.peer.device)
    }

    private func perform(_ effects: [ContentFetching.Effect], isOpen: Bool) async {
        for effect in effects {
            switch effect {
            case .ask(let device, let wanted, let offset):
                guard let active = links[device],
                    let request = active.session.request(
                        wanted.blob.hash, in: wanted.space, offset: offset)
                else { continue }
                self[fetching: isOpen].asked(request, of: device)
                put(.message(.want(request)), on: active)
            case .store(let wanted, let bytes, let offset):
                do {
                    let isStored = try await replica.append(
                        bytes, at: offset, of: wanted.blob, in: wanted.space,
                        wallTime: clock.wallTime)
                    // No record names it now, or its first bytes were removed.
                    guard isStored else {
                        return self[fetching: isOpen].postpone(wanted, until: clock.uptime)
                    }
                } catch {
                    logger.error("content cannot be stored", metadata: ["why": "\(error)"])
                    return postpone(wanted, isOpen: isOpen)
                }
            case .finish(let wanted): await finish(wanted, isOpen: isOpen)
            }
        }
    }

    private func finish(_ wanted: ContentFetching.Wanted, isOpen: Bool) async {
        do {
            let end = try await replica.finish(
                wanted.blob, in: wanted.space, wallTime: clock.wallTime)
            let liar = self[fetching: isOpen].end(wanted, isWrong: end == .wrongContent)
            if isOpen, let liar { countFault(of: liar, "content with another hash") }
            switch end {
            case .stored: await deliver(wanted, isOpen: isOpen)
            case .notNamed: forget(wanted, isOpen: isOpen)
            case .wrongContent: break
            }
        } catch {
            logger.error("content cannot be stored", metadata: ["why": "\(error)"])
            postpone(wanted, isOpen: isOpen)
        }
    }

    private func deliver(_ wanted: ContentFetching.Wanted, isOpen: Bool) async {
        if isOpen { await recordArrival(of: wanted) }
        guard let space = await replica.descriptor(of: wanted.space) else { return }
        host.deliver(content: wanted.blob, in: space)
    }

    /// Processes a message about content.
    /// - Throws: ``SyncFault`` if the peer violates the protocol; the link then ends.
    func processContent(_ message: Message, from device: DeviceID, id: UInt64) async throws {
        guard links[device]?.id == id else { return }
        switch message {
        case .want(let request): try receive(request, from: device)
        case .piece(let piece):
            let isOpen = openContent.fetching.awaits(piece.request, from: device)
            let effects = try self[fetching: isOpen].receive(
                piece, from: device, now: clock.uptime)
            let isFinish = effects.contains(where: \.isFinish)
            if isFinish {
                if isOpen {
                    openContent.seeking.recordContent(from: device)
                } else {
                    content.recordContent(from: device)
                }
            }
            await perform(effects, isOpen: isOpen)
            // After a piece in the middle no other blob can begin, and up to 1024 are wanted.
            if isOpen || isFinish || effects.isEmpty { await fetchContent(isOpen: isOpen) }
        case .lacking(let request):
            let isOpen = openContent.fetching.awaits(request, from: device)
            try self[fetching: isOpen].receive(
                lacking: request, from: device, now: clock.uptime)
            await fetchContent(isOpen: isOpen)
        default: break
        }
    }

    /// Does what is due about content: gives up devices that send nothing, and wants the content of
    /// this person's own records that is not here.
    func maintainContent() async {
        let (now, links) = (clock.uptime, links)
        content.advance(now: now) { Node.contentSources(of: $0, links) }
        guard !links.isEmpty else { return }
        if let part = content.own.next(now: now) { await wantOwnContent(part) }
        await fetchContent()
        await maintainOpenContent()
    }

    /// Has own content looked for if another device of this person wrote something.
    func lookForOwnContent(after commits: [Commit]) async {
        guard !content.own.isRequested, !commits.isEmpty else { return }
        let devices = (await replica.personRecord(me) ?? identity.person).devices
        let others = Set(commits.map(\.log.device)).subtracting([device])
        if others.contains(where: { devices.contains($0) }) { content.own.request() }
    }

    /// Wants a part of the content of this person's own records that is not here.
    private func wantOwnContent(_ part: OwnContentRound.Part) async {
        var found: [ContentFetching.Wanted] = []
        do {
            found = try await replica.missingOwnContent(
                after: part.last.map { ($0.space, $0.blob) }, countMax: part.countMax
            ).map { ContentFetching.Wanted(space: $0.space, blob: $0.blob) }
        } catch {
            logger.error("own content was not looked for", metadata: ["why": "\(error)"])
        }
        for wanted in found { await want(wanted, because: .own) }
        content.own.receive(found, of: part, now: clock.uptime)
    }

    /// Compares the files with the tables, once after a start.
    func reconcileContent() async {
        do {
            try await replica.reconcileContent(wallTime: clock.wallTime)
        } catch {
            logger.error("content was not checked", metadata: ["why": "\(error)"])
        }
    }

    /// Ends the part of a device's link in fetching content.
    func endContent(with device: DeviceID, _ end: ContentFetching.LinkEnd) {
        let now = clock.uptime
        content.linkEnded(device, end, now: now)
        if openContent.fetching.isSilent(device, atEnd: end, now: now) {
            openContent.seeking.recordSilence(of: device, now: now)
        }
        openContent.fetching.linkEnded(device)
        openContent.seeking.linkEnded(device)
    }

    // MARK: - Sending

    /// Queues a request, which is answered when its person's allowance permits.
    private func receive(_ request: ContentRequest, from device: DeviceID) throws {
        guard var active = links[device] else { return }
        let waiting = active.contentRequests.count + active.outbox.requestsCount
        guard waiting < ContentAllowance.requestsMax else { throw SyncFault.tooManyRequests }
        active.contentRequests.append(request)
        let isFirst = active.contentRequests.count == 1
        links[device] = active
        guard isFirst else { return }
        Task { await answerRequests(of: device, id: active.id) }
    }

    /// Passes the requests of a link to its outbox, one after another.
    private func answerRequests(of device: DeviceID, id: UInt64) async {
        while let active = links[device], active.id == id,
            let request = active.contentRequests.first
        {
            let isOpen = active.session.openSpace(ofChannel: request.channel) != nil
            let now = clock.uptime
            let pause = links.allowances.charge(active.peer.person, now: now) {
                isOpen ? $0.openContent.spend(uptime: now) : $0.content.spend(uptime: now)
            }
            if pause > .zero { try? await clock.sleep(for: pause) }
            guard links[device]?.id == id else { return }
            links[device]?.contentRequests.removeFirst()
            let session = links[device]?.session
            let space =
                session?.space(ofChannel: request.channel)
                ?? session?.openSpace(ofChannel: request.channel)
            active.outbox.put(request, of: space)
        }
    }

    /// Returns the answer to a request. A peer gets the same bytes whether a space, a blob or a
    /// piece does not exist, is not open to it, or is not here.
    func answer(
        to request: ContentRequest, of space: SpaceID?, for device: DeviceID
    ) async -> Message {
        guard let space, let session = links[device]?.session,
            session.sharedSpaces.contains(space) || session.names(open: space),
            let piece = try? await replica.piece(
                of: request.hash, in: space, from: request.offset)
        else { return .lacking(request) }
        return .piece(ContentPiece(request: request, bytes: piece))
    }
}
