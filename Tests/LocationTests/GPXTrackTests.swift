@testable import Location
import Testing

/// Tests tracks written by other programs, and files that are not tracks.
struct GPXTrackTests {
    private func track(_ body: String, root: String = "gpx") throws(GPXFault) -> GPXTrack {
        try GPXTrack(gpx: Array("<?xml version=\"1.0\"?><\(root)>\(body)</\(root)>".utf8))
    }

    private func point(_ attributes: String, _ inside: String = "") -> String {
        "<trk><trkseg><trkpt \(attributes)>\(inside)</trkpt></trkseg></trk>"
    }

    @Test func `points are read with their own times`() throws {
        let track = try track(
            "<trk><trkseg>"
                + "<trkpt lat='37.5665' lon='126.978'><ele>30</ele>"
                + "<time>2026-05-01T09:00:00Z</time></trkpt>"
                + "<trkpt lat='37.5666' lon='126.979'><time>2026-05-01T09:00:01.5Z</time></trkpt>"
                + "</trkseg></trk>")
        #expect(track.fixes.map(\.at?.milliseconds) == [1_777_626_000_000, 1_777_626_001_500])
        #expect(track.fixes.map(\.point.latitude) == [37.5665, 37.5666])
        #expect(track.fixes.map(\.accuracyMetres) == [nil, nil])
    }

    @Test func `a prefix of a name is ignored`() throws {
        let file =
            "<g:gpx xmlns:g='http://www.topografix.com/GPX/1/1'><g:trk><g:trkseg>"
            + "<g:trkpt lat='1' lon='2'><g:time>2026-05-01T09:00:00Z</g:time></g:trkpt>"
            + "</g:trkseg></g:trk></g:gpx>"
        #expect(try GPXTrack(gpx: Array(file.utf8)).fixes.count == 1)
    }

    @Test func `points are sorted, and those without a time are omitted`()
        throws
    {
        let track = try track(
            point("lat='1' lon='1'", "<time>2026-05-01T10:00:00Z</time>")
                + point("lat='2' lon='2'", "<time>2026-05-01T09:00:00Z</time>")
                + point("lat='3' lon='3'") + point("lat='4' lon='4'", "<time>soon</time>"))
        #expect(track.fixes.map(\.point.latitude) == [2, 1])
    }

    @Test func `a time of the file itself is not a point's time`() {
        #expect(throws: GPXFault.noTimes) {
            try track(
                "<metadata><time>2026-05-01T09:00:00Z</time></metadata>" + point("lat='1' lon='1'"))
        }
    }

    @Test func `a document type is refused before any entity expands`() {
        var file = "<?xml version=\"1.0\"?><!DOCTYPE gpx [<!ENTITY a0 \"aaaaaaaaaa\">"
        for level in 1...9 {
            let inner = String(repeating: "&a\(level - 1);", count: 10)
            file += "<!ENTITY a\(level) \"\(inner)\">"
        }
        file += "]><gpx>&a9;</gpx>"
        #expect(throws: GPXFault.documentType) { try GPXTrack(gpx: Array(file.utf8)) }
        // The same in UTF-16, in which zero bytes separate the letters.
        let wide: [UInt8] = file.utf16.reduce(into: [0xFF, 0xFE]) {
            $0 += [UInt8($1 & 0xFF), UInt8($1 >> 8)]
        }
        #expect(throws: GPXFault.documentType) { try GPXTrack(gpx: wide) }
    }

    @Test func `an external entity is not fetched`() {
        let file =
            "<!DOCTYPE gpx [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><gpx>&x;</gpx>"
        #expect(throws: GPXFault.documentType) { try GPXTrack(gpx: Array(file.utf8)) }
    }

    @Test func `broken XML is reported with its line`() {
        #expect(throws: GPXFault.malformed(line: 3)) {
            try GPXTrack(gpx: Array("<gpx>\n<trk>\n</gpx>".utf8))
        }
        #expect(throws: (any Error).self) { try GPXTrack(gpx: []) }
    }

    @Test(
        arguments: [
            [0x3C, 0xED, 0xED, 0xED, 0xFB, 0x9D], Array("<gpx>\0</gpx>".utf8),
            Array("<gpx \u{0}".utf8), [0xFF, 0xFE, 0x3C], [0xFF, 0xFE, 0x00, 0xD8],
            Array("<?xml version='1.0' encoding='UTF-8'?><gpx>".utf8) + [0xE9],
        ] as [[UInt8]])
    func `bytes that are no text do not reach the parser`(bytes: [UInt8]) {
        #expect(throws: GPXFault.unknownEncoding) { try GPXTrack(gpx: bytes) }
    }

    /// The parser would read the body in UTF-7, in which `+ADw-` is `<`, and find a document type
    /// that the check of the bytes cannot see.
    @Test(arguments: [
        "<?xml?><?xml version='1.0' encoding='UTF-7'?>", "<?xml?>\u{FEFF}",
        "\u{FEFF}<?xml?><?xml version='1.0' encoding='UTF-7'?>", "\u{FEFF}\u{FEFF}",
        "<?xml version='1.0' encoding='UTF-7' ",
    ])
    func `a second declaration does not reach the parser`(start: String) {
        let file = start + "+ADwAIQ-DOCTYPE gpx [+ADwAIQ-ENTITY x 'y'>]><gpx>&x;</gpx>"
        #expect(throws: GPXFault.repeatedDeclaration) { try GPXTrack(gpx: Array(file.utf8)) }
    }

    @Test func `processing instructions do not reach the parser, and lines keep their numbers`()
        throws
    {
        let timed = point("lat='1' lon='1'", "<time>2026-05-01T09:00:00Z</time>")
        for instruction in ["<?a?>", "<?xml?>", "<?a b='c'?>", "<??>", "<!-- <?a?> -->"] {
            #expect(try track(instruction + timed).fixes.count == 1)
        }
        #expect(throws: GPXFault.malformed(line: 3)) { try track("<?a\n?>\n</a>") }
        for open in ["<?", "<?>", "<?a"] {
            #expect(throws: GPXFault.malformed(line: 1)) { try track(open + timed) }
        }
    }

    @Test func `a file in UTF-8, UTF-16 or ISO 8859-1 is read`() throws {
        let inside =
            "<gpx><trk><name>Müggelsee</name><trkseg><trkpt lat='1' lon='2'>"
            + "<time>2026-05-01T09:00:00Z</time></trkpt></trkseg></trk></gpx>"
        func declared(_ encoding: String) -> String {
            "<?xml version='1.0' encoding='\(encoding)'?>\n" + inside
        }
        let units = Array(declared("UTF-16").utf16)
        let files: [[UInt8]] = [
            Array(declared("UTF-8").utf8), Array(inside.utf8), [0xEF, 0xBB, 0xBF] + inside.utf8,
            [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
            declared("ISO-8859-1").unicodeScalars.map { UInt8($0.value) },
        ]
        for file in files { #expect(try GPXTrack(gpx: file).fixes.count == 1) }
    }

    @Test func `another kind of XML is reported by its name`() {
        #expect(throws: GPXFault.notGPX("html")) { try track("<p/>", root: "html") }
    }

    @Test(arguments: [
        "lat='90.1' lon='0'", "lat='0' lon='180.5'", "lat='nan' lon='0'", "lat='1'", "",
        "lat='1e400' lon='0'",
    ])
    func `a point off the Earth is refused`(attributes: String) {
        #expect(throws: GPXFault.badPoint(line: 1)) { try track(point(attributes)) }
    }

    @Test func `32 levels are read and 33 are not`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)
        }
        let timed = point("lat='1' lon='1'", "<time>2026-05-01T09:00:00Z</time>")
        #expect(try track(nested(31) + timed).fixes.count == 1)
        #expect(throws: GPXFault.tooDeep(limit: 32)) { try track(nested(32) + timed) }
    }

    @Test func `a file over the limit is refused unread`() {
        let bytes = [UInt8](repeating: UInt8(ascii: " "), count: GPXTrack.bytesMax + 1)
        #expect(throws: GPXFault.tooLong(limit: GPXTrack.bytesMax)) {
            try GPXTrack(gpx: bytes)
        }
    }

    @Test func `a track can start at another time`() throws {
        let track = try track(
            point("lat='1' lon='1'", "<time>2026-05-01T09:00:00Z</time>")
                + point("lat='2' lon='2'", "<time>2026-05-01T09:01:00Z</time>"))
        #expect(
            track.starting(at: Timestamp(milliseconds: 5000)).fixes.map(\.at?.milliseconds) == [
                5000, 65_000,
            ])
    }
}
