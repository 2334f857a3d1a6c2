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

    /// Whether bytes wait for another turn, which the reader would keep up with.
    var wantsTurn: Bool { wantsBytes && undecoded.readableBytes > 0 }

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

    /// Adds bytes from the socket. ``pass()`` makes frames of them.
    mutating func append(_ bytes: ByteBuffer) {
        var bytes = bytes
        if undecoded.readableBytes == 0 {
            undecoded = bytes
        } else {
            undecoded.writeBuffer(&bytes)
        }
    }

    /// Passes the complete frames of one turn to the reader if it keeps up.
    /// - Returns: true if any frame was complete.
    mutating func pass() throws(LinkFault) -> Bool {
        admission != .nothing && !readerIsBehind ? try passTurn() : false
    }

    /// Passes the next complete frames when the peer has ended the link, also if they wait until
    /// its HELLO is accepted: its BYE may be among them.
    ///
    /// The rest is dropped. When a connection ends, NIO reads everything that the system has
    /// received, up to some megabytes, even while this side does not read, and to pass it all would
    /// take seconds.
    mutating func passLast() throws(LinkFault) {
        for _ in 0..<LinkLimits.lastTurnsMax {
            guard try passTurn() else { return }
        }
    }

    private mutating func passTurn() throws(LinkFault) -> Bool {
        var frames: [Frame] = []
        // Frames before a fault of the peer reach the reader too.
        defer {
            if !frames.isEmpty, reader?.yield(contentsOf: frames) == .stopProducing {
                readerIsBehind = true
            }
        }
        var bytes = 0
        while frames.count < LinkLimits.turnFramesMax, bytes < LinkLimits.turnBytesMax,
            let frame = try nextFrame()
        {
            frames.append(frame)
            bytes += frame.wireBytes
            guard admission == .hello else { continue }
            admission = .nothing
            break
        }
        if undecoded.readableBytes == 0 { undecoded = ByteBuffer() }
        return !frames.isEmpty
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
