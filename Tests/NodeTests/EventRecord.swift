import ControlAPI
import ControlClient
import NodeTestSupport
import PluginKit
import Synchronization
import Testing

@testable import Node

/// The events of real nodes: each is checked against its declaration.
final class EventRecord: Sendable {
    private let declarations: [EventDeclaration]
    private let topics = Mutex<Set<String>>([])

    /// An empty record.
    /// - Parameter declarations: the events of which none may be missing at the end.
    init(of declarations: [EventDeclaration]) {
        self.declarations = declarations
    }

    /// Records the events of a node until the returned task is cancelled or the node stops.
    func follow(_ node: RunningNode) -> Task<Void, any Error> {
        let events = node.client.events()
        return Task { for try await event in events { record(event) } }
    }

    private func record(_ event: NodeEvent) {
        let declared = EventCatalogue.declarations.first { $0.topic == event.topic }
        guard let declared, let body = event.payload else {
            Issue.record("\(event.topic) is not declared, or its body is no JSON")
            return
        }
        do throws(CommandFault) {
            try declared.body.check(body, field: event.topic)
        } catch {
            Issue.record("\(error.sentence): \(body.jsonText())")
        }
        _ = topics.withLock { $0.insert(event.topic) }
    }

    /// The declared topics of which no event came.
    var missingTopics: Set<String> {
        Set(declarations.map(\.topic)).subtracting(topics.withLock { $0 })
    }
}
