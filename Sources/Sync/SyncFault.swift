internal import Records

/// A peer's violation of the protocol. The link ends.
public enum SyncFault: Error, Hashable, Sendable {
    /// The peer announced more spaces than a link may have.
    case tooManySpaces
    /// The first message was not HELLO, or a second HELLO arrived.
    case unexpectedMessage(String)
    /// The two sides have no protocol version in common.
    case noCommonVersion(theirs: ClosedRange<UInt8>)
    /// The peer's device is not listed in the person record it sent.
    case notItsDevice
    /// The peer accepts only frames that are too short for a batch.
    case framesTooShort(bytes: UInt64)
    /// The person is this device's own, blocked, or otherwise not to be linked.
    case notWelcome
    /// Too many HELLOs of devices with long chains of keys wait to be checked.
    case tooManyKeys
    /// There is no room for the peer's person record; see ``Limits/groupPeopleMax``.
    case noRoom
    /// Too many of the peer's messages or batches were refused.
    case tooManyFaults
    /// The peer asked for more pieces of content at a time than a link may.
    case tooManyRequests
    /// The peer's messages wait for allowances for too long while they take much memory.
    case owesTooMuch
}

extension SyncFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .tooManySpaces: "the peer announced more spaces than a link may have"
        case .unexpectedMessage(let what): "the peer sent \(what) at the wrong time"
        case .noCommonVersion(let theirs):
            "the peer speaks protocol versions \(theirs.lowerBound) to \(theirs.upperBound), "
                + "this node speaks \(Hello.spoken.lowerBound) to "
                + "\(Hello.spoken.upperBound): update the older of the two"
        case .notItsDevice: "the peer's device is not listed in its person record"
        case .framesTooShort(let bytes):
            "the peer accepts frames of \(bytes) bytes; the minimum is \(Limits.frameBytesMin)"
        case .notWelcome: "this person is not linked with"
        case .tooManyKeys: "too many devices with many former keys link at once"
        case .noRoom: "there is no room for further people of the groups that this person is in"
        case .tooManyFaults: "too many of the peer's messages were refused"
        case .tooManyRequests: "the peer asked for too many pieces of content at a time"
        case .owesTooMuch: "the peer asked for more work than its person may cause in a while"
        }
    }
}
