public import PluginKit

/// What a command line asks for, checked against the table.
public struct Invocation: Hashable, Sendable {
    /// What is to be done.
    public let purpose: Purpose
    /// How it is to be done.
    public let options: CommonOptions

    /// What a command line may ask for.
    public enum Purpose: Hashable, Sendable {
        case run(CommandTable.Entry, Arguments)
        /// Show help on these words; all commands where there are none.
        case help([String])
        case version
    }
}

/// The options that every command takes.
public struct CommonOptions: Hashable, Sendable {
    /// Whether results and errors are written as JSON.
    public var isJSON = false
    /// The directory of everything, instead of the XDG ones.
    public var home: String?
    /// How long the node's answer may take.
    public var timeout = Duration.seconds(30)

    /// The options' own declarations, for help and completion.
    static let parameters: [Parameter] = [
        .optional("json", .boolean, "Write the result, or the error, as JSON."),
        .optional("home", .text, "Keep everything of the node in this directory."),
        .optional("timeout", .number, "Seconds to wait for the node's answer; 30 by default."),
        .optional("help", .boolean, "Show help."),
        .optional("version", .boolean, "Show the version."),
    ]
}

extension Parameter {
    /// The option of the command line, as in `--listen-port`.
    var option: String { "--" + kebabName }

    /// The name in lower case with hyphens between words.
    var kebabName: String {
        name.reduce(into: "") { text, character in
            if character.isUppercase { text += "-" }
            text += character.lowercased()
        }
    }

    /// How help writes the value's place, as in `PEER` or `TOPICS…`.
    var placeholder: String { kebabName.uppercased() + (type == .texts ? "…" : "") }
}
