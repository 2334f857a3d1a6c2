internal import Links
internal import Sync
internal import Synchronization

/// The received messages of one link, between the task that reads and decodes frames and the task
/// that handles them. The latter takes all waiting messages at once, so that a stream of batches is
/// merged in few transactions, while the next frames are decoded on another core.
final class MessageInbox: Sendable {
    /// One frame, decoded.
    enum Item: Sendable {
        case message(Message)
        /// A PUSH on a channel that named nothing shared when the frame was read. It is decoded
        /// only if it names a space when its turn comes.
        case undecoded(Frame, channel: UInt64)
        /// The frame could not be decoded.
        case broken(any Error)

        /// The approximate memory of the item, in bytes.
        var memoryBytes: Int {
            switch self {
            case .message(let message): message.memoryBytes
            case .undecoded(let frame, _): frame.wireBytes
            case .broken: 0
            }
        }
    }

    /// The maximum memory of the messages that wait or are being handled, in bytes; above that the
    /// reader waits, and with it the peer.
    static let bytesMax = 32 * 1024 * 1024
    /// The approximate memory of an item beyond its message, in bytes, so that very short ones
    /// count too.
    private static let itemBytes = 128

    private struct State {
        var items: [Item] = []
        /// The bytes of the messages that wait or are being handled.
        var bytes = 0
        var handledBytes = 0
        var isFinished = false
        var taker: CheckedContinuation<Void, Never>?
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Adds one frame, then waits while the inbox is over its limit. After the inbox is finished,
    /// frames are dropped.
    func put(_ item: Item) async {
        let bytes = item.memoryBytes + MessageInbox.itemBytes
        let taker = state.withLock { state in
            guard !state.isFinished else { return CheckedContinuation<Void, Never>?.none }
            state.items.append(item)
            state.bytes += bytes
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
    /// finished and empty. The messages that were returned before count as handled.
    func drain() async -> (items: [Item], memoryBytes: Int)? {
        let reader = state.withLock { state in
            state.bytes -= state.handledBytes
            state.handledBytes = 0
            return state.bytes < MessageInbox.bytesMax ? state.reader.take() : nil
        }
        reader?.resume()
        await withCheckedContinuation { continuation in
            let mayGoOn = state.withLock { state in
                guard state.items.isEmpty, !state.isFinished else { return true }
                state.taker = continuation
                return false
            }
            if mayGoOn { continuation.resume() }
        }
        let taken = state.withLock { state in
            defer { (state.items, state.handledBytes) = ([], state.bytes) }
            return (items: state.items, memoryBytes: state.bytes)
        }
        return taken.items.isEmpty ? nil : taken
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
