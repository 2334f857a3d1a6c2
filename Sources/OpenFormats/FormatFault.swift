public import Localization

/// The reason a file in an open format is refused, in the order of the checks.
public enum FormatFault: Error, Hashable, Sendable {
    /// The file is longer than the limit.
    case tooLong(limit: Int)
    /// A line is not UTF-8.
    case notText(line: Int)
    /// The file has more lines than the limit.
    case tooManyLines(limit: Int)
    /// The file nests parts deeper than the limit.
    case tooDeep(limit: Int)
    /// A part ends that did not begin, or has no end; or the file is not valid JSON, which has no
    /// line here.
    case malformed(line: Int?)
    /// The file has nothing of the wanted kind.
    case nothing(Content)
    /// A time is no time, or is not between 1970 and 6429.
    case badTime(line: Int)
    /// A time is in a zone that neither the system nor the file knows.
    case unknownZone(line: Int)
    /// The file has a location with a coordinate that is missing or out of range.
    case badPoint
    /// The file has more events than the limit.
    case tooManyEvents(limit: Int)
    /// The track has more points than the limit.
    case tooManyPoints(limit: Int)

    /// The kinds of content that a reader looks for.
    public enum Content: Hashable, Sendable { case contact, event, track }
}

extension FormatFault: SentenceError {
    /// A sentence for people about the fault and, if it is known, its line.
    public var sentence: Sentence {
        switch self {
        case .tooLong(let limit):
            "The file is too long: at most \(limit) bytes are read."
        case .notText(let line): "Line \(line) of the file is not text in UTF-8."
        case .tooManyLines(let limit):
            "The file has more than \(NumberText.grouped(limit)) lines."
        case .tooDeep(let limit): "The file nests its parts deeper than \(limit)."
        case .malformed(let line?): "The file is damaged: see line \(line)."
        case .malformed(nil): "The file is damaged: it is not valid JSON of this kind."
        case .nothing(.contact): "The file has no contact: choose a vCard (.vcf)."
        case .nothing(.event): "The file has no event: choose a calendar file (.ics)."
        case .nothing(.track): "The file has no track: choose a GPX or GeoJSON file."
        case .badTime(let line):
            "The time in line \(line) is not one between the years 1970 and 6429."
        case .unknownZone(let line):
            "The time in line \(line) is in a time zone that is not known here."
        case .badPoint:
            "A location in the file needs a latitude of -90 to 90 and a longitude of -180 to 180."
        case .tooManyEvents(let limit):
            "The file has more than \(NumberText.grouped(limit)) events."
        case .tooManyPoints(let limit): "A track has at most \(NumberText.grouped(limit)) points."
        }
    }
}
