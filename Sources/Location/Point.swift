import Glibc
public import Localization

/// The reason two numbers are not a location on Earth. They are checked in the order of the cases.
public enum PointFault: SentenceError, Equatable, Sendable {
    /// The latitude is not within -90 and 90 degrees.
    case latitudeOutOfRange(Double)
    /// The longitude is not within -180 and 180 degrees.
    case longitudeOutOfRange(Double)

    /// A sentence for people about the exceeded range.
    public var sentence: Sentence {
        switch self {
        case .latitudeOutOfRange(let degrees):
            "The latitude \(degrees) is not within -90 and 90 degrees."
        case .longitudeOutOfRange(let degrees):
            "The longitude \(degrees) is not within -180 and 180 degrees."
        }
    }
}

/// A location on Earth in degrees, always finite and in range.
///
/// ```swift
/// let gate = try Point(latitude: 52.5163, longitude: 13.3777)  // throws PointFault
/// let tower = try Point(latitude: 52.5208, longitude: 13.4094)
/// let metres = gate.distanceMetres(to: tower)  // about 2 200
/// ```
public struct Point: Hashable, Sendable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public let longitude: Double

    /// The radius of the sphere used for all distances, in metres.
    public static let earthRadiusMetres = 6_371_000.0

    /// Creates a location from untrusted degrees.
    /// - Throws: ``PointFault`` if a number is out of range, infinite or not a number.
    public init(latitude: Double, longitude: Double) throws(PointFault) {
        // A range contains no NaN, so these checks also refuse all values that are not finite.
        guard (-90.0...90.0).contains(latitude) else { throw .latitudeOutOfRange(latitude) }
        guard (-180.0...180.0).contains(longitude) else { throw .longitudeOutOfRange(longitude) }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Returns the distance to another location along the sphere, in metres, by the haversine
    /// formula.
    public func distanceMetres(to other: Point) -> Double {
        let sineOfHalfLatitude = sin((other.latitude - latitude).radians / 2)
        let sineOfHalfLongitude = sin((other.longitude - longitude).radians / 2)
        let haversine =
            sineOfHalfLatitude * sineOfHalfLatitude
            + cos(latitude.radians) * cos(other.latitude.radians)
            * sineOfHalfLongitude * sineOfHalfLongitude
        // Rounding can make the haversine of two antipodes greater than 1, where asin is undefined.
        return 2 * Self.earthRadiusMetres * asin(min(1, haversine.squareRoot()))
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
}
