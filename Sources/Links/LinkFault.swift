public import Records

/// The reason a link was not made or has ended. Only the first reason counts.
public enum LinkFault: Error, Equatable, Sendable {
    /// No connection could be opened; the text is the system's reason.
    case cannotConnect(String)
    /// The TLS handshake did not finish in time.
    case handshakeTooSlow
    /// The sides did not agree on TLS 1.3 with Ed25519 certificates; the text is the cause.
    case handshakeFailed(String)
    /// The peer's certificate contains a key other than an Ed25519 key.
    case notEd25519
    /// Another device than the dialled one answered.
    case wrongDevice(expected: DeviceID, found: DeviceID)
    /// The peer has this device's own key: it is this node itself, or a copy of the device.
    case ownDevice
    /// No HELLO was accepted in time.
    case helloTooSlow
    /// A newer connection took its place before its HELLO was accepted.
    case crowdedOut
    /// A frame's length is over the limit.
    case frameTooLong(bytes: Int, limit: Int)
    /// A frame's length is zero, so that it has no type.
    case frameEmpty
    /// A frame was started and not finished in time.
    case frameTooSlow
    /// No byte was received for too long.
    case silent
    /// The peer does not read the data sent to it.
    case writeTooSlow
    /// A better link to the same device replaced this one.
    case replaced
    /// The owner of this side refuses links to that device.
    case refused
    /// One side closed the link in an orderly way.
    case closed
    /// The task that dialled, sent or read on this side was cancelled or stopped reading.
    case cancelled
    /// The connection failed; the text is the system's reason.
    case connectionLost(String)
}

extension LinkFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .cannotConnect(let reason): "nothing answers at that address: \(reason)"
        case .handshakeTooSlow: "the other side did not finish the TLS handshake in time"
        case .handshakeFailed(let reason): "the TLS handshake failed: \(reason)"
        case .notEd25519: "the other side's certificate has no Ed25519 key"
        case .wrongDevice(let expected, let found):
            "device \(found.suffix) answered instead of \(expected.suffix)"
        case .ownDevice: "the other side has this device's own key"
        case .helloTooSlow: "the other side did not introduce itself in time"
        case .crowdedOut: "a newer connection took its place before it introduced itself"
        case .frameTooLong(let bytes, let limit):
            "a frame of \(bytes) bytes is over the limit of \(limit) bytes"
        case .frameEmpty: "a frame has length zero and so no type"
        case .frameTooSlow: "the other side began a frame and did not finish it in time"
        case .silent: "the other side sent nothing for too long"
        case .writeTooSlow: "the other side does not read the data sent to it"
        case .replaced: "a newer link to the same device replaced this one"
        case .refused: "links to that device are refused"
        case .closed: "the link was closed"
        case .cancelled: "this side cancelled the link"
        case .connectionLost(let reason): "the connection failed: \(reason)"
        }
    }
}
