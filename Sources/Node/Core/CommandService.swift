public import ControlAPI
public import PluginKit

/// The commands and events that the local API serves.
public protocol CommandService: Sendable {
    /// Every command that can be performed; each is one route.
    var declarations: [CommandDeclaration] { get }

    /// Every event that may be published.
    var eventDeclarations: [EventDeclaration] { get }

    /// Performs a command whose arguments were checked against its declaration.
    /// - Throws: ``CommandFault``; any other error is reported as a failure.
    func perform(
        _ declaration: CommandDeclaration, _ arguments: Arguments
    ) async throws -> JSONValue

    /// Returns the events from now on, for one listener. The stream ends when the node stops; it
    /// must be bounded, since a listener may be slow.
    func events() async -> AsyncStream<NodeEvent>
}
