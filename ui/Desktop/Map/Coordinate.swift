import Foundation
import Location

/// A place on Earth by latitude and longitude, both checked.
struct Coordinate: Equatable, Sendable {
    /// The place itself; no further from the equator than the square map reaches.
    let point: Point

    /// Degrees north, −85.0511 to 85.0511.
    var latitude: Double { point.latitude }
    /// Degrees east, −180 to 180.
    var longitude: Double { point.longitude }

    /// Where the square Web Mercator map ends: atan(sinh π) in degrees.
    static let latitudeMax = 85.051_128_779_806_59

    /// A place from degrees, or nil where one is not finite or not on Earth; beyond the end of the
    /// map it is moved to the end.
    init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90 else { return nil }
        let onMap = min(max(latitude, -Self.latitudeMax), Self.latitudeMax)
        guard let point = try? Point(latitude: onMap, longitude: longitude) else { return nil }
        self.point = point
    }

    /// The place in degrees with five decimals, about a metre.
    var text: String {
        let north = String(format: "%.5f° %@", abs(latitude), latitude < 0 ? "S" : "N")
        let east = String(format: "%.5f° %@", abs(longitude), longitude < 0 ? "W" : "E")
        return "\(north), \(east)"
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
}
