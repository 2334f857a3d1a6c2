import Glibc

/// Why two numbers are not a point on the Earth, checked in the order of the cases.
public enum PointFault: Error, Equatable, Sendable, CustomStringConvertible {
    case latitudeOutOfRange(Double)
    case longitudeOutOfRange(Double)

    /// A sentence that says which range was left.
    public var description: String {
        switch self {
        case .latitudeOutOfRange(let degrees):
            "The latitude \(degrees) is not within -90 and 90 degrees."
        case .longitudeOutOfRange(let degrees):
            "The longitude \(degrees) is not within -180 and 180 degrees."
        }
    }
}

/// A place on the Earth, in degrees, always finite and in range.
public struct Point: Hashable, Sendable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public let longitude: Double

    /// The radius of the sphere on which every distance is measured, in metres.
    public static let earthRadiusMetres = 6_371_000.0

    /// Takes degrees from anywhere, hostile ones too.
    /// - Throws: ``PointFault`` where a number is out of range, infinite or not a number.
    public init(latitude: Double, longitude: Double) throws(PointFault) {
        // A range contains no NaN, so these two checks cover every value that is not finite.
        guard (-90.0...90.0).contains(latitude) else { throw .latitudeOutOfRange(latitude) }
        guard (-180.0...180.0).contains(longitude) else { throw .longitudeOutOfRange(longitude) }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The distance to another point along the sphere, in metres, by the haversine formula.
    public func distanceMetres(to other: Point) -> Double {
        let sineOfHalfLatitude = sin((other.latitude - latitude).radians / 2)
        let sineOfHalfLongitude = sin((other.longitude - longitude).radians / 2)
        let haversine =
            sineOfHalfLatitude * sineOfHalfLatitude
            + cos(latitude.radians) * cos(other.latitude.radians)
            * sineOfHalfLongitude * sineOfHalfLongitude
        // Rounding can lift the haversine of two antipodes above 1, where asin has no value.
        return 2 * Self.earthRadiusMetres * asin(min(1, haversine.squareRoot()))
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
}
