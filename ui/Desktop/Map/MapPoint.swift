import Foundation
import Location
import PanelKit

/// A point of the flat map, in Web Mercator metres (EPSG:3857).
struct MapPoint: Equatable, Sendable {
    /// Metres east of Greenwich and north of the equator, as the projection stretches them.
    var x, y: Double

    /// The sphere that EPSG:3857 projects, in metres.
    static let projectionRadius = 6_378_137.0
    /// Half the side of the square map, in metres.
    static let extent = Double.pi * projectionRadius

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Projects a location.
    init(_ location: Coordinate) {
        x = Self.projectionRadius * location.longitude * .pi / 180
        y = Self.projectionRadius * asinh(tan(location.latitude * .pi / 180))
    }

    /// The location on Earth; a point beyond the map's edge is moved to the edge.
    var coordinate: Coordinate {
        let inside = clamped
        let latitude = atan(sinh(inside.y / Self.projectionRadius)) * 180 / .pi
        let longitude = inside.x / Self.projectionRadius * 180 / .pi
        let location = Coordinate(
            latitude: latitude, longitude: min(max(longitude, -180), 180))
        guard let location else { preconditionFailure("A point inside the map is a location.") }
        return location
    }

    /// The nearest point that is on the map.
    var clamped: MapPoint {
        MapPoint(
            x: min(max(x, -Self.extent), Self.extent), y: min(max(y, -Self.extent), Self.extent))
    }

    /// The metres on the ground for one metre of the map, here.
    var groundScale: Double {
        cos(coordinate.latitude * .pi / 180) * Point.earthRadiusMetres / Self.projectionRadius
    }
}
