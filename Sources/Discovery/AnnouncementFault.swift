/// Why an announcement was ignored, checked in the order of the cases.
public enum AnnouncementFault: Error, Equatable, Sendable, CustomStringConvertible {
    case tooManyStrings(count: Int)
    case tooLong(bytes: Int)
    case noPort
    case stringTooLong(bytes: Int)
    case duplicateKey(String)
    case badText(key: String)
    case badVersion
    case badTag
    case badName(key: String)
    case badInterests

    /// A sentence that says which rule was broken.
    public var description: String {
        switch self {
        case .tooManyStrings(let count):
            "An announcement has \(count) strings; \(DiscoveryLimits.textStringsMax) are allowed."
        case .tooLong(let bytes):
            "An announcement is \(bytes) bytes; \(DiscoveryLimits.textBytesMax) are allowed."
        case .noPort: "An announcement names no port."
        case .stringTooLong(let bytes): "A string of an announcement is \(bytes) bytes long."
        case .duplicateKey(let key): "An announcement says \"\(key)\" twice."
        case .badText(let key): "The value of \"\(key)\" in an announcement is not UTF-8."
        case .badVersion: "An announcement has no protocol version from 1 to 255."
        case .badTag: "An announcement has no tag of 16 hexadecimal digits."
        case .badName(let key): "The name \"\(key)\" in an announcement cannot be shown."
        case .badInterests: "The interests in an announcement are not 5 to 10 of the list."
        }
    }
}
