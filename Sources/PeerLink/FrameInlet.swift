import Links
import NIOCore
import Records

/// The path of frames from a link's socket to its reader, with the bytes that wait on it.
struct FrameInlet {
    /// The frames that may reach the reader.
    enum Admission {
        /// Not there yet, or already gone.
        case nothing
        /// One frame, the peer's HELLO. The next frame waits, so that it is not checked against the
        /// smaller limit when the peer may already use the larger one.
        case hello
        /// All frames.
        case everything
    }

    /// The frames that may reach the reader now.
    private(set) var admission = Admission.nothing
    private var decoder = FrameDecoder()
    private var undecoded = ByteBuffer()
    private var reader: LinkFrames.Producer.Source?
    private var readerIsBehind = false

    /// Whether more bytes from the socket can be processed now.
    var wantsBytes: Bool { admission != .nothing && !readerIsBehind }

    /// Whether a frame is incomplete.
    var isInsideFrame: Bool { decoder.isInsideFrame }

    /// The memory allocated for incomplete frames, in bytes.
    var allocatedBytes: Int { decoder.allocatedBytes + undecoded.capacity }

    /// Admits the peer's HELLO and sets the reader; called when TLS is done.
    mutating func admitHello(to reader: LinkFrames.Producer.Source) {
        self.reader = reader
        admission = .hello
    }

    /// Admits all frames up to the larger limit; called when HELLO was accepted.
    mutating func admitEverything() {
        admission = .everything
        decoder.lengthBytesMax = Limits.frameBytesMax
    }

    /// Records that the reader has caught up.
    mutating func readerWantsMore() {
        readerIsBehind = false
    }

    /// Adds bytes from the socket. ``pass(all:)`` makes frames of them.
    mutating func append(_ bytes: ByteBuffer) {
        var bytes = bytes
        if undecoded.readableBytes == 0 {
            undecoded = bytes
        } else {
            undecoded.writeBuffer(&bytes)
        }
    }

    /// Passes complete frames to the reader while it keeps up; or all of them when the peer has
    /// ended the link, also those that wait until its HELLO is accepted: its BYE may be among them.
    /// - Returns: true if any frame was complete.
    mutating func pass(all: Bool = false) throws(LinkFault) -> Bool {
        var hasPassed = false
        while admission != .nothing || all, all || !readerIsBehind, let frame = try nextFrame() {
            if admission == .hello { admission = .nothing }
            if reader?.yield(frame) == .stopProducing { readerIsBehind = true }
            hasPassed = true
        }
        if undecoded.readableBytes == 0 { undecoded = ByteBuffer() }
        return hasPassed
    }

    /// The next complete frame. A frame that nothing admits is decoded under the smaller limit, and
    /// one over it is no fault of the peer, which may already use the larger one: it is not passed.
    private mutating func nextFrame() throws(LinkFault) -> Frame? {
        do {
            return try decoder.next(from: &undecoded)
        } catch {
            guard admission == .nothing else { throw error }
            return nil
        }
    }

    /// Discards waiting bytes and ends the reader's sequence after the passed frames.
    mutating func close() {
        admission = .nothing
        decoder = FrameDecoder()
        undecoded = ByteBuffer()
        reader?.finish()
        reader = nil
    }
}
