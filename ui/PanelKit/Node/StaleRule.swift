public import Contract
import ControlAPI

/// An event of the node, and the queries whose answers it makes stale.
///
/// The condition reads the event's body, and may read what the panel shows now. If it is false, the
/// rule's queries are not repeated:
///
/// ```swift
/// .after(ChatEvents.changed, .newest) { [weak self] in self?.isOpen($0.room) ?? false }
/// ```
public struct StaleRule<Query: Sendable> {
    /// The topic of the event.
    public let topic: String
    private let queries: [Query]
    private let isStale: @MainActor (NodeEvent) -> Bool

    /// Names the queries that an event makes stale, if its body fulfils a condition. If the body
    /// cannot be read, they are stale.
    public static func after<Body>(
        _ event: Event<Body>, _ queries: Query...,
        if isStale: @escaping @MainActor (Body) -> Bool = { _ in true }
    ) -> StaleRule {
        StaleRule(topic: event.topic, queries: queries) { received in
            received.body(of: event).map(isStale) ?? true
        }
    }

    /// Returns the queries that an event makes stale.
    @MainActor
    func stale(after event: NodeEvent) -> [Query] {
        event.topic == topic && isStale(event) ? queries : []
    }
}
