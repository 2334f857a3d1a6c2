internal import PluginKit
internal import Synchronization

/// Leads from a plugin's services to the node, which is made after them.
final class NodeReference: Sendable {
    private let node = Mutex<Node?>(nil)
    let host: PluginHost
    let events: EventHub

    init(host: PluginHost, events: EventHub) {
        self.host = host
        self.events = events
    }

    /// Names the node; once, before any plugin runs.
    func set(_ node: Node) { self.node.withLock { $0 = node } }

    /// The node, or nil before it is there.
    var optional: Node? { node.withLock { $0 } }

    /// The node.
    /// - Throws: ``CommandFault/failed(_:)`` where a plugin asks before the node is there.
    func get() throws -> Node {
        guard let node = optional else { throw CommandFault.failed("the node is still starting") }
        return node
    }
}
