internal import Records
internal import Sync
internal import Synchronization

/// The queue of items to send on one link, in order. Batches are queued by name, not by content, so
/// the queue is short even if the peer lacks many; if it is full all the same, the link is closed.
struct Outbox: Sendable {
    /// One item to send.
    enum Item: Sendable {
        case message(Message)
        /// The batches of a log that follow the peer's last one, read when the item is sent.
        case log(SpaceID, LogName, after: UInt64, prefix: UInt64, channel: UInt64)
    }

    /// The maximum number of items in the queue.
    static let itemsMax = 4096

    let items: AsyncStream<Item>
    /// The bytes of all frames sent, including their lengths and types.
    let sentBytes = ByteCount()
    private let continuation: AsyncStream<Item>.Continuation

    init() {
        (items, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Outbox.itemsMax))
    }

    /// Queues an item.
    /// - Returns: false if the queue is full.
    func put(_ item: Item) -> Bool {
        switch continuation.yield(item) {
        case .dropped: false
        default: true
        }
    }

    /// Ends the queue after its remaining items.
    func finish() { continuation.finish() }
}

/// A count of bytes that one task increases and others read.
final class ByteCount: Sendable {
    private let count = Atomic<Int>(0)

    /// The bytes so far.
    var value: Int { count.load(ordering: .relaxed) }

    /// Adds bytes.
    func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
}
