import NIOCore
import Synchronization

/// The connections that one call of `dial` makes, so that it can be cancelled at any time.
///
/// A name with several addresses makes several connections; the first one that opens is kept.
final class DialAttempt: Sendable {
    private struct State {
        var isCancelled = false
        var links: [(channel: any Channel, established: EventLoopFuture<Link>)] = []
    }

    private let state = Mutex(State())

    /// Whether the caller cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Records a connection that is being opened; closes it if the caller has cancelled.
    func add(_ channel: any Channel, _ established: EventLoopFuture<Link>) {
        let isCancelled = state.withLock { state in
            state.links.append((channel, established))
            return state.isCancelled
        }
        if isCancelled { channel.close(promise: nil) }
    }

    /// Returns the link that is being made over a connection.
    func link(over channel: any Channel) -> EventLoopFuture<Link>? {
        state.withLock { $0.links.first { $0.channel === channel }?.established }
    }

    /// Cancels the attempt and closes all its connections.
    func cancel() {
        let channels = state.withLock { state in
            state.isCancelled = true
            return state.links.map(\.channel)
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
