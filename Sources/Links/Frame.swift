/// One message on the wire. The link does not interpret its type or payload.
///
/// A frame is encoded as the number of bytes that follow (four bytes, big-endian, ≥ 1), the type as
/// one byte, and the payload.
public struct Frame: Sendable, Equatable {
    /// The message's type.
    public var type: UInt8
    /// The message's content, which may be empty.
    public var payload: [UInt8]

    /// Creates a frame from a type and a payload.
    public init(type: UInt8, payload: [UInt8]) {
        self.type = type
        self.payload = payload
    }

    /// The value of the length field: the type and the payload, in bytes.
    public var lengthBytes: Int { payload.count + 1 }

    /// The length of the frame on the wire inside TLS, in bytes.
    public var wireBytes: Int { lengthBytes + Frame.headerBytes }
}

extension Frame {
    /// The length of the length field before every frame, in bytes.
    package static let headerBytes = 4
}
