internal import PluginKit

/// The result of a command.
enum Answer<Value: Sendable>: Sendable {
    case done(Value)
    /// The command was refused for this reason.
    case refused(CommandFault)
    /// The node ended before it answered.
    case unknown

    /// The answer of a successful command.
    var value: Value? { if case .done(let value) = self { value } else { nil } }
}
