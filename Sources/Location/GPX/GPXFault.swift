public import Localization

/// The reason a file is not a playable track, in the order of the checks.
public enum GPXFault: Error, Hashable, Sendable {
    /// The file is longer than a track may be.
    case tooLong(limit: Int)
    /// The file is not text in a known encoding.
    case unknownEncoding
    /// The file begins with a second XML declaration or byte order mark, or with a declaration that
    /// has no end. The parser would follow the encoding that such a declaration names.
    case repeatedDeclaration
    /// The file declares a document type. A track needs none, and entities can expand without
    /// limit.
    case documentType
    /// The file is not well-formed XML.
    case malformed(line: Int)
    /// The file nests elements deeper than the limit.
    case tooDeep(limit: Int)
    /// The outermost element is not `gpx`.
    case notGPX(String)
    /// A point lacks a coordinate or is out of range.
    case badPoint(line: Int)
    /// The file has more points than the limit.
    case tooManyPoints(limit: Int)
    /// No point has a time.
    case noTimes
}

extension GPXFault: SentenceError {
    /// A sentence for people about the fault and its line.
    public var sentence: Sentence {
        switch self {
        case .tooLong(let limit):
            "The file is too long: a track has at most \(limit) bytes."
        case .unknownEncoding: "The file is not text in UTF-8, UTF-16 or ISO 8859-1."
        case .repeatedDeclaration:
            "The file begins with a second XML declaration, or with one that has no end."
        case .documentType: "The file declares a document type, which a track must not."
        case .malformed(let line): "The file is not well-formed XML: see line \(line)."
        case .tooDeep(let limit): "The file nests elements deeper than \(limit)."
        case .notGPX(let name): "The file is a <\(name)>, not a <gpx>."
        case .badPoint(let line):
            "The point in line \(line) needs a latitude of -90 to 90 and a longitude of -180 to "
                + "180."
        case .tooManyPoints(let limit): "A track has at most \(NumberText.grouped(limit)) points."
        case .noTimes: "No point of the track has a time, so it cannot be played."
        }
    }
}
