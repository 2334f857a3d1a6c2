import Glibc

/// All locations within a distance of a centre.
///
/// ```swift
/// let area = Area(around: gate, radiusMetres: 700)
/// area?.contains(tower)  // false
/// ```
public struct Area: Hashable, Sendable {
    /// The centre.
    public let centre: Point
    /// The greatest distance from the centre, in metres; not negative, perhaps infinite.
    public let radiusMetres: Double

    /// Creates an area, or nil if the radius is negative or not a number.
    public init?(around centre: Point, radiusMetres: Double) {
        guard radiusMetres >= 0 else { return nil }
        self.centre = centre
        self.radiusMetres = radiusMetres
    }

    /// Whether a location is in the area; one at exactly the radius is.
    public func contains(_ point: Point) -> Bool {
        centre.distanceMetres(to: point) <= radiusMetres
    }

    /// Rectangles that together contain the whole area, and a little more. There are two if the
    /// area reaches 180° east or west, since no rectangle of degrees goes on there. An area with a
    /// pole reaches all longitudes.
    ///
    /// For example, 10 km around 0° north, 179.95° east are the longitudes 179.86 to 180 and −180
    /// to −179.96.
    public var rectangles: [DegreeRectangle] {
        let reach = (radiusMetres + marginMetres) / Point.earthRadiusMetres
        let south = centre.latitude - reach * 180 / .pi
        let north = centre.latitude + reach * 180 / .pi
        guard south > -90, north < 90 else {
            return [
                DegreeRectangle(
                    south: max(south, -90), north: min(north, 90), west: -180, east: 180)
            ]
        }
        // The meridians that touch the circle; it is widest nearer to the pole than its centre is.
        let width =
            asin(min(1, sin(reach) / cos(centre.latitude * .pi / 180))) * 180 / .pi
        let (west, east) = (centre.longitude - width, centre.longitude + width)
        let parts: [(west: Double, east: Double)] =
            if west <= -180 {
                [(-180, east), (west + 360, 180)]
            } else if east >= 180 {
                [(west, 180), (-180, east - 360)]
            } else {
                [(west, east)]
            }
        return parts.map {
            DegreeRectangle(south: south, north: north, west: $0.west, east: $0.east)
        }
    }

    /// Whether a rectangle surely lies within the area, not touching its edge. It may return false
    /// for one that does.
    public func surelyContains(_ rectangle: DegreeRectangle) -> Bool {
        guard let circle = rectangle.circle else { return false }
        return centre.distanceMetres(to: circle.centre) + circle.radiusMetres + marginMetres
            < radiusMetres
    }

    /// Whether a rectangle surely lies outside the area. It may return false for one that does.
    public func surelyExcludes(_ rectangle: DegreeRectangle) -> Bool {
        guard let circle = rectangle.circle else { return false }
        return centre.distanceMetres(to: circle.centre) - circle.radiusMetres - marginMetres
            > radiusMetres
    }

    /// The rectangles reach this much further, since distances and degrees are rounded: by less
    /// than a millimetre within a quarter of the way around the Earth, and by up to 0.3 m near the
    /// other side of it.
    private var marginMetres: Double {
        radiusMetres < Point.earthRadiusMetres ? Area.nearMarginMetres : Area.farMarginMetres
    }
    private static let nearMarginMetres = 0.01
    private static let farMarginMetres = 1.0
}

/// The locations between two parallels and two meridians, in degrees. The west is never greater
/// than the east: a rectangle across 180° is two.
public struct DegreeRectangle: Hashable, Sendable {
    /// The smallest latitude.
    public let south: Double
    /// The greatest latitude.
    public let north: Double
    /// The smallest longitude.
    public let west: Double
    /// The greatest longitude.
    public let east: Double

    /// Creates a rectangle from its sides, in degrees.
    public init(south: Double, north: Double, west: Double, east: Double) {
        self.south = south
        self.north = north
        self.west = west
        self.east = east
    }

    /// A circle that contains the rectangle. Nil if its middle is not on Earth.
    ///
    /// From its middle, each of its locations is reached on a straight line of a map on which a
    /// degree of longitude is everywhere as long as on the parallel that is nearest to the equator.
    /// On the Earth, none of it is longer.
    fileprivate var circle: Area? {
        let widest = south > 0 ? south : min(north, 0)
        let height = (north - south) / 2
        let width = (east - west) / 2 * cos(widest * .pi / 180)
        let metres = (height * height + width * width).squareRoot() * Self.degreeMetres
        return (try? Point(latitude: (south + north) / 2, longitude: (west + east) / 2)).flatMap {
            Area(around: $0, radiusMetres: metres)
        }
    }

    private static let degreeMetres = Point.earthRadiusMetres * .pi / 180

    /// Whether two rectangles have a location in common; one on both edges counts.
    public func overlaps(_ other: DegreeRectangle) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }
}
