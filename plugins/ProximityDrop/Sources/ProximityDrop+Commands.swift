public import PluginKit
internal import ProximityDropAPI

extension ProximityDrop {
    /// The functions that perform the commands.
    public static let commands: [CommandHandler] = [
        handle(DropCommands.preview) { drop, _ in try await drop.preview() },
        handle(DropCommands.start) { drop, request in try await drop.start(request) },
        handle(DropCommands.show) { drop, _ in try await drop.status() },
        handle(DropCommands.photo) { drop, _ in try await drop.photos() },
        handle(DropCommands.accept) { drop, _ in try await drop.accept() },
        handle(DropCommands.decline) { drop, _ in try await drop.decline() },
        handle(DropCommands.cancel) { drop, _ in try await drop.cancel() },
    ]

    private func preview() async throws -> DropPreview {
        DropPreview(
            fields: try await context.core.myCard(),
            keptPrivate: try await context.core.keptPrivate(),
            photo: try await context.core.myThumbnail() != nil)
    }

    private func photos() async throws -> DropPhotos {
        DropPhotos(
            mine: try await context.core.myThumbnail().flatMap { ThumbnailDigits($0) },
            theirs: theirThumbnail.flatMap { ThumbnailDigits($0.jpeg) })
    }

    private func start(_ request: StartDrop) async throws -> DropStatus {
        let isRanged = request.ranged ?? false
        guard !isRanged || request.to == nil else {
            throw CommandFault.refused("Use either a name or --ranged, not both.")
        }
        let wanted: Wanted =
            if let to = request.to { try await person(to) } else { isRanged ? .nearest : .anyone }
        if session.phase == .finding, session.target == nil, case .device(let device) = wanted {
            await perform(try session.choose(device, now: now))
            return try await status()
        }
        try await press(wanted, share: request.share ?? true)
        return try await status()
    }

    /// The person with whom a drop is wanted.
    private enum Wanted {
        case anyone
        /// The person whose device is held to this one.
        case nearest
        case device(DeviceID)
        case sighted(DropSession.Sighted)
    }

    /// Presses for a person whom another plugin names: both have just tapped that they met.
    public func meet(_ wish: MeetingWish) async throws {
        try await press(
            try await person(wish.person), share: true,
            meeting: DropStatus.Meeting(common: wish.common, topic: wish.topic))
    }

    private func press(
        _ wanted: Wanted, share: Bool, meeting: DropStatus.Meeting? = nil
    ) async throws {
        guard !session.phase.isActive else {
            throw CommandFault.conflict("A drop is already running; finish or cancel it first.")
        }
        let card = share ? try await context.core.myCard() : ProfileFields()
        guard !share || card.nickname != nil else {
            throw CommandFault.refused(
                "Your profile has no name to share yet: use 'me edit', or receive only.")
        }
        if case .nearest = wanted { try await requireProvider() }
        let candidates = try await openDevices()
        guard let nonce = Bytes32(context.random.bytes(32)) else {
            preconditionFailure("32 bytes were asked")
        }
        var (target, sighted, isRanged): (DeviceID?, DropSession.Sighted?, Bool) = (nil, nil, false)
        switch wanted {
        case .anyone: break
        case .nearest: isRanged = true
        case .device(let device): target = device
        case .sighted(let person): sighted = person
        }
        let thumbnail = share ? try await context.core.myThumbnail() : nil
        let effects = try session.press(
            target: target, sighted: sighted, isRanged: isRanged, share: share,
            card: DropCard(card, readsThumbnails: true), thumbnail: thumbnail, nonce: nonce,
            candidates: candidates, isBump: meeting != nil, now: now)
        self.meeting = meeting
        advice = .holdTogether
        await perform(effects)
        try await reach()
        try await advise()
    }

    private func accept() async throws -> DropStatus {
        if let invited = session.incoming(now: now) {
            try await press(.device(invited.device), share: true)
        } else {
            await perform(try session.accept(now: now))
        }
        return try await status()
    }

    private func decline() async throws -> DropStatus {
        await perform(try session.decline(now: now))
        return try await status()
    }

    private func cancel() async throws -> DropStatus {
        await perform(try session.cancel(now: now))
        return try await status()
    }

    /// Returns the person nearby whom a command names by their name, or by the digits of their
    /// device's key or tag.
    private func person(_ named: NameOrKey) async throws -> Wanted {
        let people = try await context.nearby.people()
        try await refuseOwnDevices(named)
        let names = try await context.core.namesNearby()
        // A person who was just linked is still found by the tag.
        let tags = people.compactMap { $0.tag?.string }.filter { named.string == $0 }
        let digits = try named.resolve(
            among: people.compactMap(\.digits) + tags, named: { names[$0] }, what: "device",
            listedBy: "nearby list")
        guard let found = people.first(where: { $0.digits == digits || $0.tag?.string == digits })
        else { preconditionFailure("the digits are those of one of these people") }
        if let person = found.person {
            switch try await context.core.relation(to: person) {
            case .mate: throw CommandFault.conflict("You are mates already.")
            case .blocked: throw CommandFault.refused("You have blocked this person.")
            case .stranger, .waiting: break
            }
        }
        if let device = found.device { return .device(device) }
        guard let tag = found.tag else { preconditionFailure("a person has a device or a tag") }
        return .sighted(.init(tag: tag, name: names[digits]))
    }
}

extension NearbyPerson {
    /// The digits of the linked device, else of the announced tag.
    fileprivate var digits: String? { device?.description ?? tag?.string }
}
