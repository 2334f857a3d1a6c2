import Contract

/// Commands that represent those of a node in these tests.
enum SampleCommands {
    static let ask = CommandDeclaration(
        "walk", "ask", .action, help: "Ask a mate for a walk.",
        parameters: [
            .required("to", .text, "The mate.", positional: true),
            .required("latitude", .number(nil), "Degrees north."),
            .optional("atMs", .integer, "When."),
            .optional("share", .boolean, "Whether the card is sent."),
            .optional("size", .text(.choice(["small", "big"])), "The dog's size."),
            .optional("keywords", .list(.text), "One or two words."),
        ],
        result: .object([.init("id", .text), .init("secondsLeft", .integer, isRequired: false)]))

    static let list = CommandDeclaration(
        "walk", "list", .query, help: "List walks.",
        parameters: [
            .optional("state", .text, "Only these."), .optional("keywords", .list(.text), "Words."),
            .optional("near", .number(nil), "Metres."),
            .optional("open", .boolean, "Only open ones."),
        ],
        result: .object([
            .init(
                "requests",
                .list(.object([.init("id", .text), .init("place", .any, isRequired: false)])))
        ]))
}

/// Events that represent those of a node in these tests.
enum SampleEvents {
    static let walk = Event<WalkChange>("walk", help: "A walk changed.")

    struct WalkChange: EventBody {
        var state: State?

        enum State: String, OpenChoice { case open, over, unknown }
    }
}
