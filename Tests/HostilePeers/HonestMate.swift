import ChatAPI
import ControlAPI
import FeaturesAPI
import NodeAPI
import NodeTestSupport
import PluginKit
import TestSupport

/// Another mate of the victim, whose messages must arrive while the victim is attacked.
struct HonestMate {
    let node: RunningNode
    private let victim: RunningNode

    /// Starts a node whose person becomes a mate of the victim.
    static func of(_ victim: RunningNode) async throws -> HonestMate {
        let node = try await RunningNode.start()
        try await node.call(ProfileCommands.edit, Meeting.profile("Eve", dog: "Zoe"))
        try await node.dial(victim)
        try await node.wait(for: NearbyCommands.list) { $0.people.count == 1 }
        try await Meeting(one: victim, other: node).drop()
        return HonestMate(node: node, victim: victim)
    }

    /// Sends the victim a chat message and waits until it has arrived. The victim may be merging a
    /// long space just then, which takes a busy machine many seconds.
    /// - Throws: ``CommandFault/timedOut(_:)`` after a minute.
    func message(_ text: String) async throws {
        try await node.call(
            ChatCommands.send, .init(room: NameOrKey(victim.person), text: MessageText(text)))
        try await victim.wait(
            for: ChatCommands.page, .init(room: NameOrKey(node.person)), within: .seconds(60)
        ) { page in
            page.messages.contains { $0.text == text }
        }
    }
}
