package import ControlAPI
internal import PluginHost
package import PluginKit

/// The node as the local API sees it.
package struct NodeService: CommandService {
    let node: Node

    /// Creates a service for the commands of a node.
    package init(node: Node) { self.node = node }

    package var declarations: [CommandDeclaration] {
        CommandCatalogue.declarations(of: node.host.catalogue)
    }

    package var eventDeclarations: [EventDeclaration] {
        EventCatalogue.declarations(of: node.host.catalogue)
    }

    package func perform(
        _ declaration: CommandDeclaration, _ arguments: Arguments
    ) async throws -> JSONValue {
        if let own = Node.commands.first(where: { $0.declaration.route == declaration.route }) {
            return try await own.perform(node, arguments)
        }
        if let answer = try await node.host.perform(declaration, arguments) { return answer }
        throw CommandFault.refused(
            "'\(declaration.noun) \(declaration.verb)' belongs to a plugin that is disabled")
    }

    package func events() async -> AsyncStream<NodeEvent> { node.events.follow() }
}
