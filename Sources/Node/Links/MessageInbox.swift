internal import Sync
internal import Synchronization

/// What arrived on one link, between the loop that reads and decodes frames and the one that acts
/// on them. That one takes all that waits at once, so that a stream of batches is merged in few
/// transactions, while the next frames are decoded on another core.
final class MessageInbox: Sendable {
    /// One frame, decoded.
    enum Item: Sendable {
        case message(Message)
        /// The frame was none.
        case broken(any Error)
    }

    /// Bytes of frames that may wait; the reader waits then, and with it the peer.
    static let bytesMax = 2 * 1024 * 1024
    /// What a message takes beside its frame's bytes, about, so that very short ones count too.
    private static let itemBytes = 128

    private struct State {
        var items: [Item] = []
        var bytes = 0
        var isFinished = false
        var taker: CheckedContinuation<Void, Never>?
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Puts one frame in, then waits while too much waits. Once the inbox is finished, what comes
    /// is dropped.
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

    /// Takes all that waits, waiting for something; nil once the inbox is finished and empty.
    func take() async -> [Item]? {
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

    /// Nothing more comes, or nothing more is wanted.
    func finish() {
        let (taker, reader) = state.withLock { state in
            state.isFinished = true
            return (state.taker.take(), state.reader.take())
        }
        taker?.resume()
        reader?.resume()
    }
}
