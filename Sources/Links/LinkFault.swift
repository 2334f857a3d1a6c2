public import Records

/// Why a link was not made, or why it ended. One case per cause; the first cause counts.
public enum LinkFault: Error, Equatable, Sendable {
    /// Nothing answered at the address; the text is the system's reason.
    case cannotConnect(String)
    /// The TLS handshake was not finished in time.
    case handshakeTooSlow
    /// The two sides did not agree on TLS 1.3 with Ed25519 certificates; the text is the cause.
    case handshakeFailed(String)
    /// The other side's certificate holds a key that is no Ed25519 key.
    case notEd25519
    /// Another device answered than the one that was dialled.
    case wrongDevice(expected: DeviceID, found: DeviceID)
    /// The other side holds this device's own key: we reached ourselves, or a copy of this device.
    case ownDevice
    /// No HELLO was accepted in time.
    case helloTooSlow
    /// A frame's length field is over the limit.
    case frameTooLong(bytes: Int, limit: Int)
    /// A frame's length field is zero: not even a type.
    case frameEmpty
    /// A frame was begun and not finished in time.
    case frameTooSlow
    /// Not one byte came for too long.
    case silent
    /// The other side takes nothing of what waits for it.
    case writeTooSlow
    /// A better link to the same device took its place.
    case replaced
    /// The owner of this side wants no link to that device.
    case refused
    /// One side closed the link in good order.
    case closed
    /// The task that dialled, sent or read on this side was cancelled, or stopped reading.
    case cancelled
    /// The connection broke; the text is the system's reason.
    case connectionLost(String)
}

extension LinkFault: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .cannotConnect(let reason): "nothing answers at that address: \(reason)"
        case .handshakeTooSlow: "the other side did not finish the TLS handshake in time"
        case .handshakeFailed(let reason): "the TLS handshake failed: \(reason)"
        case .notEd25519: "the other side's certificate holds no Ed25519 key"
        case .wrongDevice(let expected, let found):
            "device \(found.suffix) answered where \(expected.suffix) was expected"
        case .ownDevice: "the other side holds this device's own key"
        case .helloTooSlow: "the other side did not introduce itself in time"
        case .frameTooLong(let bytes, let limit):
            "a frame of \(bytes) bytes is over the limit of \(limit) bytes"
        case .frameEmpty: "a frame has length zero and so no type"
        case .frameTooSlow: "the other side began a frame and did not finish it in time"
        case .silent: "nothing was heard from the other side for too long"
        case .writeTooSlow: "the other side does not read what is sent to it"
        case .replaced: "a newer link to the same device took this one's place"
        case .refused: "no link to that device is wanted"
        case .closed: "the link was closed"
        case .cancelled: "this side gave the link up"
        case .connectionLost(let reason): "the connection broke: \(reason)"
        }
    }
}
