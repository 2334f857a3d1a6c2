/// The reason an announcement was ignored. Rules are checked in the order of the cases.
public enum AnnouncementFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// More strings than ``DiscoveryLimits/textStringsMax``.
    case tooManyStrings(count: Int)
    /// More bytes than ``DiscoveryLimits/textBytesMax``.
    case tooLong(bytes: Int)
    /// The port is 0.
    case noPort
    /// A string is longer than ``DiscoveryLimits/textStringBytesMax``.
    case stringTooLong(bytes: Int)
    /// A known key occurs twice.
    case duplicateKey(String)
    /// The protocol version is missing or malformed.
    case badVersion
    /// The tag is missing or malformed.
    case badTag

    /// A sentence for people about the broken rule.
    public var description: String {
        switch self {
        case .tooManyStrings(let count):
            "An announcement has \(count) strings; \(DiscoveryLimits.textStringsMax) are allowed."
        case .tooLong(let bytes):
            "An announcement is \(bytes) bytes; \(DiscoveryLimits.textBytesMax) are allowed."
        case .noPort: "An announcement has no port."
        case .stringTooLong(let bytes): "A string of an announcement is \(bytes) bytes long."
        case .duplicateKey(let key): "An announcement has \"\(key)\" twice."
        case .badVersion: "An announcement has no protocol version from 1 to 255."
        case .badTag: "An announcement has no tag of 16 hexadecimal digits."
        }
    }
}
