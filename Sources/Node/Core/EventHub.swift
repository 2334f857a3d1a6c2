internal import ControlAPI
internal import PluginKit
internal import Synchronization

/// Hands events to all who follow the node. A slow follower loses the oldest, and no other waits
/// for it.
final class EventHub: Sendable {
    /// Events that wait for one follower, at most.
    static let waitingMax = 256

    private struct State {
        var next = 0
        var followers: [Int: AsyncStream<NodeEvent>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Tells everyone.
    func publish(_ topic: String, _ payload: JSONValue) {
        let event = NodeEvent(topic: topic, payload: payload)
        let followers = state.withLock { Array($0.followers.values) }
        for follower in followers { follower.yield(event) }
    }

    /// The events from now on, until ``finish()``.
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
