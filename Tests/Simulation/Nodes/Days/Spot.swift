internal import Foundation

/// A location on Earth, computed by the simulator itself.
struct Spot: Hashable, Sendable {
    let latitude: Double
    let longitude: Double

    private static let radiusMetres = 6_371_000.0

    /// Returns the distance by the haversine formula.
    func metres(to other: Spot) -> Double {
        let radians = Double.pi / 180
        let (north, east) = (
            (other.latitude - latitude) * radians / 2, (other.longitude - longitude) * radians / 2
        )
        let chord =
            sin(north) * sin(north)
            + cos(latitude * radians) * cos(other.latitude * radians) * sin(east) * sin(east)
        return 2 * Self.radiusMetres * asin(min(1, chord.squareRoot()))
    }

    /// Returns the location at a distance in metres and a direction in degrees from north; precise
    /// for a few kilometres.
    func moved(metres: Double, towards degrees: Double) -> Spot {
        let perDegree = Self.radiusMetres * Double.pi / 180
        let radians = degrees * Double.pi / 180
        return Spot(
            latitude: latitude + metres * cos(radians) / perDegree,
            longitude: longitude
                + metres * sin(radians) / perDegree / cos(latitude * Double.pi / 180))
    }
}
