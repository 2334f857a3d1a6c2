internal import ControlAPI
internal import PluginKit
internal import Synchronization

/// Sends events to all followers of the node. A slow follower loses the oldest events and delays no
/// other follower.
final class EventHub: Sendable {
    /// The maximum number of events that wait for one follower.
    static let waitingMax = 256

    private struct State {
        var next = 0
        var followers: [Int: AsyncStream<NodeEvent>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Publishes an event to all followers.
    func publish(_ message: EventMessage) {
        let event = NodeEvent(message)
        let followers = state.withLock { Array($0.followers.values) }
        for follower in followers { follower.yield(event) }
    }

    /// Publishes an event of the node itself.
    func publish<Body>(_ event: Event<Body>, _ body: Body) { publish(EventMessage(event, body)) }

    /// Returns the events from now on, until ``finish()``.
    func follow() -> AsyncStream<NodeEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NodeEvent.self, bufferingPolicy: .bufferingNewest(EventHub.waitingMax))
        let number = state.withLock { state in
            state.next += 1
            state.followers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.followers[number] = nil }
        }
        return stream
    }

    /// Ends every stream.
    func finish() {
        let followers = state.withLock { state in
            defer { state.followers = [:] }
            return Array(state.followers.values)
        }
        for follower in followers { follower.finish() }
    }
}
