public import Contract
import Foundation
public import Location

/// A location on Earth by latitude and longitude, both checked.
public struct Coordinate: Equatable, Sendable {
    /// The location itself; no further from the equator than the square map reaches.
    public let point: Point

    /// Degrees north, −85.0511 to 85.0511.
    public var latitude: Double { point.latitude }
    /// Degrees east, −180 to 180.
    public var longitude: Double { point.longitude }

    /// The latitude at which the square Web Mercator map ends: atan(sinh π) in degrees.
    public static let latitudeMax = 85.051_128_779_806_59

    /// Creates a location from degrees; nil if one is not finite or not on Earth. A location
    /// beyond the end of the map is moved to the end.
    public init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90 else { return nil }
        let onMap = min(max(latitude, -Self.latitudeMax), Self.latitudeMax)
        guard let point = try? Point(latitude: onMap, longitude: longitude) else { return nil }
        self.point = point
    }

    /// Creates a location from degrees as answers have them.
    public init(_ latitude: Latitude, _ longitude: Longitude) {
        guard let location = Coordinate(latitude: latitude.value, longitude: longitude.value)
        else { preconditionFailure("a latitude and a longitude are a location") }
        self = location
    }

    /// The location in degrees with five decimals, about a metre.
    public var text: String {
        let north = String(format: "%.5f° %@", abs(latitude), latitude < 0 ? "S" : "N")
        let east = String(format: "%.5f° %@", abs(longitude), longitude < 0 ? "W" : "E")
        return "\(north), \(east)"
    }

    /// Returns the distance to another location, in metres.
    public func distanceMetres(to other: Coordinate) -> Double {
        point.distanceMetres(to: other.point)
    }
}

extension Coordinate {
    /// Reads "37.56650, 126.97800": degrees north and east, with a comma or a space between.
    public init?(text: String) {
        let parts = text.split { $0 == "," || $0.isWhitespace }.map { Double($0) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
            return nil
        }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// The location as it is typed, with five decimals.
    public var typed: String { typed(decimals: 5) }

    /// Returns the location as it is typed, with so many decimals.
    public func typed(decimals: Int) -> String {
        String(format: "%.\(decimals)f, %.\(decimals)f", latitude, longitude)
    }
}

extension Coordinate {
    /// The latitude, as requests have it.
    public var north: Latitude { Self.checked(latitude) }
    /// The longitude, as requests have it.
    public var east: Longitude { Self.checked(longitude) }

    private static func checked<Range>(_ degrees: Double) -> Bounded<Range> {
        do {
            return try Bounded(degrees)
        } catch {
            preconditionFailure("a location is on Earth: \(error.sentence)")
        }
    }
}
