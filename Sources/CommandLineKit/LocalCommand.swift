public import Contract

/// A command that the command line performs itself.
public enum LocalCommand: String, CaseIterable, Sendable {
    case initialise = "init"
    case node
    case doctor
    case watch
    case backup
    case restore
    case export
    case completion
    case help

    /// The declaration, for the command line and its help.
    public var declaration: CommandDeclaration {
        switch self {
        case .initialise:
            command(
                "Create your identity on this device and show its recovery words, once.",
                result: .object([
                    .init("person", .text), .init("device", .text),
                    .init("recoveryWords", .list(.text)),
                ]))
        case .node:
            command(
                "Run the node in the foreground until it is stopped.",
                parameters: [
                    .optional(
                        "listenPort", .integer, "The TCP port for other nodes; any by default."),
                    .optional(
                        "interfacesIgnore", .list(.text),
                        "Network interfaces to leave out, as patterns like 'docker*'."),
                    .optional(
                        "avahi", .boolean, "Whether to find people by Avahi; yes by default."),
                    .optional("verbose", .boolean, "Whether to log every step."),
                ])
        case .doctor:
            command(
                "Show why people do not find each other, and how to fix it.",
                parameters: [
                    .optional(
                        "listenPort", .integer,
                        "The TCP port to check while no node runs.")
                ],
                result: .object([
                    .init(
                        "checks",
                        .list(
                            .object([
                                .init("id", .text), .init("state", .text), .init("finding", .text),
                                .init(
                                    "fix",
                                    .object([
                                        .init("advice", .text),
                                        .init("command", .text, isRequired: false),
                                    ]), isRequired: false),
                            ])))
                ]))
        case .watch:
            command(
                "Print what changes as it happens, until Ctrl-C.",
                parameters: [
                    .optional("topics", .list(.text), "Only these topics.", positional: true)
                ],
                result: .object([.init("topic", .text), .init("payload", .any)]))
        case .backup:
            command(
                "Write a backup of everything, with this device's key, to a new file.",
                parameters: [.required("file", .text, "The file to create.", positional: true)],
                result: .object([
                    .init("file", .text), .init("bytes", .integer), .init("person", .text),
                ]))
        case .restore:
            command(
                "Restore a backup into an empty home.",
                parameters: [.required("file", .text, "The backup.", positional: true)],
                result: .object([
                    .init("person", .text), .init("device", .text), .init("home", .text),
                ]))
        case .export:
            command(
                "Write everything readable as JSON, to a new file or the standard output.",
                parameters: [.optional("file", .text, "The file to create.", positional: true)],
                result: .object([
                    .init("file", .text), .init("spaces", .integer), .init("records", .integer),
                ]))
        case .completion:
            command(
                "Print the completion script of a shell.",
                parameters: [
                    .required(
                        "shell", .text(.choice(Shell.allCases.map(\.rawValue))), "The shell.",
                        positional: true)
                ])
        case .help:
            command(
                "Show all commands, or one of them in full.",
                parameters: [
                    .optional("command", .list(.text), "The command's words.", positional: true)
                ])
        }
    }

    /// The declarations, in the order of the help.
    public static let declarations = allCases.map(\.declaration)

    private func command(
        _ help: String, parameters: [Parameter] = [], result: Schema = .done
    ) -> CommandDeclaration {
        CommandDeclaration(
            rawValue, "", .action, help: help, parameters: parameters, result: result)
    }
}
