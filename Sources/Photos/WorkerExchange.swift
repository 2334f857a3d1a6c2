internal import Glibc

/// Sends a request over a socket and reads the answer to its end, at the same time: a worker may
/// answer before it has read everything.
struct WorkerExchange {
    private let descriptor: Int32
    private let answerBytesMax: Int
    private let deadline: ContinuousClock.Instant
    /// The bytes of the answer so far.
    private(set) var received: [UInt8] = []
    private var part: [UInt8]

    /// The number of bytes that are read at once.
    private static let partBytesCount = 64 * 1024

    /// Prepares an exchange, which gives up at the deadline or after too long an answer.
    init(descriptor: Int32, answerBytesMax: Int, deadline: ContinuousClock.Instant) {
        self.descriptor = descriptor
        self.answerBytesMax = answerBytesMax
        self.deadline = deadline
        part = [UInt8](repeating: 0, count: Self.partBytesCount)
    }

    /// Sends the parts, one after the other. Returns whether the answer came to its end in time.
    mutating func run(sending parts: [[UInt8]]) -> Bool {
        var unsent = parts[...]
        var offset = 0
        while true {
            let wanted = POLLIN | (unsent.isEmpty ? 0 : POLLOUT)
            guard let ready = wait(for: Int16(wanted)) else { return false }
            if ready & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                guard let count = receive() else { return false }
                if count == 0 { return true }
            }
            if ready & Int16(POLLOUT) != 0, let first = unsent.first {
                offset += send(first, from: offset)
                if offset >= first.count {
                    unsent = unsent.dropFirst()
                    offset = 0
                }
                if unsent.isEmpty { shutdown(descriptor, Int32(SHUT_WR)) }
            }
        }
    }

    /// Waits until the socket is ready; nil after the deadline.
    private func wait(for events: Int16) -> Int16? {
        while true {
            let left = deadline - .now
            guard left > .zero else { return nil }
            var poll = pollfd(fd: descriptor, events: events, revents: 0)
            let milliseconds = Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
            let count = unsafe Glibc.poll(&poll, 1, milliseconds)
            if count > 0 { return poll.revents }
            guard count == 0 || errno == EINTR else { return nil }
        }
    }

    /// Reads what is there. Returns the number of bytes, 0 at the end, nil if it is over the limit
    /// or cannot be read.
    private mutating func receive() -> Int? {
        let count = unsafe recv(descriptor, &part, part.count, Int32(MSG_DONTWAIT))
        guard count >= 0 else {
            // A worker that ends with unread bytes resets the socket: its answer is whole.
            return [EAGAIN, EINTR].contains(errno) ? 1 : errno == ECONNRESET ? 0 : nil
        }
        guard received.count + count <= answerBytesMax else { return nil }
        received += part.prefix(count)
        return count
    }

    /// Sends what the socket accepts. A worker that no longer reads has an answer or has ended: the
    /// rest counts as sent.
    private func send(_ bytes: [UInt8], from offset: Int) -> Int {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let count = unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe Glibc.send(descriptor, base + offset, bytes.count - offset, flags)
        }
        if count < 0 { return [EAGAIN, EINTR].contains(errno) ? 0 : bytes.count - offset }
        return count
    }
}
