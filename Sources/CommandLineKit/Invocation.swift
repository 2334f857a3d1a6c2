public import Contract

/// A parsed command line, checked against the table.
public struct Invocation: Hashable, Sendable {
    /// The purpose of the call.
    public let purpose: Purpose
    /// The options that every command has.
    public let options: CommonOptions

    /// The purposes that a call may have.
    public enum Purpose: Hashable, Sendable {
        case run(CommandTable.Entry, Arguments)
        /// Show help on these words, or on all commands if there are none.
        case help([String])
        case version
    }
}

/// The options that every command has.
public struct CommonOptions: Hashable, Sendable {
    /// Whether results and errors are written as JSON.
    public var isJSON = false
    /// One directory for everything, instead of the XDG ones.
    public var home: String?
    /// Whether a query is repeated whenever its answer may have changed.
    public var follows = false
    /// The time limit for the node's answer.
    public var timeout = Duration.seconds(30)

    /// The declarations of these options, for help and completion.
    static let parameters: [Parameter] = [
        .optional("json", .boolean, "Write the result, or the error, as JSON."),
        .optional(
            "follow", .boolean,
            "Repeat a query whenever its answer changes, until Ctrl-C."),
        .optional("home", .text, "Store all data in this directory."),
        .optional(
            "timeout", .number(0.001...86_400),
            "Seconds to wait for an answer; 30 by default."),
        .optional("help", .boolean, "Show help."),
        .optional("version", .boolean, "Show the version."),
    ]
}

extension Parameter {
    /// The option of the command line, as in `--listen-port`.
    var option: String { "--" + kebabName }

    /// Whether the value is a moment, which the command line reads in words.
    var isMoment: Bool { schema == Timestamp.schema }

    /// The name in lower case with hyphens between words. That of a moment has no unit: `at`.
    var kebabName: String {
        let name = isMoment && name.hasSuffix("Ms") ? name.dropLast(2) : name[...]
        return name.reduce(into: "") { text, character in
            if character.isUppercase { text += "-" }
            text += character.lowercased()
        }
    }

    /// The placeholder of the value in help, as in `PEER` or `TOPICS…`.
    var placeholder: String { kebabName.uppercased() + (isList ? "…" : "") }
}
