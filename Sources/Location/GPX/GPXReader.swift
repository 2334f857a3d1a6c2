internal import Foundation
internal import FoundationXML

/// Reads the points of a GPX file with the system's XML parser, which loads no external entities.
final class GPXReader: NSObject, XMLParserDelegate {
    /// The deepest accepted nesting; known programs' extensions need less.
    static let depthMax = 32
    /// The points of each part of a track.
    private var segments: [[Fix]] = []
    private var wayPoints: [Fix] = []
    private var pointsCount = 0
    /// The name of the first track that has one.
    private var name: String?
    private var names: [String] = []
    private var point: Point?
    /// The text of a point's `time` or a track's `name` while it is read.
    private var text = ""
    private var at: Timestamp?
    private var fault: GPXFault?

    /// Returns the name and the points of a file.
    /// - Throws: ``GPXFault``.
    static func content(of bytes: [UInt8]) throws(GPXFault) -> GPXContent {
        let bytes = try GPXText.utf8(of: bytes)
        // This is checked before parsing, because a document type's entities can expand without
        // limit.
        guard !bytes.containsDocumentType else { throw .documentType }
        let reader = GPXReader()
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isWhole = parser.parse()
        if let fault = reader.fault { throw fault }
        guard isWhole else { throw .malformed(line: parser.lineNumber) }
        let segments = reader.segments.filter { !$0.isEmpty }
        return GPXContent(
            name: reader.name, segments: segments.isEmpty ? [reader.wayPoints] : segments)
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        let name = GPXReader.local(name)
        if names.isEmpty, name != "gpx" {
            return stop(parser, .notGPX(String(name.prefix(RecordedTime.charactersMax))))
        }
        guard names.count < GPXReader.depthMax else {
            return stop(parser, .tooDeep(limit: GPXReader.depthMax))
        }
        names.append(name)
        if GPXReader.isPoint(name) { begin(parser, attributes) }
        if name == "trkseg" { segments.append([]) }
        text = ""
    }

    private func begin(_ parser: XMLParser, _ attributes: [String: String]) {
        guard let latitude = attributes["lat"].flatMap(Double.init),
            let longitude = attributes["lon"].flatMap(Double.init),
            let point = try? Point(latitude: latitude, longitude: longitude)
        else { return stop(parser, .badPoint(line: parser.lineNumber)) }
        guard pointsCount < GPXTrack.pointsMax else {
            return stop(parser, .tooManyPoints(limit: GPXTrack.pointsMax))
        }
        pointsCount += 1
        self.point = point
        at = nil
    }

    func parser(_ parser: XMLParser, foundCharacters found: String) {
        // Scalars are counted: one character may be as long as the file.
        let longest = RecordedTime.charactersMax
        guard names.last == "time" && point != nil || names.suffix(2) == ["trk", "name"],
            text.unicodeScalars.count <= longest
        else { return }
        text.unicodeScalars += found.unicodeScalars.prefix(longest + 1 - text.unicodeScalars.count)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        let name = GPXReader.local(name)
        names.removeLast(names.isEmpty ? 0 : 1)
        if name == "time", let parent = names.last, GPXReader.isPoint(parent) {
            at = RecordedTime.timestamp(text)
        }
        if name == "name", names.last == "trk", self.name == nil { self.name = trackName }
        guard GPXReader.isPoint(name), let point else { return }
        store(Fix(point: point, at: at), isOfTrack: name == "trkpt")
        self.point = nil
    }

    private func store(_ fix: Fix, isOfTrack: Bool) {
        guard isOfTrack else { return wayPoints.append(fix) }
        if segments.isEmpty { segments.append([]) }
        segments[segments.count - 1].append(fix)
    }

    /// The text that was read as a track's name, without white space at its ends; nil if it is
    /// blank.
    private var trackName: String? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        fault = fault ?? .malformed(line: parser.lineNumber)
    }

    private func stop(_ parser: XMLParser, _ fault: GPXFault) {
        self.fault = self.fault ?? fault
        parser.abortParsing()
    }

    private static func isPoint(_ name: String) -> Bool { name == "trkpt" || name == "wpt" }

    /// Returns a name without its namespace prefix.
    private static func local(_ name: String) -> String {
        name.split(separator: ":").last.map(String.init) ?? name
    }
}

extension [UInt8] {
    /// Whether a document type is declared.
    fileprivate var containsDocumentType: Bool {
        let wanted = Array<UInt8>("<!DOCTYPE".utf8)
        var matched = 0
        for byte in self {
            if byte == wanted[matched] {
                matched += 1
                if matched == wanted.count { return true }
            } else {
                matched = byte == wanted[0] ? 1 : 0
            }
        }
        return false
    }
}
