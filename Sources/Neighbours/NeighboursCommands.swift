public import PluginKit

extension Neighbours {
    /// All commands of the core feature set, by noun.
    public static let commands: [Command] =
        profileCommands + mateCommands + walkCommands + inboxCommands + locationCommands
        + nearbyCommands + groupCommands

    private static let me = Shape.object(
        Profile.shape.merging([
            "person": .text, "device": .text, "suffix": .text, "complete": .boolean,
            "keptPrivate": .list(.text),
        ]) { field, _ in field })

    private static let profileCommands = [
        Command(
            CommandDeclaration("me", "show", .query, help: "Shows my profile.", result: me),
            of: Neighbours.self
        ) { neighbours, _ in try await neighbours.showMe() },
        Command(
            CommandDeclaration(
                "me", "edit", .action, help: "Changes my profile, each field on its own.",
                parameters: ProfileField.allCases.map(\.parameter) + [
                    .optional(
                        "keptPrivate", .texts,
                        "The fields mates never see; replaces the list, one empty text empties it."
                    ),
                    .optional("clear", .texts, "Optional fields to remove."),
                ], result: me),
            of: Neighbours.self
        ) { try await $0.editMe($1) },
    ]

    private static let matePlace = Shape.object([
        "latitude": .number, "longitude": .number, "accuracyMetres?": .number, "atMs": .integer,
        "ageSeconds": .integer,
    ])

    private static let person = Parameter.required(
        "person", .text, "The person's key, or six or more of its first digits.",
        positional: true)

    private static let mateCommands =
        [
            Command(
                CommandDeclaration(
                    "mates", "list", .query, help: "Lists mates and those I wait for.",
                    result: .object([
                        "mates": .list(
                            .object([
                                "person": .text, "suffix": .text, "state": .text,
                                "profile": .object(Profile.shape), "present": .boolean,
                                "lastExchangeMs?": .integer, "place?": matePlace,
                            ]))
                    ])),
                of: Neighbours.self
            ) { neighbours, _ in try await neighbours.listMates() },
            Command(
                CommandDeclaration(
                    "mates", "remove", .action, help: "Ends a mateship, on both sides.",
                    parameters: [person], result: .done),
                of: Neighbours.self
            ) { neighbours, arguments in
                let text = try arguments.text("person")
                try await neighbours.unmate(neighbours.person(text, field: "person"))
                return .object([:])
            },
        ] + blockCommands

    private static let blockCommands = [
        Command(
            CommandDeclaration(
                "mates", "block", .action,
                help: "Blocks a person: they are not shown and are sent nothing.",
                parameters: [
                    person,
                    .required(
                        "reason", .choice(BlockReason.allCases.map(\.rawValue)),
                        "Why, for yourself."),
                    .optional("text", .text, "More words, at most 100 characters."),
                ], result: .done),
            of: Neighbours.self
        ) { neighbours, arguments in
            let text = try arguments.text("person")
            try await neighbours.block(
                neighbours.person(text, field: "person"),
                because: arguments.text("reason"), text: arguments["text"]?.string)
            return .object([:])
        },
        Command(
            CommandDeclaration(
                "mates", "unblock", .action, help: "Takes a block back.",
                parameters: [
                    .required("person", .text, "The person's whole key.", positional: true)
                ], result: .done),
            of: Neighbours.self
        ) { neighbours, arguments in
            let text = try arguments.text("person")
            try await neighbours.unblock(neighbours.person(text, field: "person"))
            return .object([:])
        },
        Command(
            CommandDeclaration(
                "mates", "blocked", .query, help: "Lists whom I blocked.",
                result: .object([
                    "blocked": .list(
                        .object([
                            "person": .text, "suffix": .text, "name?": .text, "reason?": .text,
                            "text?": .text, "atMs?": .integer,
                        ]))
                ])),
            of: Neighbours.self
        ) { neighbours, _ in try await neighbours.listBlocked() },
    ]
}
