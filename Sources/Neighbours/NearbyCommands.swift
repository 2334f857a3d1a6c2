internal import PluginKit

extension Neighbours {
    private static let visibility = Shape.object(["level": .text, "secondsLeft?": .integer])

    static let nearbyCommands = [
        Command(
            CommandDeclaration(
                "nearby", "list", .query, help: "Lists who is here now, or says why nobody is.",
                result: .object([
                    "people": .list(
                        .object([
                            "device": .text, "person?": .text, "suffix": .text, "name?": .text,
                            "dogName?": .text, "mate": .boolean, "dropOpen": .boolean,
                            "distanceMetres?": .number, "bearingDegrees?": .number,
                            "sinceMs": .integer,
                        ])),
                    "emptyReason?": .object(["cause": .text, "fix": .text]),
                ])),
            of: Neighbours.self
        ) { neighbours, _ in try await neighbours.listNearby() },
        Command(
            CommandDeclaration(
                "visibility", "show", .query, help: "Shows who sees my names.",
                result: visibility),
            of: Neighbours.self
        ) { neighbours, _ in await neighbours.showVisibility() },
        Command(
            CommandDeclaration(
                "visibility", "everyone", .action,
                help: "Shows my names to everyone nearby for 10 minutes.", result: visibility),
            of: Neighbours.self
        ) { neighbours, _ in try await neighbours.showToEveryone() },
        Command(
            CommandDeclaration(
                "visibility", "mates", .action, help: "Shows my names to mates only.",
                result: visibility),
            of: Neighbours.self
        ) { neighbours, _ in
            await neighbours.hideFromEveryone()
            return await neighbours.showVisibility()
        },
    ]
}
