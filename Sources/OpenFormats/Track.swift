/// A recorded walk: its points in the order in which they were recorded.
///
/// ```swift
/// let track = try Track(file: bytes)  // GPX or GeoJSON
/// let metres = track.lengthMetres
/// let gpx = track.gpx, geoJSON = track.geoJSON
/// ```
public struct Track: Hashable, Sendable {
    /// The name, if it has one.
    public var name: String?
    /// The parts of the track. Nothing was recorded between one and the next, as in a pause.
    public var segments: [[Fix]]

    /// Creates a track; parts without a point are left out.
    public init(name: String? = nil, segments: [[Fix]]) {
        self.name = name
        self.segments = segments.filter { !$0.isEmpty }
    }

    /// All points, in order.
    public var fixes: [Fix] { segments.flatMap { $0 } }

    /// The length of all parts, without the gaps between them, in metres.
    public var lengthMetres: Double {
        segments.reduce(0) { length, segment in
            zip(segment, segment.dropFirst()).reduce(length) {
                $0 + $1.0.point.distanceMetres(to: $1.1.point)
            }
        }
    }

    /// Reads a track of a file in GPX 1.0 or 1.1 or in GeoJSON (RFC 7946).
    /// - Throws: ``GPXFault`` for a file in XML, ``FormatFault`` for any other.
    public init(file bytes: [UInt8]) throws {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        let mark = Array("\u{FEFF}".utf8)
        let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
        if content.first(where: { !blanks.contains($0) }) == UInt8(ascii: "{") {
            try self.init(geoJSON: Array(content))
        } else {
            try self.init(gpx: bytes)
        }
    }

    /// Reads all tracks of a GPX file as one: the points of its tracks, or else its way points. A
    /// point may have no time.
    /// - Throws: ``GPXFault``
    public init(gpx bytes: [UInt8]) throws(GPXFault) {
        let file = try GPXTrack.content(gpx: bytes)
        self.init(name: file.name, segments: file.segments)
    }

    /// The track as GPX 1.1, with a time for each point that has one.
    public var gpx: String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="Waggle">
              <trk>

            """
        if let name { text += "    <name>\(Track.escaped(name))</name>\n" }
        for segment in segments {
            text += "    <trkseg>\n"
            for fix in segment {
                let latitude = DecimalText.degrees(fix.point.latitude)
                let longitude = DecimalText.degrees(fix.point.longitude)
                text += "      <trkpt lat=\"\(latitude)\" lon=\"\(longitude)\""
                text += fix.at.map { "><time>\(TimeText.text($0))</time></trkpt>\n" } ?? "/>\n"
            }
            text += "    </trkseg>\n"
        }
        return text + "  </trk>\n</gpx>\n"
    }

    /// Returns a text for XML. Characters that XML does not have are left out.
    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\t", "\n": result.append(scalar)
            case _ where scalar.value < 0x20 || (0xFFFE...0xFFFF).contains(scalar.value): continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
