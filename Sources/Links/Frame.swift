/// One message as it stands on the wire. What the type and payload mean is not the link's business.
///
/// On the wire: the length of what follows as four bytes, most significant first (≥ 1), the type
/// as one byte, the payload.
public struct Frame: Sendable, Equatable {
    /// What kind of message this is.
    public var type: UInt8
    /// The message; empty is allowed.
    public var payload: [UInt8]

    /// A frame of this type and payload.
    public init(type: UInt8, payload: [UInt8]) {
        self.type = type
        self.payload = payload
    }

    /// The number that stands in the length field: the type and the payload, in bytes.
    public var lengthBytes: Int { payload.count + 1 }

    /// What the frame takes on the wire inside TLS, in bytes.
    public var wireBytes: Int { lengthBytes + Frame.headerBytes }
}

extension Frame {
    /// Bytes of the length field that stands before every frame.
    package static let headerBytes = 4
}
