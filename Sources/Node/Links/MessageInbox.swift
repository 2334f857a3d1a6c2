internal import Links
internal import Records
internal import Sync
internal import Synchronization

/// The received messages of one link, between the task that reads and decodes frames and the task
/// that handles them. The latter removes all waiting messages at once, so that a stream of batches
/// is merged in few transactions, while the next frames are decoded on another core.
final class MessageInbox: Sendable {
    /// One frame, decoded.
    enum Item: Sendable {
        case message(Message)
        /// A PUSH on a channel that names nothing shared. It was not decoded.
        case unshared(channel: UInt64)
        /// A piece of a neighbourhood that was not asked for. It was not decoded.
        case unasked
        /// The frame could not be decoded.
        case broken(any Error)

        /// The approximate memory of the item, in bytes.
        var memoryBytes: Int {
            switch self {
            case .message(let message): message.memoryBytes
            case .unshared, .unasked, .broken: 0
            }
        }
    }

    /// The approximate memory of an item beyond its message, in bytes, so that very short ones
    /// count too.
    private static let itemBytes = 128
    /// The memory that is reserved for each byte of a frame while it is decoded, in bytes: a byte
    /// may become an operation of 64 bytes.
    private static let decodedBytesPerByte = 64

    private struct State {
        var items: [Item] = []
        /// The bytes of the messages that wait or are being handled.
        var bytes = 0
        var handledBytes = 0
        var isFinished = false
        /// The task that handles messages, while it waits for one.
        var waitingHandler: CheckedContinuation<Void, Never>?
        /// The task that reads frames, while it waits until everything before is handled.
        var idler: CheckedContinuation<Void, Never>?

        /// Whether nothing waits or is being handled.
        var isIdle: Bool { items.isEmpty && handledBytes == 0 || isFinished }
    }

    private let room: InboxRoom
    private let person: PersonID
    private let state = Mutex(State())

    /// - Parameters:
    ///   - room: the memory that all links share.
    ///   - person: the peer's person, with whose other links this one shares a part of it.
    init(room: InboxRoom, person: PersonID) {
        (self.room, self.person) = (room, person)
    }

    deinit {
        room.release(state.withLock { $0.bytes }, of: person)
    }

    /// Waits until there is room for a frame, then decodes and adds it. After the inbox is
    /// finished, frames are dropped.
    /// - Parameter wireBytes: the frame's length.
    func add(wireBytes: Int, _ decode: () async -> Item) async {
        let reserved = wireBytes * MessageInbox.decodedBytesPerByte + MessageInbox.itemBytes
        let mayDecode = await room.reserve(reserved, for: person, link: self) {
            state.withLock { $0.isFinished }
        }
        guard mayDecode else { return }
        let item = await decode()
        let bytes = item.memoryBytes + MessageInbox.itemBytes
        let (isAdded, waitingHandler) = state.withLock { state in
            guard !state.isFinished else { return (false, CheckedContinuation<Void, Never>?.none) }
            state.items.append(item)
            state.bytes += bytes
            return (true, state.waitingHandler.take())
        }
        room.release(isAdded ? reserved - bytes : reserved, of: person)
        waitingHandler?.resume()
    }

    /// Waits until all messages were handled, or the inbox is finished.
    func idle() async {
        await withCheckedContinuation { continuation in
            let mayGoOn = state.withLock { state in
                guard !state.isIdle else { return true }
                state.idler = continuation
                return false
            }
            if mayGoOn { continuation.resume() }
        }
    }

    /// Removes and returns all waiting messages, and waits if there are none; nil once the inbox is
    /// finished and empty. The messages that were returned before count as handled.
    func drain() async -> (items: [Item], memoryBytes: Int)? {
        let (handledBytes, idler) = state.withLock { state in
            let handledBytes = state.handledBytes
            state.bytes -= handledBytes
            state.handledBytes = 0
            return (handledBytes, state.isIdle ? state.idler.take() : nil)
        }
        room.release(handledBytes, of: person)
        idler?.resume()
        await withCheckedContinuation { continuation in
            let mayGoOn = state.withLock { state in
                guard state.items.isEmpty, !state.isFinished else { return true }
                state.waitingHandler = continuation
                return false
            }
            if mayGoOn { continuation.resume() }
        }
        let removed = state.withLock { state in
            defer { (state.items, state.handledBytes) = ([], state.bytes) }
            return (items: state.items, memoryBytes: state.bytes)
        }
        return removed.items.isEmpty ? nil : removed
    }

    /// Marks the inbox as finished: no more messages arrive, or none are wanted.
    func finish() {
        let (waitingHandler, idler) = state.withLock { state in
            state.isFinished = true
            return (state.waitingHandler.take(), state.idler.take())
        }
        waitingHandler?.resume()
        idler?.resume()
        room.withdraw(self)
    }
}
