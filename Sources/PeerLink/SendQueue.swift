import Links
import NIOCore
import Synchronization

/// One call of `send`, so that it can be taken back before its frames are on their way.
final class SendTicket: Sendable {
    private let withdrawn = Atomic<Bool>(false)

    /// Whether the sender gave up.
    var isWithdrawn: Bool { withdrawn.load(ordering: .acquiring) }

    /// The sender gives up.
    func withdraw() {
        withdrawn.store(true, ordering: .releasing)
    }
}

/// The frames that senders wait to hand over, first come first served.
struct SendQueue {
    typealias Completion = (Result<Void, LinkFault>) -> Void

    /// One sender that waits, with what it still has to send.
    struct Sender {
        let ticket: SendTicket
        var frames: ArraySlice<Frame>
        let completion: Completion
    }

    private var senders = CircularBuffer<Sender>()

    /// Appends a sender.
    mutating func append(_ sender: Sender) {
        senders.append(sender)
    }

    /// Takes whole frames of the first sender, at least one and no more than about `bytesMax`,
    /// and the sender's completion with its last frame. Senders that gave up are told so.
    /// Nil when nobody waits.
    mutating func next(bytesMax: Int) -> (frames: ArraySlice<Frame>, completion: Completion?)? {
        dropWithdrawn()
        guard var sender = senders.popFirst() else { return nil }
        var bytes = 0
        let taken = sender.frames.prefix { frame in
            defer { bytes += frame.lengthBytes + Frame.headerBytes }
            return bytes < bytesMax
        }
        sender.frames = sender.frames.dropFirst(taken.count)
        if sender.frames.isEmpty { return (taken, sender.completion) }
        senders.prepend(sender)
        return (taken, nil)
    }

    /// Tells all who wait that the link has ended.
    mutating func fail(_ fault: LinkFault) {
        while let sender = senders.popFirst() { sender.completion(.failure(fault)) }
    }

    /// Tells those who gave up, wherever they stand, that they need not wait.
    mutating func dropWithdrawn() {
        for sender in senders where sender.ticket.isWithdrawn {
            sender.completion(.failure(.cancelled))
        }
        senders.removeAll { $0.ticket.isWithdrawn }
    }
}
