internal import Records
internal import Sync
internal import Synchronization

/// The queue of items to send on one link, in order. Batches are queued by name, not by content, so
/// the queue is short even if the peer lacks many. If the queue is full anyway, the link is closed.
final class Outbox: Sendable {
    /// One item to send.
    enum Item: Sendable {
        case message(Message)
        /// The answer to a PING. Answers that follow each other directly replace each other, so a
        /// peer that sends PINGs and never reads costs one item.
        case pong(nonce: UInt64)
        /// The batches of a log that follow the peer's last one, read when the item is sent.
        case log(SpaceID, LogName, after: UInt64, prefix: UInt64, channel: UInt64)
        /// The answer to a question for a piece of a neighbourhood's log, read when its turn comes
        /// and queued then.
        case passing(LogAsk, SpaceID)
        /// The answer to a request for content, read when the item is sent. It is sent only when
        /// nothing else waits.
        case content(ContentRequest, SpaceID?)

        /// The approximate memory of the item, in bytes.
        var memoryBytes: Int {
            switch self {
            case .message(let message): message.memoryBytes
            case .pong, .log, .passing, .content: MemoryLayout<Item>.stride
            }
        }
    }

    /// The maximum number of items in the queue.
    static let itemsMax = 4096
    /// The maximum memory of the items in the queue, in bytes.
    static let bytesMax = 8 * 1024 * 1024

    /// The bytes of all frames sent, including their lengths and types.
    let sentBytes = ByteCount()

    private struct State {
        /// The items from `first` on wait; those before were sent.
        var items: [Item] = []
        var first = 0
        var bytes = 0
        /// The requests for content, of which a link may have few.
        var requests: [(request: ContentRequest, space: SpaceID?)] = []
        var isFinished = false
        var mayReadLogs = true
        var sender: CheckedContinuation<Void, Never>?

        var isEmpty: Bool { first == items.count }
        var count: Int { items.count - first }
    }

    private let state = Mutex(State())

    /// Queues an item.
    /// - Returns: false if the queue is full.
    func put(_ item: Item) -> Bool {
        let (isQueued, sender) = state.withLock { state in
            guard !state.isFinished else { return (true, CheckedContinuation<Void, Never>?.none) }
            if case .pong = item, !state.isEmpty, case .pong? = state.items.last {
                state.items[state.items.count - 1] = item
                return (true, nil)
            }
            guard state.count < Outbox.itemsMax, state.bytes + item.memoryBytes <= Outbox.bytesMax
            else { return (false, nil) }
            state.items.append(item)
            state.bytes += item.memoryBytes
            return (true, state.sender.take())
        }
        sender?.resume()
        return isQueued
    }

    /// Queues the answer to a request for content.
    func put(_ request: ContentRequest, of space: SpaceID?) {
        let sender = state.withLock { state in
            guard !state.isFinished else { return CheckedContinuation<Void, Never>?.none }
            state.requests.append((request, space))
            return state.sender.take()
        }
        sender?.resume()
    }

    /// The number of requests for content that wait.
    var requestsCount: Int { state.withLock { $0.requests.count } }

    /// Removes the next item, for one sender, and waits if there is none; nil once the queue is
    /// finished and empty.
    func next() async -> Item? {
        await withCheckedContinuation { continuation in
            let mayGoOn = state.withLock { state in
                guard state.isEmpty, state.requests.isEmpty, !state.isFinished else { return true }
                state.sender = continuation
                return false
            }
            if mayGoOn { continuation.resume() }
        }
        return state.withLock { state in
            guard !state.isEmpty else {
                guard !state.requests.isEmpty, !state.isFinished else { return nil }
                let (request, space) = state.requests.removeFirst()
                return .content(request, space)
            }
            let item = state.items[state.first]
            state.first += 1
            state.bytes -= item.memoryBytes
            if state.first * 2 >= state.items.count {
                state.items.removeFirst(state.first)
                state.first = 0
            }
            return item
        }
    }

    /// Removes all items. A log that is being sent ends with its present frame: the peer may get
    /// none of its later batches.
    func discard() {
        state.withLock { state in
            (state.items, state.first, state.bytes, state.requests) = ([], 0, 0, [])
            state.mayReadLogs = false
        }
    }

    /// Whether batches may still be read for the peer: nothing was discarded.
    var mayReadLogs: Bool { state.withLock { $0.mayReadLogs } }

    /// Ends the queue after its remaining items.
    func finish() {
        let sender = state.withLock { state in
            state.isFinished = true
            return state.sender.take()
        }
        sender?.resume()
    }
}

/// A count of bytes that one task increases and others read.
final class ByteCount: Sendable {
    private let count = Atomic<Int>(0)

    /// The bytes so far.
    var value: Int { count.load(ordering: .relaxed) }

    /// Adds bytes.
    func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
}
