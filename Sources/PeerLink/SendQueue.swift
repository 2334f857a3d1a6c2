import Links
import NIOCore
import Synchronization

/// One call of `send`, which can be cancelled before its frames are sent.
final class SendTicket: Sendable {
    private let withdrawn = Atomic<Bool>(false)

    /// Whether the sender cancelled.
    var isWithdrawn: Bool { withdrawn.load(ordering: .acquiring) }

    /// Cancels the call.
    func withdraw() {
        withdrawn.store(true, ordering: .releasing)
    }
}

/// The frames of waiting senders, in order of arrival.
struct SendQueue {
    typealias Completion = (Result<Void, LinkFault>) -> Void

    /// A waiting sender with its remaining frames.
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

    /// Removes whole frames of the first sender, at least one and about `bytesMax` at most, and
    /// returns them; with its last frame also the sender's completion. Cancelled senders are
    /// removed. Returns nil if there is no sender.
    mutating func next(bytesMax: Int) -> (frames: ArraySlice<Frame>, completion: Completion?)? {
        dropWithdrawn()
        guard var sender = senders.popFirst() else { return nil }
        var bytes = 0
        let batch = sender.frames.prefix { frame in
            defer { bytes += frame.lengthBytes + Frame.headerBytes }
            return bytes < bytesMax
        }
        sender.frames = sender.frames.dropFirst(batch.count)
        if sender.frames.isEmpty { return (batch, sender.completion) }
        senders.prepend(sender)
        return (batch, nil)
    }

    /// Reports to all senders that the link has ended.
    mutating func fail(_ fault: LinkFault) {
        while let sender = senders.popFirst() { sender.completion(.failure(fault)) }
    }

    /// Removes the cancelled senders and completes their calls.
    mutating func dropWithdrawn() {
        for sender in senders where sender.ticket.isWithdrawn {
            sender.completion(.failure(.cancelled))
        }
        senders.removeAll { $0.ticket.isWithdrawn }
    }
}
