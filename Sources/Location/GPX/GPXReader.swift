internal import Foundation
internal import FoundationXML

/// Reads the points of a GPX file with the system's XML parser, which loads no external entities.
final class GPXReader: NSObject, XMLParserDelegate {
    /// The deepest accepted nesting; known programs' extensions need less.
    static let depthMax = 32
    private var trackPoints: [Fix] = []
    private var wayPoints: [Fix] = []
    private var names: [String] = []
    private var point: Point?
    /// The text of a point's `time` while it is read.
    private var time = ""
    private var at: Timestamp?
    private var fault: GPXFault?

    /// Returns the points of a file.
    /// - Throws: ``GPXFault``.
    static func points(of bytes: [UInt8]) throws(GPXFault) -> [Fix] {
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
        return reader.trackPoints.isEmpty ? reader.wayPoints : reader.trackPoints
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
        time = ""
    }

    private func begin(_ parser: XMLParser, _ attributes: [String: String]) {
        guard let latitude = attributes["lat"].flatMap(Double.init),
            let longitude = attributes["lon"].flatMap(Double.init),
            let point = try? Point(latitude: latitude, longitude: longitude)
        else { return stop(parser, .badPoint(line: parser.lineNumber)) }
        guard trackPoints.count + wayPoints.count < GPXTrack.pointsMax else {
            return stop(parser, .tooManyPoints(limit: GPXTrack.pointsMax))
        }
        self.point = point
        at = nil
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        // Scalars are counted: one character may be as long as the file.
        let longest = RecordedTime.charactersMax
        guard names.last == "time", point != nil, time.unicodeScalars.count <= longest else {
            return
        }
        time.unicodeScalars += text.unicodeScalars.prefix(longest + 1)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        let name = GPXReader.local(name)
        names.removeLast(names.isEmpty ? 0 : 1)
        if name == "time", let parent = names.last, GPXReader.isPoint(parent) {
            at = RecordedTime.timestamp(time)
        }
        guard GPXReader.isPoint(name), let point else { return }
        let fix = Fix(point: point, at: at)
        if name == "trkpt" { trackPoints.append(fix) } else { wayPoints.append(fix) }
        self.point = nil
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
