/// The reason bytes are not a record. Such bytes are never stored or forwarded.
public enum RecordFault: Error, Equatable, Sendable {
    /// The bytes end inside a value.
    case truncated
    /// Bytes are left after the last value.
    case trailingBytes(count: Int)
    /// An encoding that is not the canonical one.
    case notCanonical(String)
    /// A count or length above its limit.
    case overLimit(String, limit: Int)
    /// An unknown version.
    case unknownVersion(UInt8)
    /// An unknown tag, verb or kind.
    case unknownTag(String, UInt64)
    /// Text that is not UTF-8.
    case notUTF8
    /// The hybrid clock has reached the end of its range.
    case clockExhausted
}

extension RecordFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .truncated: "the record ends too early"
        case .trailingBytes(let count): "\(count) bytes follow the end of the record"
        case .notCanonical(let what): "\(what) is not in its canonical encoding"
        case .overLimit(let what, let limit): "\(what) is over its limit of \(limit)"
        case .unknownVersion(let version): "version \(version) is unknown"
        case .unknownTag(let what, let tag): "\(tag) is no known \(what)"
        case .notUTF8: "text is not valid UTF-8"
        case .clockExhausted: "the clock of this space is at the end of its range"
        }
    }
}
