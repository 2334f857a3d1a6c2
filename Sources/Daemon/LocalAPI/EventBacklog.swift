import ControlAPI
import Synchronization

/// The events that wait for one listener: a bounded queue that drops its oldest and counts them.
final class EventBacklog: Sendable {
    /// An entry in the queue.
    enum Entry: Sendable {
        case event(NodeEvent)
        case heartbeat
    }

    /// The entries in order, for one reader.
    let entries: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation
    private let lostCount = Mutex(0)

    init(limit: Int = APILimits.eventsWaitingMax) {
        (entries, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
    }

    func add(_ entry: Entry) {
        guard case .dropped(.event) = continuation.yield(entry) else { return }
        lostCount.withLock { $0 += 1 }
    }

    func finish() {
        continuation.finish()
    }

    /// Returns how many events were dropped since the last call.
    func removeLostCount() -> Int {
        lostCount.withLock { count in
            defer { count = 0 }
            return count
        }
    }
}
