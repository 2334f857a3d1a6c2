import CommandLineKit
import Contract

/// Commands that represent those of a node in these tests.
enum SampleTable {
    static let declarations: [CommandDeclaration] = [
        CommandDeclaration(
            "status", "show", .query, help: "Show this node.",
            result: .object([.init("port", .integer)])),
        CommandDeclaration(
            "peer", "add", .action, help: "Dial an address.",
            parameters: [.required("address", .text, "host:port", positional: true)],
            result: .done),
        CommandDeclaration(
            "peer", "remove", .action, aliases: ["forget"], help: "Forget an address.",
            result: .done),
        CommandDeclaration(
            "verify", "run", .query, help: "Compare with a peer.",
            parameters: [.optional("peer", .text, "Whom.", positional: true)],
            result: .object([.init("equal", .boolean)])),
        CommandDeclaration(
            "walk", "ask", .action, help: "Ask a mate for a walk.",
            parameters: [
                .required("to", .text, "The mate.", positional: true),
                .required("latitude", .number(nil), "Degrees north."),
                .optional("message", .text, "What to say."),
                .optional("atMs", Timestamp.schema, "When."),
                .optional("count", .integer, "How many."),
                .optional("share", .boolean, "Whether the card is sent."),
                .optional("size", .text(.choice(["small", "big"])), "The dog's size."),
                .optional("keywords", .list(.text), "One or two words."),
            ],
            result: .object([
                .init("id", .text), .init("requests", .list(.object([.init("id", .text)]))),
            ])),
        CommandDeclaration("walk", "list", .query, help: "List walks.", result: .list(.any)),
        CommandDeclaration(
            "chat", "open", .query, help: "Open a room.",
            parameters: [.required("room", .text, "Which.", positional: true)], result: .any),
        CommandDeclaration("chat", "rooms", .query, help: "List rooms.", result: .any),
        CommandDeclaration("drop", "show", .query, help: "Show the drop.", result: .any),
        CommandDeclaration("drop", "start", .action, help: "Press drop.", result: .done),
        CommandDeclaration("doctor", "run", .query, help: "Asked by doctor.", result: .any),
        CommandDeclaration("stop", "run", .action, help: "Stop at once.", result: .done),
        CommandDeclaration("node", "stop", .action, help: "Stop the node.", result: .done),
    ]

    /// The body of the events about walks.
    struct WalkNews: EventBody {}

    static let table = CommandTable(
        node: declarations,
        events: [Event<WalkNews>("walk", help: "A walk changed.").declaration])
}
