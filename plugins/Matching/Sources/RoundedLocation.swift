internal import PluginKit

/// A location rounded to a grid of about 100 m.
///
/// Rows are 100 m apart; the columns of a row are as many as fit its length 100 m apart, so the
/// rounded location is at most 71 m away everywhere, also near the poles and at 180°.
struct RoundedLocation: Hashable, Sendable {
    /// Degrees × 10⁵.
    let latitude: Int32
    let longitude: Int32

    /// The distance between two lines of the grid, in metres.
    static let gridMetres = 100.0
    private static let unitsPerDegree = 100_000.0
    private static let metresPerDegree = Point.earthRadiusMetres * .pi / 180

    /// Rounds a location.
    init(_ point: Point) {
        let step = Self.gridMetres / Self.metresPerDegree
        let row = min(90, max(-90, (point.latitude / step).rounded() * step))
        let columns = max(1, (360 * Self.degreeMetres(atLatitude: row) / Self.gridMetres).rounded())
        let width = 360 / columns
        let column = (point.longitude / width).rounded() * width
        latitude = Int32((row * Self.unitsPerDegree).rounded())
        // 180° east and west are one line.
        let units = (column * Self.unitsPerDegree).rounded()
        let turn = 360 * Self.unitsPerDegree
        longitude = Int32(
            units > turn / 2 ? units - turn : units < -turn / 2 ? units + turn : units)
    }

    /// Returns the length of a degree of longitude, in metres.
    private static func degreeMetres(atLatitude latitude: Double) -> Double {
        guard let west = try? Point(latitude: latitude, longitude: 0),
            let east = try? Point(latitude: latitude, longitude: 1)
        else { return 0 }
        return west.distanceMetres(to: east)
    }

    /// The location in degrees; nil if another device sent numbers that are none.
    var point: Point? {
        try? Point(
            latitude: Double(latitude) / Self.unitsPerDegree,
            longitude: Double(longitude) / Self.unitsPerDegree)
    }

    /// The bytes on the wire.
    var encoded: [UInt8] {
        [latitude, longitude].flatMap { number in
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> Int32(8 * $0)) }
        }
    }

    /// Reads a location.
    /// - Throws: ``RecordFault``.
    init(from reader: inout ByteReader) throws(RecordFault) {
        latitude = Int32(bitPattern: try reader.integer(UInt32.self))
        longitude = Int32(bitPattern: try reader.integer(UInt32.self))
    }
}
