/// Why bytes are not a record. Nothing refused here is ever stored or passed on.
public enum RecordFault: Error, Equatable, Sendable {
    /// The bytes end inside a value.
    case truncated
    /// Bytes are left after the last value.
    case trailingBytes(count: Int)
    /// A second spelling of a value that has exactly one.
    case notCanonical(String)
    /// A count or length over its limit.
    case overLimit(String, limit: Int)
    /// A version this node does not speak.
    case unknownVersion(UInt8)
    /// A tag, verb or kind that has no meaning here.
    case unknownTag(String, UInt64)
    /// Text that is not UTF-8.
    case notUTF8
    /// The hybrid clock is at the end of its range.
    case clockExhausted
}

extension RecordFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated: "the record ends too early"
        case .trailingBytes(let count): "\(count) bytes follow the end of the record"
        case .notCanonical(let what): "\(what) is not in its one canonical spelling"
        case .overLimit(let what, let limit): "\(what) is over its limit of \(limit)"
        case .unknownVersion(let version): "version \(version) is not known here"
        case .unknownTag(let what, let tag): "\(tag) is no known \(what)"
        case .notUTF8: "text is not valid UTF-8"
        case .clockExhausted: "the clock of this space is at the end of its range"
        }
    }
}
