internal import PluginKit

extension Neighbours {
    private static let latitude = Parameter.required(
        "latitude", .number, "Degrees north, -90 to 90.")
    private static let longitude = Parameter.required(
        "longitude", .number, "Degrees east, -180 to 180.")
    private static let id = Parameter.required(
        "id", .text, "The id, 32 hexadecimal digits.", positional: true)

    static let walkCommands = [
        Command(
            CommandDeclaration(
                "walk", "ask", .action, help: "Asks a mate for a walk, now or at a time.",
                parameters: [
                    .required("to", .text, "The mate's key, or six or more of its first digits."),
                    latitude, longitude,
                    .optional("place", .text, "What the place is called, 1 to 50 characters."),
                    .required("message", .text, "One line of 1 to 100 characters."),
                    .optional(
                        "atMs", .integer,
                        "When to walk, in milliseconds since 1970; without it the request is open "
                            + "for 60 s."),
                ], result: WalkRequest.shape),
            of: Neighbours.self
        ) { try await $0.askForWalk($1) },
        Command(
            CommandDeclaration(
                "walk", "accept", .action, help: "Accepts a walk request.", parameters: [id],
                result: WalkRequest.shape),
            of: Neighbours.self
        ) { try await $0.answerWalk($1.text("id"), .accepted) },
        Command(
            CommandDeclaration(
                "walk", "decline", .action, help: "Declines a walk request.", parameters: [id],
                result: WalkRequest.shape),
            of: Neighbours.self
        ) { try await $0.answerWalk($1.text("id"), .declined) },
        Command(
            CommandDeclaration(
                "walk", "cancel", .action, help: "Takes an open walk request back.",
                parameters: [id], result: WalkRequest.shape),
            of: Neighbours.self
        ) { try await $0.cancelWalk($1.text("id")) },
        Command(
            CommandDeclaration(
                "walk", "note", .action,
                help: "Writes the one line on a request that both may change, such as which gate.",
                parameters: [id, .required("note", .text, "One line of 1 to 100 characters.")],
                result: WalkRequest.shape),
            of: Neighbours.self
        ) { try await $0.noteOnWalk($1.text("id"), $1.text("note")) },
        Command(
            CommandDeclaration(
                "walk", "erase", .action,
                help: "Erases a request of mine, here and at the mate I asked.",
                parameters: [id], result: .done),
            of: Neighbours.self
        ) { try await $0.eraseWalk($1.text("id")) },
        Command(
            CommandDeclaration(
                "walk", "list", .query, help: "Lists walk requests, newest first.",
                result: .object(["requests": .list(WalkRequest.shape)])),
            of: Neighbours.self
        ) { neighbours, _ in try await neighbours.listWalks() },
    ]

    static let inboxCommands = [
        Command(
            CommandDeclaration(
                "inbox", "list", .query, help: "Lists what there is to see, newest first.",
                result: .object([
                    "items": .list(
                        .object([
                            "id": .text, "kind": .text, "title": .text, "body": .text,
                            "atMs": .integer, "handled": .boolean, "actions": .list(.text),
                            "ref?": .text,
                        ]))
                ])),
            of: Neighbours.self
        ) { neighbours, _ in try await neighbours.listInbox() },
        Command(
            CommandDeclaration(
                "inbox", "handle", .action, help: "Marks an item as dealt with.",
                parameters: [id], result: .done),
            of: Neighbours.self
        ) { try await $0.handleInbox($1.text("id")) },
    ]
}
