import Links
import NIOCore
import Records

/// Divides a stream of bytes into frames. It stores at most one incomplete frame.
///
/// The length is checked when its fourth byte arrives, before anything is allocated for it. Later
/// allocations grow with the received bytes, not with the announced length.
struct FrameDecoder {
    /// The limit of a frame's length field, in bytes.
    var lengthBytesMax: Int

    private enum Part { case length, type, payload }
    private var part = Part.length
    private var lengthBytesRead = 0
    private var length: UInt32 = 0
    private var type: UInt8 = 0
    private var payload: [UInt8] = []

    /// Creates a decoder at the start of a stream; its default limit applies before HELLO.
    init(lengthBytesMax: Int = Limits.helloFrameBytesMax) {
        self.lengthBytesMax = lengthBytesMax
    }

    /// Whether a frame is incomplete.
    var isInsideFrame: Bool { part != .length || lengthBytesRead > 0 }

    /// The memory allocated for an incomplete frame, in bytes.
    var allocatedBytes: Int { payload.capacity }

    /// Reads bytes from `input` until a frame is complete and returns it, or reads all bytes and
    /// returns nil.
    /// - Throws: ``LinkFault/frameEmpty`` or ``LinkFault/frameTooLong(bytes:limit:)``. The rest of
    ///   the stream is meaningless then, and the decoder must not be used again.
    mutating func next(from input: inout ByteBuffer) throws(LinkFault) -> Frame? {
        while let byte = nextHeaderByte(from: &input) {
            switch part {
            case .length: try addLengthByte(byte)
            case .type: setType(byte)
            case .payload: break
            }
        }
        return part == .payload ? readPayload(from: &input) : nil
    }

    private func nextHeaderByte(from input: inout ByteBuffer) -> UInt8? {
        part == .payload ? nil : input.readInteger()
    }

    private mutating func addLengthByte(_ byte: UInt8) throws(LinkFault) {
        length = length << 8 | UInt32(byte)
        lengthBytesRead += 1
        guard lengthBytesRead == Frame.headerBytes else { return }
        guard length > 0 else { throw .frameEmpty }
        guard length <= lengthBytesMax else {
            throw .frameTooLong(bytes: Int(length), limit: lengthBytesMax)
        }
        part = .type
    }

    private mutating func setType(_ byte: UInt8) {
        type = byte
        part = .payload
    }

    private mutating func readPayload(from input: inout ByteBuffer) -> Frame? {
        let missing = Int(length) - 1 - payload.count
        let slice = input.readSlice(length: min(missing, input.readableBytes))
        if let slice { payload.append(contentsOf: slice.readableBytesView) }
        guard payload.count == Int(length) - 1 else { return nil }
        let frame = Frame(type: type, payload: payload)
        startOver()
        return frame
    }

    private mutating func startOver() {
        part = .length
        lengthBytesRead = 0
        length = 0
        payload = []
    }
}
