import Links
import NIOCore
import Records

/// Cuts a stream of bytes into frames. It holds at most one frame that is not whole yet.
///
/// The length is judged when its fourth byte is there and before anything is allocated for it;
/// what is allocated later grows with the bytes that came, not with the length they promised.
struct FrameDecoder {
    /// The greatest length a frame may have, in bytes after the length field.
    var lengthBytesMax: Int

    private enum Part { case length, type, payload }
    private var part = Part.length
    private var lengthBytesRead = 0
    private var length: UInt32 = 0
    private var type: UInt8 = 0
    private var payload: [UInt8] = []

    /// A decoder at the start of a stream, before HELLO unless told otherwise.
    init(lengthBytesMax: Int = Limits.helloFrameBytesMax) {
        self.lengthBytesMax = lengthBytesMax
    }

    /// Whether the first byte of a frame has come and its last one has not.
    var isInsideFrame: Bool { part != .length || lengthBytesRead > 0 }

    /// What is allocated for the frame that is not whole yet, in bytes.
    var allocatedBytes: Int { payload.capacity }

    /// Takes bytes from `input` until a frame is whole and returns it, or takes all of them and
    /// returns nil.
    /// - Throws: ``LinkFault/frameEmpty`` or ``LinkFault/frameTooLong(bytes:limit:)``, after which
    ///   the stream has no meaning and the decoder must not be asked again.
    mutating func next(from input: inout ByteBuffer) throws(LinkFault) -> Frame? {
        while let byte = nextHeaderByte(from: &input) {
            switch part {
            case .length: try takeLengthByte(byte)
            case .type: takeType(byte)
            case .payload: break
            }
        }
        return part == .payload ? takePayload(from: &input) : nil
    }

    private func nextHeaderByte(from input: inout ByteBuffer) -> UInt8? {
        part == .payload ? nil : input.readInteger()
    }

    private mutating func takeLengthByte(_ byte: UInt8) throws(LinkFault) {
        length = length << 8 | UInt32(byte)
        lengthBytesRead += 1
        guard lengthBytesRead == Frame.headerBytes else { return }
        guard length > 0 else { throw .frameEmpty }
        guard length <= lengthBytesMax else {
            throw .frameTooLong(bytes: Int(length), limit: lengthBytesMax)
        }
        part = .type
    }

    private mutating func takeType(_ byte: UInt8) {
        type = byte
        part = .payload
    }

    private mutating func takePayload(from input: inout ByteBuffer) -> Frame? {
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
