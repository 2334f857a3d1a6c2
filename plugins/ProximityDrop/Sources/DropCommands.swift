public import PluginKit

extension ProximityDrop {
    private static let card = Shape.any

    private static let session = Shape.object([
        "phase": .text, "id?": .text, "share?": .boolean, "secondsLeft?": .integer,
        "checkCode?": .text, "myAnswer?": .text, "reason?": .text, "incoming?": .boolean,
        "peer?": .object(["device": .text, "suffix": .text, "card?": card]),
        "candidates?": .list(.object(["device": .text, "suffix": .text])),
        "ranged": .object(["available": .boolean, "reason?": .text]),
    ])

    /// All commands of the drop.
    public static let commands: [Command] = [
        Command(
            CommandDeclaration(
                "drop", "preview", .query, help: "Shows exactly what a drop would send.",
                result: .object(["fields": card, "keptPrivate": .list(.text)])),
            of: ProximityDrop.self
        ) { drop, _ in try await drop.preview() },
        Command(
            CommandDeclaration(
                "drop", "start", .action,
                help: "Begins a drop with a person nearby, or with the one who presses too.",
                parameters: [
                    .optional("to", .text, "The device, or six or more of its first digits."),
                    .optional("share", .boolean, "Whether my card goes along; else receive only."),
                ], result: session),
            of: ProximityDrop.self
        ) { try await $0.start($1) },
        Command(
            CommandDeclaration(
                "drop", "show", .query, help: "Shows how far the drop is.", result: session),
            of: ProximityDrop.self
        ) { drop, _ in await drop.show() },
        Command(
            CommandDeclaration(
                "drop", "accept", .action,
                help: "Accepts the other's card, or begins the drop I am invited to.",
                result: session),
            of: ProximityDrop.self
        ) { drop, _ in try await drop.accept() },
        Command(
            CommandDeclaration(
                "drop", "decline", .action, help: "Declines the other's card or invitation.",
                result: session),
            of: ProximityDrop.self
        ) { drop, _ in try await drop.decline() },
        Command(
            CommandDeclaration(
                "drop", "cancel", .action, help: "Ends the drop.", result: session),
            of: ProximityDrop.self
        ) { drop, _ in try await drop.cancel() },
    ]
}

extension ProximityDrop {
    private func preview() async throws -> JSONValue {
        let kept = try await context.core.keptPrivate()
        return [
            "fields": .object(try await context.core.myCard()),
            "keptPrivate": .array(kept.map { .string($0) }),
        ]
    }

    private func start(_ arguments: Arguments) async throws -> JSONValue {
        var target: DeviceID?
        if let text = arguments["to"]?.string { target = try await device(text) }
        if session.phase == .finding, session.target == nil, let target {
            await perform(try session.choose(target, now: now))
            return await show()
        }
        try await press(target: target, share: arguments["share"]?.boolean ?? true)
        return await show()
    }

    private func press(target: DeviceID?, share: Bool) async throws {
        guard !session.phase.isActive else {
            throw CommandFault.conflict("A drop is on already; finish or cancel it first.")
        }
        let card = share ? try await context.core.myCard() : [:]
        guard !share || card["nickname"] != nil else {
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

    private func accept() async throws -> JSONValue {
        if let invited = session.incoming(now: now) {
            try await press(target: invited.device, share: true)
        } else {
            await perform(try session.accept(now: now))
        }
        return await show()
    }

    private func decline() async throws -> JSONValue {
        await perform(try session.decline(now: now))
        return await show()
    }

    private func cancel() async throws -> JSONValue {
        await perform(try session.cancel(now: now))
        return await show()
    }

    /// The device nearby that a command names.
    private func device(_ text: String) async throws -> DeviceID {
        let isPrefix = text.count >= Self.suffixDigitsMin && text.allSatisfy(\.isHexDigit)
        guard isPrefix else {
            throw CommandFault.usage(
                "A device is named by its key, or by six or more of its first digits; see "
                    + "'nearby list'.", field: "to")
        }
        let matching = await context.nearby.people().filter {
            $0.device?.description.hasPrefix(text.lowercased()) ?? false
        }
        guard let someone = matching.first, let device = someone.device else {
            throw CommandFault.notFound("No device \(text) is nearby; see 'nearby list'.")
        }
        guard matching.count == 1 else {
            throw CommandFault.conflict("Several devices nearby begin with \(text).")
        }
        if let person = someone.person {
            switch try await context.core.relation(to: person) {
            case .mate: throw CommandFault.conflict("You are mates already.")
            case .blocked: throw CommandFault.refused("You have blocked this person.")
            case .stranger, .waiting: break
            }
        }
        return device
    }

    /// The fewest digits of a key that may stand for it.
    private static let suffixDigitsMin = 6
}
