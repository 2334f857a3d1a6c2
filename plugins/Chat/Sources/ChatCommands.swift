public import PluginKit

extension Chat {
    private static let room = Parameter.required(
        "room", .text, "A mate's key or a room's id, or six or more of its first digits.",
        positional: true)
    private static let limit = Parameter.optional(
        "limit", .integer, "How many messages, 1 to 100; 50 if not said.")

    /// What people and programs can do with the chat.
    public static let commands = [
        Command(
            CommandDeclaration(
                "chat", "rooms", .query, help: "Lists the rooms, the one spoken in last first.",
                result: .object(["rooms": .list(Room.shape), "unread": .integer])),
            of: Chat.self
        ) { chat, _ in try await chat.listRooms() },
        Command(
            CommandDeclaration(
                "chat", "open", .action,
                help: "Shows the newest messages of a room, which are read then.",
                parameters: [
                    room, limit,
                    .optional("mark", .boolean, "Whether they are read then; they are if not said."),
                ], result: pageShape),
            of: Chat.self
        ) { chat, arguments in
            try await chat.open(
                arguments.text("room"), count: arguments["limit"]?.integer.map(Int.init(clamping:)),
                marks: arguments["mark"]?.boolean ?? true)
        },
        Command(
            CommandDeclaration(
                "chat", "page", .query, help: "Shows a page of a room; what is unread stays so.",
                parameters: [
                    room,
                    .optional("before", .text, "Older messages than at this place of a page."),
                    .optional("after", .text, "Newer messages than at this place of a page."),
                    .optional("around", .text, "Messages on both sides of this place, and it."),
                    limit,
                ], result: pageShape),
            of: Chat.self
        ) { try await $0.showPage($1) },
        Command(
            CommandDeclaration(
                "chat", "send", .action, help: "Writes a message to a room.",
                parameters: [
                    room,
                    .required("text", .text, "1 to 2000 characters.", positional: true),
                ], result: Message.shape),
            of: Chat.self
        ) { try await $0.send($1.text("text"), to: $1.text("room")) },
        Command(
            CommandDeclaration(
                "chat", "delete", .action,
                help: "Deletes a message for yourself, or one of your own for everybody.",
                parameters: [
                    .required("id", .text, "The message, 32 hexadecimal digits.", positional: true),
                    .optional("forEveryone", .boolean, "Whether its text goes everywhere."),
                ], result: .done),
            of: Chat.self
        ) {
            try await $0.delete(
                $1.text("id"), forEveryone: $1["forEveryone"]?.boolean ?? false)
        },
        Command(
            CommandDeclaration(
                "chat", "search", .query,
                help: "Finds messages with all these words or parts of words, the newest first.",
                parameters: [
                    .required("text", .text, "1 to 100 characters.", positional: true),
                    .optional("room", .text, "One room; all of them if not said."),
                    .optional("before", .text, "Goes on where an answer ended."), limit,
                ], result: searchShape),
            of: Chat.self
        ) { try await $0.search($1) },
        Command(
            CommandDeclaration(
                "chat", "follow", .query, help: "Shows messages as they come, of one room or all.",
                parameters: [
                    .optional(
                        "room", .text, "One room; all of them if not said.", positional: true),
                    .optional("after", .text, "Goes on where an answer ended."),
                ],
                result: .object(["messages": .list(PlacedMessage.shape), "after": .text]),
                follows: [topic]),
            of: Chat.self
        ) { try await $0.follow($1["room"]?.string, after: $1["after"]?.string) },
    ]
}
