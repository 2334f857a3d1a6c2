internal import PluginKit

/// What came of a command.
enum Answer: Sendable {
    case done(JSONValue)
    /// Nothing was done, for this reason.
    case refused(CommandFault)
    /// The node was gone before it said.
    case unknown

    /// What a command that was done said.
    var value: JSONValue? { if case .done(let value) = self { value } else { nil } }
}
