internal import PluginKit

extension Neighbours {
    private static let groupID = Parameter.required(
        "group", .text, "The group's id, or six or more of its first digits.", positional: true)
    private static let groupResult = Shape.object(groupMembers)

    static let groupCommands =
        [
            Command(
                CommandDeclaration(
                    "group", "create", .action, help: "Begins a group that I own.",
                    parameters: [
                        .required(
                            "name", .text, "What it is called, 1 to 40 characters.",
                            positional: true)
                    ], result: groupResult),
                of: Neighbours.self
            ) { try await $0.createGroup($1.text("name")) },
            Command(
                CommandDeclaration(
                    "group", "list", .query, help: "Lists my groups and how I stand with each.",
                    result: .object(["groups": .list(groupResult)])),
                of: Neighbours.self
            ) { neighbours, _ in try await neighbours.listGroups() },
            Command(
                CommandDeclaration(
                    "group", "show", .query, help: "Shows who is in a group, and its notes.",
                    parameters: [groupID], result: groupShape),
                of: Neighbours.self
            ) { try await $0.showGroup($1.text("group")) },
            Command(
                CommandDeclaration(
                    "group", "note", .action, help: "Writes a note to everybody in a group.",
                    parameters: [
                        groupID,
                        .required(
                            "text", .text, "One line of 1 to 300 characters.", positional: true),
                    ], result: .object(["id": .text])),
                of: Neighbours.self
            ) { try await $0.note($1.text("text"), in: $1.text("group")) },
            Command(
                CommandDeclaration(
                    "group", "erase", .action,
                    help: "Erases a note of mine, at everybody in the group.",
                    parameters: [
                        groupID,
                        .required(
                            "note", .text, "The note's id, 32 hexadecimal digits.",
                            positional: true),
                    ], result: .done),
                of: Neighbours.self
            ) { try await $0.eraseNote($1.text("note"), in: $1.text("group")) },
        ] + membershipCommands

    private static let membershipCommands = [
        Command(
            CommandDeclaration(
                "group", "invite", .action,
                help: "Invites a mate to a group that I own, or changes what they may do in it.",
                parameters: [
                    groupID,
                    .required(
                        "person", .text, "The mate's key, or six or more of its first digits.",
                        positional: true),
                    .optional(
                        "role", .choice(Role.allCases.map(\.word)),
                        "What they may do: read, also write, or also invite and remove; without "
                            + "it they may write."),
                ], result: groupResult),
            of: Neighbours.self
        ) {
            try await $0.invite(
                $1.text("person"), to: $1.text("group"), as: $1["role"]?.string)
        },
        Command(
            CommandDeclaration(
                "group", "accept", .action, help: "Accepts an invitation to a group.",
                parameters: [groupID], result: groupResult),
            of: Neighbours.self
        ) { try await $0.acceptGroup($1.text("group")) },
        Command(
            CommandDeclaration(
                "group", "decline", .action, help: "Declines an invitation to a group.",
                parameters: [groupID], result: groupResult),
            of: Neighbours.self
        ) { try await $0.leaveGroup($1.text("group"), from: .invited) },
        Command(
            CommandDeclaration(
                "group", "leave", .action,
                help: "Takes me out of a group; what I wrote there stays.",
                parameters: [groupID], result: groupResult),
            of: Neighbours.self
        ) { try await $0.leaveGroup($1.text("group"), from: .member) },
        Command(
            CommandDeclaration(
                "group", "remove", .action,
                help: "Removes a person from a group that I own; what they read stays read.",
                parameters: [
                    groupID,
                    .required(
                        "person", .text, "Their key, or six or more of its first digits.",
                        positional: true),
                ], result: .object(["group": groupResult, "hint": .text])),
            of: Neighbours.self
        ) { try await $0.removeFromGroup($1.text("person"), $1.text("group")) },
    ]
}
