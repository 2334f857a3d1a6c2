import PluginKit

/// Commands that stand for those of a node in these tests.
enum SampleCommands {
    static let ask = CommandDeclaration(
        "walk", "ask", .action, help: "Ask a mate for a walk.",
        parameters: [
            .required("to", .text, "The mate.", positional: true),
            .required("latitude", .number, "Degrees north."),
            .optional("atMs", .integer, "When."),
            .optional("share", .boolean, "Whether the card is sent."),
            .optional("size", .choice(["small", "big"]), "The dog's size."),
            .optional("keywords", .texts, "One or two words."),
        ],
        result: .object(["id": .text, "secondsLeft?": .integer]))

    static let list = CommandDeclaration(
        "walk", "list", .query, help: "List walks.",
        parameters: [
            .optional("state", .text, "Only these."), .optional("keywords", .texts, "Words."),
            .optional("near", .number, "Metres."), .optional("open", .boolean, "Only open ones."),
        ],
        result: .object(["requests": .list(.object(["id": .text, "place?": .any]))]))
}
