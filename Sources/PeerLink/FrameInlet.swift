import Links
import NIOCore
import Records

/// The way of frames from a link's socket to its reader, and what waits on it.
struct FrameInlet {
    /// What may pass.
    enum Admission {
        /// Nothing yet, or nothing any more.
        case nothing
        /// One frame, the peer's HELLO. The next one waits, so that no frame is judged by the
        /// smaller limit when the peer may already use the greater one.
        case hello
        /// Every frame.
        case everything
    }

    /// What may pass now.
    private(set) var admission = Admission.nothing
    private var decoder = FrameDecoder()
    private var undecoded = ByteBuffer()
    private var reader: LinkFrames.Producer.Source?
    private var readerIsBehind = false

    /// Whether more bytes are of use now.
    var wantsBytes: Bool { admission != .nothing && !readerIsBehind }

    /// Whether a frame was begun and is not whole.
    var isInsideFrame: Bool { decoder.isInsideFrame }

    /// What is allocated for bytes that are no frame yet, in bytes.
    var allocatedBytes: Int { decoder.allocatedBytes + undecoded.capacity }

    /// TLS is done: the peer's HELLO may pass, to this reader.
    mutating func admitHello(to reader: LinkFrames.Producer.Source) {
        self.reader = reader
        admission = .hello
    }

    /// HELLO was accepted: everything may pass, up to the greater limit.
    mutating func admitEverything() {
        admission = .everything
        decoder.lengthBytesMax = Limits.frameBytesMax
    }

    /// The reader has caught up.
    mutating func readerWantsMore() {
        readerIsBehind = false
    }

    /// Takes bytes from the socket; ``pass(all:)`` makes frames of them.
    mutating func take(_ bytes: ByteBuffer) {
        var bytes = bytes
        if undecoded.readableBytes == 0 {
            undecoded = bytes
        } else {
            undecoded.writeBuffer(&bytes)
        }
    }

    /// Hands whole frames to the reader while it keeps up, or all there are.
    /// - Returns: whether any frame was whole.
    mutating func pass(all: Bool = false) throws(LinkFault) -> Bool {
        var hasPassed = false
        while admission != .nothing, all || !readerIsBehind,
            let frame = try decoder.next(from: &undecoded)
        {
            if admission == .hello { admission = .nothing }
            if reader?.yield(frame) == .stopProducing { readerIsBehind = true }
            hasPassed = true
        }
        if undecoded.readableBytes == 0 { undecoded = ByteBuffer() }
        return hasPassed
    }

    /// Lets go of all that waits and ends the reader's loop after what it was handed.
    mutating func close() {
        admission = .nothing
        decoder = FrameDecoder()
        undecoded = ByteBuffer()
        reader?.finish()
        reader = nil
    }
}
