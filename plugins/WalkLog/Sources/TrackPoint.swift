internal import PluginKit

/// A point of a recorded track. Its degrees are rounded to ten-millionths, about a centimetre, so
/// that a track is the same in memory, in the journal and in its content.
struct TrackPoint: Hashable, Sendable {
    /// Degrees north of the equator, in ten-millionths.
    let latitudeE7: Int32
    /// Degrees east of Greenwich, in ten-millionths.
    let longitudeE7: Int32
    /// The time of the fix, by its source's clock if the source reported one.
    let at: Timestamp
    /// Whether the way from the point before it does not belong to the walk, because of a pause.
    let startsSegment: Bool

    private static let unitsPerDegree = 1e7
    private static let latitudes: ClosedRange<Int64> = -900_000_000...900_000_000
    private static let longitudes: ClosedRange<Int64> = -1_800_000_000...1_800_000_000

    /// Creates the point of a fix.
    init(_ point: Point, at: Timestamp, startsSegment: Bool) {
        latitudeE7 = Int32((point.latitude * Self.unitsPerDegree).rounded())
        longitudeE7 = Int32((point.longitude * Self.unitsPerDegree).rounded())
        self.at = at
        self.startsSegment = startsSegment
    }

    /// Creates a point from untrusted numbers; nil if they are out of range.
    init?(latitudeE7: Int64, longitudeE7: Int64, at: Timestamp, startsSegment: Bool) {
        guard Self.latitudes.contains(latitudeE7), Self.longitudes.contains(longitudeE7) else {
            return nil
        }
        self.latitudeE7 = Int32(latitudeE7)
        self.longitudeE7 = Int32(longitudeE7)
        self.at = at
        self.startsSegment = startsSegment
    }

    /// The location.
    var point: Point {
        do {
            return try Point(
                latitude: Double(latitudeE7) / Self.unitsPerDegree,
                longitude: Double(longitudeE7) / Self.unitsPerDegree)
        } catch {
            preconditionFailure("the degrees were checked when the point was made: \(error)")
        }
    }
}
