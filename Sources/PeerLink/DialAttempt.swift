import NIOCore
import Synchronization

/// The connections one call of `dial` is making, so that it can be cancelled at any moment.
///
/// A name with several addresses makes several connections, of which the first that opens is kept.
final class DialAttempt: Sendable {
    private struct State {
        var isCancelled = false
        var links: [(channel: any Channel, established: EventLoopFuture<Link>)] = []
    }

    private let state = Mutex(State())

    /// Whether the caller gave up.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Notes a connection that is being made; closes it where the caller gave up already.
    func began(_ channel: any Channel, _ established: EventLoopFuture<Link>) {
        let isCancelled = state.withLock { state in
            state.links.append((channel, established))
            return state.isCancelled
        }
        if isCancelled { channel.close(promise: nil) }
    }

    /// The link that is being made over a connection.
    func link(over channel: any Channel) -> EventLoopFuture<Link>? {
        state.withLock { $0.links.first { $0.channel === channel }?.established }
    }

    /// The caller gives up: closes every connection.
    func cancel() {
        let channels = state.withLock { state in
            state.isCancelled = true
            return state.links.map(\.channel)
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
