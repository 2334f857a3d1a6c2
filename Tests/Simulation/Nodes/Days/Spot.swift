internal import Foundation

/// A place on the Earth, by the simulator's own reckoning.
struct Spot: Hashable, Sendable {
    let latitude: Double
    let longitude: Double

    private static let radiusMetres = 6_371_000.0

    /// The distance by the haversine formula.
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

    /// The spot so many metres away in a direction, in degrees from north; good for a few
    /// kilometres.
    func moved(metres: Double, towards degrees: Double) -> Spot {
        let perDegree = Self.radiusMetres * Double.pi / 180
        let radians = degrees * Double.pi / 180
        return Spot(
            latitude: latitude + metres * cos(radians) / perDegree,
            longitude: longitude
                + metres * sin(radians) / perDegree / cos(latitude * Double.pi / 180))
    }
}
