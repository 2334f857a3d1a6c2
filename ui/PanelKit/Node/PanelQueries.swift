public import ControlAPI

/// The queries of a panel, as the window sees them.
@MainActor
public protocol PanelQueries: AnyObject {
    /// The topics of the events that make an answer stale.
    var topics: Set<String> { get }
    /// Repeats the queries that an event made stale: all if a stream begins or events were lost.
    func receive(_ event: NodeEvent)
    /// Waits until no answer is stale.
    func settle() async
}
