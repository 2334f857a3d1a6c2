import Testing

@testable import OpenFormats

/// Tracks and places: written, read back, and as other programs write them.
struct TrackTests {
    private func fix(_ latitude: Double, _ longitude: Double, _ seconds: Int64? = nil) throws -> Fix
    {
        Fix(
            point: try Point(latitude: latitude, longitude: longitude),
            at: seconds.map { Timestamp(milliseconds: $0 * 1000) })
    }

    private func geoJSON(_ text: String) throws(FormatFault) -> Track {
        try Track(geoJSON: Array(text.utf8))
    }

    @Test func `a track is written as GPX`() throws {
        let track = Track(
            name: "A & <B>\u{1}", segments: [[try fix(37.5, -127, 0), try fix(-0.0000001, 0.5)]])
        #expect(
            track.gpx == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="Waggle">
                  <trk>
                    <name>A &amp; &lt;B&gt;</name>
                    <trkseg>
                      <trkpt lat="37.5" lon="-127"><time>1970-01-01T00:00:00Z</time></trkpt>
                      <trkpt lat="-0.0000001" lon="0.5"/>
                    </trkseg>
                  </trk>
                </gpx>

                """)
    }

    @Test func `a track is written as GeoJSON, a part as a line`() throws {
        let first = [try fix(1, 2, 0), try fix(1.5, 2, 1)]
        #expect(
            Track(segments: [first]).geoJSON == """
                {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Line\
                String","coordinates":[[2,1],[2,1.5]]},"properties":{"coordTimes":["1970-01-01T00:\
                00:00Z","1970-01-01T00:00:01Z"]}}]}

                """)
        #expect(
            Track(name: "\"a\"", segments: [first, [try fix(1, 2), try fix(3, 4)]]).geoJSON == """
                {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Multi\
                LineString","coordinates":[[[2,1],[2,1.5]],[[2,1],[4,3]]]},"properties":{"name":"\\"a\
                \\""}}]}

                """)
        #expect(Track(segments: [[try fix(1, 2)]]).geoJSON.contains("\"Point\""))
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `a track is the same after it was written and read`(seed: UInt64) throws {
        var random = Seeded(seed)
        let hasTimes = Bool.random(using: &random)
        let segments = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
            try (0..<Int.random(in: 2...20, using: &random)).map { _ in
                Fix(point: try random.point(), at: hasTimes ? random.moment() : nil)
            }
        }
        let name = random.text(countMax: 10).filter { !$0.isNewline }
        let track = Track(name: name, segments: segments)
        #expect(try Track(file: Array(track.gpx.utf8)) == track)
        #expect(try Track(file: Array(track.geoJSON.utf8)) == track)
    }

    @Test(
        arguments: [
            ("garmin.gpx", "Seoul Walking", [2]), ("strava.gpx", "Morning Walk", [2]),
            ("osmand.gpx", nil, [1, 2]), ("geojson-io.geojson", "Around the pond", [2]),
        ] as [(String, String?, [Int])])
    func `a track of another program is read`(file: String, name: String?, counts: [Int]) throws {
        let track = try Track(file: try Sample.bytes(file))
        #expect(track.name == name)
        #expect(track.segments.map(\.count) == counts)
        #expect(track.fixes.first?.at?.milliseconds == 1_780_304_400_000)
        #expect(track.lengthMetres > 10 && track.lengthMetres < 40)
    }

    @Test func `the gap between two parts is not walked`() throws {
        let (near, far) = (try fix(0, 0), try fix(10, 10))
        #expect(Track(segments: [[near, near], [far, far]]).lengthMetres == 0)
        #expect(Track(segments: [[near], [], [far]]).segments.count == 2)
    }

    @Test func `points off the Earth are refused, and so are numbers that are none`() {
        func line(_ first: String) -> String {
            "{\"type\":\"LineString\",\"coordinates\":[[\(first)],[1,2]]}"
        }
        for position in ["181,0", "0,90.5", "-180.1,0"] {
            #expect(throws: FormatFault.badPoint) { try geoJSON(line(position)) }
        }
        for position in ["NaN,0", "1", "\"1\",2", "null,0", "1e999,0", "[1],2"] {
            #expect(throws: FormatFault.self) { try geoJSON(line(position)) }
        }
        #expect((try? geoJSON(line("180,90,5,6,7")))?.fixes.count == 2)
    }

    @Test(arguments: [
        "", "{", "[]", "{\"type\":\"FeatureCollection\"}", "{\"type\":5}", "<gpx/>",
        "{\"type\":\"LineString\",\"coordinates\":5}", "{\"type\":\"Feature\",\"geometry\":[]}",
    ])
    func `damaged GeoJSON is refused`(text: String) {
        #expect(throws: FormatFault.malformed(line: nil)) { try geoJSON(text) }
    }

    @Test(arguments: [
        "{\"type\":\"Point\",\"coordinates\":[1,2]}", "{\"type\":\"Other\"}",
        "{\"type\":\"LineString\",\"coordinates\":[]}", "{\"type\":\"Feature\",\"geometry\":null}",
    ])
    func `GeoJSON without a line is no track`(text: String) {
        #expect(throws: FormatFault.nothing(.track)) { try geoJSON(text) }
    }

    @Test func `32 levels are read and 33 are not`() throws {
        // A line has three levels.
        func nested(_ levels: Int) -> String {
            let line = "{\"type\":\"LineString\",\"coordinates\":[[1,2],[1,3]]}"
            let collection = "{\"type\":\"GeometryCollection\",\"geometries\":["
            let count = (levels - 3) / 2
            return String(repeating: collection, count: count)
                + (levels.isMultiple(of: 2) ? "{\"type\":\"Feature\",\"geometry\":\(line)}" : line)
                + String(repeating: "]}", count: count)
        }
        #expect(try geoJSON(nested(32)).fixes.count == 2)
        #expect(throws: FormatFault.tooDeep(limit: 32)) { try geoJSON(nested(33)) }
        #expect(throws: FormatFault.tooDeep(limit: 32)) {
            try geoJSON(String(repeating: "[", count: 1_000_000))
        }
    }

    @Test func `a file over the limit is refused unread`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "{"), count: FormatLimits.trackBytesMax + 1)
        #expect(
            throws: FormatFault.tooLong(limit: FormatLimits.trackBytesMax)
        ) { try Track(geoJSON: bytes) }
    }

    @Test func `an unknown year of a point leaves it without a time`() throws {
        let track = try geoJSON(
            """
            {"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4],[5,6]]},
             "properties":{"coordTimes":["0001-01-01T00:00:00Z",null]}}
            """)
        #expect(track.fixes.map(\.at) == [nil, nil, nil])
    }

    @Test func `places are features with a name and a time`() throws {
        let place = Place(
            name: "Gate \"2\"\n", point: try Point(latitude: 37.5, longitude: 127), at: .min)
        #expect(
            Place.geoJSON([place]) == """
                {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point\
                ","coordinates":[127,37.5]},"properties":{"name":"Gate \\"2\\"\\n","time":"1970-01-\
                01T00:00:00Z"}}]}

                """)
        #expect(Place.geoJSON([]) == "{\"type\":\"FeatureCollection\",\"features\":[]}\n")
    }
}
