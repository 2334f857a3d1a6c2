internal import Sync
internal import Synchronization

/// The received messages of one link, between the task that reads and decodes frames and the task
/// that handles them. The latter takes all waiting messages at once, so that a stream of batches is
/// merged in few transactions, while the next frames are decoded on another core.
final class MessageInbox: Sendable {
    /// One frame, decoded.
    enum Item: Sendable {
        case message(Message)
        /// The frame could not be decoded.
        case broken(any Error)
    }

    /// The maximum bytes of frames in the inbox; above that the reader waits, and with it the peer.
    static let bytesMax = 2 * 1024 * 1024
    /// The approximate memory of a message beyond its frame's bytes, so that very short ones count
    /// too.
    private static let itemBytes = 128

    private struct State {
        var items: [Item] = []
        var bytes = 0
        var isFinished = false
        var taker: CheckedContinuation<Void, Never>?
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Adds one frame, then waits while the inbox is over its limit. After the inbox is finished,
    /// frames are dropped.
    func put(_ item: Item, bytes: Int) async {
        let taker = state.withLock { state in
            guard !state.isFinished else { return CheckedContinuation<Void, Never>?.none }
            state.items.append(item)
            state.bytes += bytes + MessageInbox.itemBytes
            return state.taker.take()
        }
        taker?.resume()
        await withCheckedContinuation { continuation in
            let mayGoOn = state.withLock { state in
                guard state.bytes >= MessageInbox.bytesMax, !state.isFinished else { return true }
                state.reader = continuation
                return false
            }
            if mayGoOn { continuation.resume() }
        }
    }

    /// Removes and returns all waiting messages, and waits if there are none; nil once the inbox is
    /// finished and empty.
    func drain() async -> [Item]? {
        await withCheckedContinuation { continuation in
            let mayGoOn = state.withLock { state in
                guard state.items.isEmpty, !state.isFinished else { return true }
                state.taker = continuation
                return false
            }
            if mayGoOn { continuation.resume() }
        }
        let (items, reader) = state.withLock { state in
            defer { (state.items, state.bytes) = ([], 0) }
            return (state.items, state.reader.take())
        }
        reader?.resume()
        return items.isEmpty ? nil : items
    }

    /// Marks the inbox as finished: no more messages arrive, or none are wanted.
    func finish() {
        let (taker, reader) = state.withLock { state in
            state.isFinished = true
            return (state.taker.take(), state.reader.take())
        }
        taker?.resume()
        reader?.resume()
    }
}
