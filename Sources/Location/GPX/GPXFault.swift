/// Why a file is no track that can be played, in the order of the checks.
public enum GPXFault: Error, Hashable, Sendable {
    /// The file is longer than a track may be.
    case tooLong(bytes: Int, limit: Int)
    /// It declares a document type. A track needs none, and entities can be made to expand
    /// without end.
    case documentType
    /// It is no well-formed XML.
    case malformed(line: Int)
    /// Elements are nested deeper than a track's are.
    case tooDeep(limit: Int)
    /// It is XML, but its outermost element is another.
    case notGPX(String)
    /// A point is not on the Earth, or lacks a coordinate.
    case badPoint(line: Int)
    /// More points than a track may have.
    case tooManyPoints(limit: Int)
    /// No point has a time.
    case noTimes
}

extension GPXFault: CustomStringConvertible {
    /// A sentence that says what is wrong, and where.
    public var description: String {
        switch self {
        case .tooLong(let bytes, let limit):
            "The file has \(bytes) bytes; a track has at most \(limit)."
        case .documentType: "The file declares a document type, which a track must not."
        case .malformed(let line): "The file is no well-formed XML: see line \(line)."
        case .tooDeep(let limit): "The file nests elements deeper than \(limit)."
        case .notGPX(let name): "The file is a <\(name)>, not a <gpx>."
        case .badPoint(let line):
            "The point in line \(line) has no latitude of -90 to 90 and longitude of -180 to 180."
        case .tooManyPoints(let limit): "A track has at most \(limit) points."
        case .noTimes: "No point of the track has a time, so it has no pace to be played at."
        }
    }
}
