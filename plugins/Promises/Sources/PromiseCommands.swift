public import PluginKit

extension Promises {
    /// All commands of promises.
    public static let commands: [Command] = making + answering + looking

    private static let id = Parameter.required(
        "promise", .text, "The promise's id, or six or more of its first digits.",
        positional: true)

    private static let summaryMembers: [String: Shape] = [
        "id": .text, "title": .text, "atMs": .integer, "phase": .text, "state?": .text,
        "maker": .text, "makerName": .text, "mine": .boolean, "latitude": .number,
        "longitude": .number, "place?": .text, "penalty": .integer, "peopleCount": .integer,
        "sharing": .text,
    ]
    private static let summary = Shape.object(summaryMembers)

    private static let latenessMembers: [String: Shape] = [
        "lateness?": .text, "latenessText?": .text, "earlySeconds?": .integer, "rank?": .integer,
        "medal?": .text, "arrivedMs?": .integer,
    ]

    private static let person = Shape.object(
        latenessMembers.merging([
            "person": .text, "suffix": .text, "name": .text, "me": .boolean, "state": .text,
            "departedMs?": .integer, "remaining?": .text, "progress?": .number,
            "position?": .object([
                "latitude": .number, "longitude": .number, "accuracyMetres?": .number,
                "atMs?": .integer, "ageSeconds": .integer, "isStale": .boolean,
            ]),
        ]) { one, _ in one })

    private static let whole = Shape.object(
        summaryMembers.merging(["people": .list(person)]) { one, _ in one })

    private static func fields(areRequired: Bool) -> [Parameter] {
        let parameter = areRequired ? Parameter.required : Parameter.optional
        return [
            parameter("title", .text, "What it is called, 1 to 15 characters.", false),
            parameter(
                "atMs", .integer,
                "When to be there, in milliseconds since 1970, at least 30 minutes ahead.", false),
            parameter("latitude", .number, "Degrees north, -90 to 90.", false),
            parameter("longitude", .number, "Degrees east, -180 to 180.", false),
            .optional("place", .text, "What the place is called, up to 50 characters."),
            .optional(
                "penalty", .integer,
                "What being late costs in potatoes: 0, 100 to 500 by hundreds, or up to 5000 by "
                    + "five hundreds."),
        ]
    }

    private static let making = [
        Command(
            CommandDeclaration(
                "promise", "create", .action, help: "Promises mates to be at a place at a time.",
                parameters: fields(areRequired: true) + [
                    .required(
                        "with", .texts, "Mates' keys, or six or more of their first digits.")
                ], result: whole),
            of: Promises.self
        ) { try await $0.create($1) },
        Command(
            CommandDeclaration(
                "promise", "edit", .action, help: "Changes a promise that I made.",
                parameters: [id] + fields(areRequired: false), result: whole),
            of: Promises.self
        ) { try await $0.edit($1) },
        Command(
            CommandDeclaration(
                "promise", "invite", .action, help: "Asks more mates to a promise that I made.",
                parameters: [
                    id,
                    .required(
                        "with", .texts, "Mates' keys, or six or more of their first digits."),
                ], result: whole),
            of: Promises.self
        ) { try await $0.invite($1) },
        Command(
            CommandDeclaration(
                "promise", "delete", .action, help: "Calls off a promise that I made.",
                parameters: [id], result: .done),
            of: Promises.self
        ) { try await $0.delete($1.text("promise")) },
    ]

    private static let answering = [
        action("accept", "Takes part in a promise that I am asked to.") { try await $0.accept($1) },
        action("leave", "Takes part no more, or declines.") { try await $0.leave($1) },
        action("share", "Goes on showing where I am, after a stop or a restart.") {
            try await $0.resumeSharing($1)
        },
        action("stop", "Shows where I am no more, nor notes that I arrive; others drop it.") {
            try await $0.stopSharing($1)
        },
    ]

    private static func action(
        _ verb: String, _ help: String,
        _ perform: @escaping @Sendable (Promises, String) async throws -> JSONValue
    ) -> Command {
        Command(
            CommandDeclaration(
                "promise", verb, .action, help: help, parameters: [id], result: whole),
            of: Promises.self
        ) { try await perform($0, $1.text("promise")) }
    }

    private static let looking = [
        Command(
            CommandDeclaration(
                "promise", "list", .query,
                help: "Lists promises that are not over, or pages of those that are past.",
                parameters: [
                    .optional("past", .boolean, "Past ones, newest first, ten at a time."),
                    .optional("cursor", .text, "What the page before gave as 'next'."),
                ], result: .object(["promises": .list(summary), "next?": .text])),
            of: Promises.self
        ) { try await $0.list($1) },
        Command(
            CommandDeclaration(
                "promise", "show", .query, help: "Shows a promise, and where everybody is.",
                parameters: [id], result: whole),
            of: Promises.self
        ) { try await $0.show($1.text("promise")) },
        Command(
            CommandDeclaration(
                "promise", "watch", .query,
                help: "Shows a promise, and goes on as people come nearer.",
                parameters: [id], result: whole, follows: ["promise"]),
            of: Promises.self
        ) { try await $0.show($1.text("promise")) },
        Command(
            CommandDeclaration(
                "promise", "today", .query, help: "Shows today's promises and the next one.",
                result: .object([
                    "promises": .list(summary), "next?": .text, "allDone": .boolean,
                ])),
            of: Promises.self
        ) { promises, _ in try await promises.today() },
        Command(
            CommandDeclaration(
                "promise", "result", .query, help: "Shows who came when, in order.",
                parameters: [id],
                result: .object([
                    "id": .text, "title": .text, "atMs": .integer, "phase": .text,
                    "isFinal": .boolean,
                    "people": .list(
                        .object(
                            latenessMembers.merging([
                                "person": .text, "name": .text, "owes": .integer,
                            ]) { one, _ in one })),
                ])),
            of: Promises.self
        ) { try await $0.result($1.text("promise")) },
        Command(
            CommandDeclaration(
                "promise", "ledger", .query,
                help: "Shows who owes how many potatoes, and how well promises are kept.",
                result: .object([
                    "people": .list(
                        .object([
                            "person": .text, "name": .text, "me": .boolean, "owes": .integer,
                            "past": .integer, "late": .integer, "keptPercent?": .number,
                            "title": .text,
                        ])),
                    "debts": .list(
                        .object([
                            "promise": .text, "title": .text, "atMs": .integer, "person": .text,
                            "name": .text, "potatoes": .integer,
                        ])),
                ])),
            of: Promises.self
        ) { promises, _ in try await promises.showLedger() },
    ]
}
