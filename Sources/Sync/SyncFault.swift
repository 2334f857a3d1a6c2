internal import Records

/// How a peer broke the protocol. The link ends.
public enum SyncFault: Error, Hashable, Sendable {
    /// It named more spaces than a link may.
    case tooManySpaces
    /// Its first message was no HELLO, or a second HELLO came.
    case unexpectedMessage(String)
    /// No protocol version is spoken by both.
    case noCommonVersion(theirs: ClosedRange<UInt8>)
    /// The device at the other end is not among those of the person it names.
    case notItsDevice
    /// It takes no frame that is long enough for one batch.
    case framesTooShort(bytes: UInt64)
    /// The person is one's own, blocked, or otherwise not to be linked.
    case notWelcome
    /// Too many of its messages or batches were refused.
    case tooManyFaults
}

extension SyncFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooManySpaces: "the peer named more spaces than a link may"
        case .unexpectedMessage(let what): "the peer sent \(what) out of turn"
        case .noCommonVersion(let theirs):
            "the peer speaks protocol versions \(theirs.lowerBound) to \(theirs.upperBound), "
                + "this node speaks \(Hello.version): update the older of the two"
        case .notItsDevice: "the peer's device is not one of the person it names"
        case .framesTooShort(let bytes):
            "the peer takes frames of \(bytes) bytes; \(Limits.frameBytesMin) are the least"
        case .notWelcome: "the peer is not welcome"
        case .tooManyFaults: "too many of the peer's messages were refused"
        }
    }
}
