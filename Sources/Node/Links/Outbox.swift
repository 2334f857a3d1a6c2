internal import Records
internal import Sync
internal import Synchronization

/// What waits to be sent on one link, in order. Batches wait by name, not by content, so the
/// queue is short whatever is behind; where it fills up all the same, the link is given up.
struct Outbox: Sendable {
    /// One thing to send.
    enum Item: Sendable {
        case message(Message)
        /// The batches of a log after the one that the peer holds, read when their turn comes.
        case log(SpaceID, LogName, after: UInt64, prefix: UInt64, channel: UInt64)
    }

    /// How many things may wait.
    static let itemsMax = 4096

    let items: AsyncStream<Item>
    /// The bytes of all frames that were sent, their lengths and types included.
    let sentBytes = ByteCount()
    private let continuation: AsyncStream<Item>.Continuation

    init() {
        (items, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Outbox.itemsMax))
    }

    /// Queues something.
    /// - Returns: false where the queue is full.
    func put(_ item: Item) -> Bool {
        switch continuation.yield(item) {
        case .dropped: false
        default: true
        }
    }

    /// Ends the queue after what is in it.
    func finish() { continuation.finish() }
}

/// A count of bytes that one task raises and others read.
final class ByteCount: Sendable {
    private let count = Atomic<Int>(0)

    /// The bytes so far.
    var value: Int { count.load(ordering: .relaxed) }

    /// Adds bytes.
    func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
}
