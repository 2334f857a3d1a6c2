public import PluginKit
internal import ProximityDropAPI

extension ProximityDrop {
    /// The functions that perform the commands.
    public static let commands: [CommandHandler] = [
        handle(DropCommands.preview) { drop, _ in try await drop.preview() },
        handle(DropCommands.start) { drop, request in try await drop.start(request) },
        handle(DropCommands.show) { drop, _ in await drop.status() },
        handle(DropCommands.accept) { drop, _ in try await drop.accept() },
        handle(DropCommands.decline) { drop, _ in try await drop.decline() },
        handle(DropCommands.cancel) { drop, _ in try await drop.cancel() },
    ]

    private func preview() async throws -> DropPreview {
        DropPreview(
            fields: try await context.core.myCard(),
            keptPrivate: try await context.core.keptPrivate())
    }

    private func start(_ request: StartDrop) async throws -> DropStatus {
        var target: DeviceID?
        if let prefix = request.to { target = try await device(prefix) }
        if session.phase == .finding, session.target == nil, let target {
            await perform(try session.choose(target, now: now))
            return await status()
        }
        try await press(target: target, share: request.share ?? true)
        return await status()
    }

    private func press(target: DeviceID?, share: Bool) async throws {
        guard !session.phase.isActive else {
            throw CommandFault.conflict("A drop is already running; finish or cancel it first.")
        }
        let card = share ? try await context.core.myCard() : ProfileFields()
        guard !share || card.nickname != nil else {
            throw CommandFault.refused(
                "Your profile has no name to share yet: use 'me edit', or receive only.")
        }
        let candidates = try await openDevices()
        guard let nonce = Bytes32(context.random.bytes(32)) else {
            preconditionFailure("32 bytes were asked")
        }
        await perform(
            try session.press(
                target: target, share: share, card: DropCard(card), nonce: nonce,
                candidates: candidates, now: now))
    }

    private func accept() async throws -> DropStatus {
        if let invited = session.incoming(now: now) {
            try await press(target: invited.device, share: true)
        } else {
            await perform(try session.accept(now: now))
        }
        return await status()
    }

    private func decline() async throws -> DropStatus {
        await perform(try session.decline(now: now))
        return await status()
    }

    private func cancel() async throws -> DropStatus {
        await perform(try session.cancel(now: now))
        return await status()
    }

    /// Returns the device nearby that a command names.
    private func device(_ prefix: NameOrKey) async throws -> DeviceID {
        let people = try await context.nearby.people()
        let device = try prefix.resolve(
            among: people.compactMap(\.device), what: "device", listedBy: "nearby list")
        if let person = people.first(where: { $0.device == device })?.person {
            switch try await context.core.relation(to: person) {
            case .mate: throw CommandFault.conflict("You are mates already.")
            case .blocked: throw CommandFault.refused("You have blocked this person.")
            case .stranger, .waiting: break
            }
        }
        return device
    }
}
