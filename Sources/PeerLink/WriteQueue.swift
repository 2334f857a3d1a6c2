import Links
import NIOCore

/// The frames that wait for the socket, joined to a few long writes.
///
/// A write that TLS and the socket still hold costs about 2.5 KB besides its bytes, so a peer that
/// never reads could make 22-byte answers cost a hundred times their length. Frames that wait here
/// cost their own bytes only, and so a limit in bytes is a limit of memory.
struct WriteQueue {
    /// The bytes that wait.
    private(set) var bytes = 0
    /// The length at which a write is complete, in bytes.
    private let writeBytes: Int
    private var complete = CircularBuffer<ByteBuffer>()
    private var incomplete = ByteBuffer()

    init(writeBytes: Int) {
        self.writeBytes = writeBytes
    }

    /// Appends frames in order.
    mutating func append(_ frames: ArraySlice<Frame>) {
        for frame in frames {
            incomplete.reserveCapacity(minimumWritableBytes: frame.wireBytes)
            frame.write(to: &incomplete)
            bytes += frame.wireBytes
            if incomplete.readableBytes >= writeBytes { completeWrite() }
        }
    }

    /// Removes the next write; nil if nothing waits.
    mutating func next() -> ByteBuffer? {
        if complete.isEmpty, incomplete.readableBytes > 0 { completeWrite() }
        guard let write = complete.popFirst() else { return nil }
        bytes -= write.readableBytes
        return write
    }

    /// Discards everything that waits.
    mutating func discard() {
        self = WriteQueue(writeBytes: writeBytes)
    }

    private mutating func completeWrite() {
        complete.append(incomplete)
        incomplete = ByteBuffer()
    }
}
