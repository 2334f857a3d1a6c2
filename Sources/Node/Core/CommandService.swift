public import ControlAPI
public import PluginKit

/// What stands behind the local API: commands that are declared, and events.
public protocol CommandService: Sendable {
    /// Every command that can be performed; each is one route.
    var declarations: [CommandDeclaration] { get }

    /// Performs a command whose arguments were checked against its declaration.
    /// - Throws: ``CommandFault``; anything else is told as a failure.
    func perform(
        _ declaration: CommandDeclaration, _ arguments: Arguments
    ) async throws -> JSONValue

    /// What changes from the moment this returns, for one listener. The stream ends when the node
    /// stops; it must be bounded, since a listener may be slow.
    func events() async -> AsyncStream<NodeEvent>
}
