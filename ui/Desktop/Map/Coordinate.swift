import Foundation

/// A place on Earth by latitude and longitude, both checked.
struct Coordinate: Equatable, Sendable {
    /// Degrees north, −85.0511 to 85.0511 (the square map ends there).
    let latitude: Double
    /// Degrees east, −180 to 180.
    let longitude: Double

    /// Where the square Web Mercator map ends: atan(sinh π) in degrees.
    static let latitudeMax = 85.051_128_779_806_59

    /// A place from degrees, or nil where one is not finite or not on Earth; beyond the end of the
    /// map it is moved to the end.
    init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = min(max(latitude, -Self.latitudeMax), Self.latitudeMax)
        self.longitude = longitude
    }

    /// The place in degrees with five decimals, about a metre.
    var text: String {
        let north = String(format: "%.5f° %@", abs(latitude), latitude < 0 ? "S" : "N")
        let east = String(format: "%.5f° %@", abs(longitude), longitude < 0 ? "W" : "E")
        return "\(north), \(east)"
    }
}

/// A place on the flat map, in Web Mercator metres (EPSG:3857).
struct MapPoint: Equatable, Sendable {
    /// Metres east of Greenwich and north of the equator, as the projection stretches them.
    var x, y: Double

    /// The sphere that EPSG:3857 projects, in metres.
    static let projectionRadius = 6_378_137.0
    /// The sphere on which distances are measured, in metres.
    static let earthRadius = 6_371_000.0
    /// Half the side of the square map, in metres.
    static let extent = Double.pi * projectionRadius

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Projects a place.
    init(_ place: Coordinate) {
        x = Self.projectionRadius * place.longitude * .pi / 180
        y = Self.projectionRadius * asinh(tan(place.latitude * .pi / 180))
    }

    /// The place on Earth; a point beyond the map's edge is moved to the edge.
    var coordinate: Coordinate {
        let inside = clamped
        let latitude = atan(sinh(inside.y / Self.projectionRadius)) * 180 / .pi
        let longitude = inside.x / Self.projectionRadius * 180 / .pi
        let place = Coordinate(
            latitude: latitude, longitude: min(max(longitude, -180), 180))
        guard let place else { preconditionFailure("A point inside the map is a place.") }
        return place
    }

    /// The nearest point that is on the map.
    var clamped: MapPoint {
        MapPoint(
            x: min(max(x, -Self.extent), Self.extent), y: min(max(y, -Self.extent), Self.extent))
    }

    /// How many metres on the ground one metre of the map stands for, here.
    var groundScale: Double {
        cos(coordinate.latitude * .pi / 180) * Self.earthRadius / Self.projectionRadius
    }
}

extension Coordinate {
    /// Reads "37.56650, 126.97800": degrees north and east, with a comma or a space between.
    init?(text: String) {
        let parts = text.split { $0 == "," || $0.isWhitespace }.map { Double($0) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
            return nil
        }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// The place as it is typed, with five decimals.
    var typed: String { String(format: "%.5f, %.5f", latitude, longitude) }

    /// The distance to another place in metres, along the sphere (haversine).
    func distance(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let north = sin((other.latitude - latitude) * radians / 2)
        let east = sin((other.longitude - longitude) * radians / 2)
        let chord =
            north * north
            + cos(latitude * radians) * cos(other.latitude * radians) * east * east
        return 2 * MapPoint.earthRadius * asin(min(1, chord.squareRoot()))
    }
}
