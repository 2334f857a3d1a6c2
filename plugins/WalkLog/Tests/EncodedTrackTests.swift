import PluginKit
import Testing

@testable import WalkLog

@Suite struct EncodedTrackTests {
    private func point(
        _ latitude: Int64, _ longitude: Int64, ms: Int64 = 0, starts: Bool = false
    ) throws -> TrackPoint {
        try #require(
            TrackPoint(
                latitudeE7: latitude, longitudeE7: longitude, at: Timestamp(milliseconds: ms),
                startsSegment: starts))
    }

    /// Returns a track with an announced number of points and these bytes after it.
    private func track(_ count: UInt64, _ rest: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = [1]
        bytes.append(varint: count)
        return bytes + rest
    }

    @Test func `points at all ends of the Earth and of time are read as they were written`() throws
    {
        let points = [
            try point(900_000_000, -1_800_000_000, ms: Timestamp.millisecondsMax, starts: true),
            try point(-900_000_000, 1_800_000_000), try point(0, 0, ms: 7, starts: true),
        ]
        #expect(try EncodedTrack.points(of: EncodedTrack.bytes(of: points)) == points)
        #expect(try EncodedTrack.points(of: EncodedTrack.bytes(of: [])).isEmpty)
    }

    @Test func `the longest track fits into its content`() throws {
        let ends = [
            try point(900_000_000, -1_800_000_000, ms: Timestamp.millisecondsMax),
            try point(-900_000_000, 1_800_000_000),
        ]
        let points = (0..<WalkLimits.pointsCountMax).map { ends[$0 % 2] }
        let bytes = EncodedTrack.bytes(of: points)
        #expect(bytes.count <= WalkLimits.trackBytesMax)
        #expect(try EncodedTrack.points(of: bytes) == points)
        #expect(throws: TrackFault.tooManyPoints(limit: WalkLimits.pointsCountMax)) {
            try EncodedTrack.points(of: EncodedTrack.bytes(of: points + [ends[0]]))
        }
    }

    @Test func `a track that announces ten million points allocates nothing`() {
        #expect(throws: TrackFault.tooManyPoints(limit: WalkLimits.pointsCountMax)) {
            try EncodedTrack.points(of: track(10_000_000))
        }
        #expect(throws: TrackFault.tooManyPoints(limit: WalkLimits.pointsCountMax)) {
            try EncodedTrack.points(of: track(.max))
        }
    }

    @Test func `a track with a degree too many, a cut end or a rest is refused`() throws {
        var beyond: [UInt8] = [0]
        beyond.append(zigzag: 900_000_001)
        beyond += [0, 0]
        #expect(throws: TrackFault.badPoint(index: 0)) {
            try EncodedTrack.points(of: track(1, beyond))
        }
        // The sum of two numbers that each fit into 64 bits.
        var huge: [UInt8] = [0, 2, 0, 0, 0]
        huge.append(zigzag: .max)
        huge += [0, 0]
        #expect(throws: TrackFault.badPoint(index: 1)) {
            try EncodedTrack.points(of: track(2, huge))
        }
        #expect(throws: TrackFault.badPoint(index: 0)) { try EncodedTrack.points(of: track(1)) }
        #expect(throws: TrackFault.badPoint(index: 0)) {
            try EncodedTrack.points(of: track(1, [2, 0, 0, 0]))
        }
        #expect(throws: TrackFault.trailingBytes(count: 1)) {
            try EncodedTrack.points(of: track(0, [0]))
        }
        #expect(throws: TrackFault.unknownVersion) { try EncodedTrack.points(of: [2, 0]) }
        #expect(throws: TrackFault.unknownVersion) { try EncodedTrack.points(of: []) }
        let limit = WalkLimits.trackBytesMax
        #expect(throws: TrackFault.tooLong(bytes: limit + 1, limit: limit)) {
            try EncodedTrack.points(of: [UInt8](repeating: 0, count: limit + 1))
        }
    }

    @Test func `a straight way keeps its ends, a corner stays, and a pause stays`() throws {
        let way = try (0...10).map { try point(Int64($0) * 900, 0) }
        let corner = try (1...10).map { try point(9000, Int64($0) * 900) }
        let later = try (0...3).map { try point(20_000 + Int64($0) * 900, 0, starts: $0 == 0) }
        let kept = TrackSimplifier(way + corner + later).points(withinMetres: 1)
        #expect(kept == [way[0], way[10], corner[9], later[0], later[3]])
        #expect(TrackSimplifier([]).points(withinMetres: 1).isEmpty)
        #expect(TrackSimplifier([way[0]]).points(countMax: 2) == [way[0]])
        #expect(TrackSimplifier(way + corner).points(countMax: 3).count == 3)
        #expect(TrackSimplifier(way + corner + later).points(countMax: 2).count == 2)
    }
}
