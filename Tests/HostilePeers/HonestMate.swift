import ControlAPI
import NodeTestSupport
import PluginKit

/// Another mate of the victim, whose messages must arrive while the victim is attacked.
struct HonestMate {
    let node: RunningNode
    private let victim: RunningNode

    /// Starts a node whose person becomes a mate of the victim.
    static func of(_ victim: RunningNode) async throws -> HonestMate {
        let node = try await RunningNode.start()
        try await node.perform("me", "edit", Meeting.profile("Eve", dog: "Zoe"))
        try await node.perform("peer", "add", ["address": .string(victim.address)])
        _ = try await node.wait(for: "nearby", "list") { $0["people"]?.array?.count == 1 }
        try await Meeting(one: victim, other: node).drop()
        return HonestMate(node: node, victim: victim)
    }

    /// Sends the victim a chat message and waits until it has arrived.
    /// - Throws: ``CommandFault/timedOut(_:)`` after 20 s.
    func message(_ text: String) async throws {
        try await node.perform(
            "chat", "send", ["room": .string(try await victim.person), "text": .string(text)])
        let room = JSONValue.string(try await node.person)
        _ = try await victim.wait(for: "chat", "page", ["room": room]) { answer in
            answer["messages"]?.array?.contains { $0["text"]?.string == text } == true
        }
    }
}
