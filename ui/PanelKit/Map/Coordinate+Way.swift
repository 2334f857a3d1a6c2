import Foundation
import Location

extension Coordinate {
    /// Returns the distance and the direction to another location, such as "499 m north-east".
    public func way(to other: Coordinate) -> String? {
        DistanceText.text(metres: distanceMetres(to: other)).map { "\($0) \(direction(to: other))" }
    }

    /// Returns the nearest of the eight directions of a compass in which another location lies.
    private func direction(to other: Coordinate) -> String {
        let (here, there) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let east = (other.longitude - longitude) * .pi / 180
        let bearing = atan2(
            sin(east) * cos(there),
            cos(here) * sin(there) - sin(here) * cos(there) * cos(east))
        let step = Int((bearing / (.pi / 4)).rounded())
        return Self.directions[(step + Self.directions.count) % Self.directions.count]
    }

    private static let directions = [
        localized("north"), localized("north-east"), localized("east"), localized("south-east"),
        localized("south"), localized("south-west"), localized("west"), localized("north-west"),
    ]
}
