import PluginKit
import Testing

@testable import WalkLog

@Suite struct SharedWayTests {
    /// Returns points north of a gate, some metres apart.
    private func way(_ metres: [Double]) throws -> [TrackPoint] {
        try metres.enumerated().map { index, north in
            TrackPoint(
                try Point(latitude: 37.5 + north / 111_194.93, longitude: 127),
                at: Timestamp(milliseconds: Int64(index) * 1000), startsSegment: index == 0)
        }
    }

    @Test func `200 m around the start and the end are left out, and a little more is shown`()
        throws
    {
        let track = try way([0, 199.9, 200.1, 500, 799.9, 800.1, 1000])
        let shown = SharedWay.points(of: track, isWhole: false)
        #expect(shown.map(\.latitudeE7) == track[2...4].map(\.latitudeE7))
        #expect(shown.map(\.startsSegment) == [true, false, false])
        #expect(SharedWay.points(of: track, isWhole: true) == track)
    }

    @Test func `a way that comes by its start again is left out there, too`() throws {
        let track = try way([0, 300, 400, 100, 350, 500, 900])
        let shown = SharedWay.points(of: track, isWhole: false)
        #expect(shown.map(\.at.milliseconds) == [1000, 2000, 4000, 5000])
        #expect(shown.map(\.startsSegment) == [true, false, true, false])
    }

    @Test func `a short way shows no point, and neither does one without points`() throws {
        #expect(SharedWay.points(of: try way([0, 100, 200]), isWhole: false).isEmpty)
        #expect(SharedWay.points(of: [], isWhole: false).isEmpty)
        #expect(SharedWay.encoded([]).pointsCount == 0)
    }

    @Test func `a way of many corners is simplified until it fits into a record`() throws {
        let track = try (0..<6000).map { index in
            let (north, east) = (Double(index) * 1e-4, Double(index * 7919 % 101) * 1e-5)
            return TrackPoint(
                try Point(latitude: 37 + north, longitude: 127 + east),
                at: Timestamp(milliseconds: Int64(index) * 1_000_000_000), startsSegment: false)
        }
        let way = SharedWay.encoded(track)
        #expect(way.bytes.count <= WalkLimits.wayBytesMax && way.pointsCount >= 100)
        #expect(try EncodedTrack.points(of: way.bytes).count == way.pointsCount)
    }
}
