/// The part of the Earth that a picture of a route shows: twice as far across or down as the route,
/// with the route in the middle.
///
/// ```swift
/// let frame = RouteFrame(parts)
/// for part in parts { draw(part.map { frame.pixel(of: $0) }) }
/// ```
public struct RouteFrame: Sendable {
    /// The width of the picture in pixels.
    public static let widthPixels = 400.0
    /// The height of the picture in pixels.
    public static let heightPixels = 250.0
    /// The picture is so many times as wide or as high as the route.
    public static let spanFactor = 2.0
    /// The least height that is shown, in degrees of latitude: about 222 m.
    public static let degreesMin = 0.002

    /// The metres on the ground for one pixel.
    public let metresPerPixel: Double
    private let plane: LocalPlane
    private let middle: (east: Double, north: Double)

    /// Frames the parts of a route; nil if they have no point.
    public init?(_ parts: [[Point]]) {
        let points = parts.flatMap { $0 }
        guard let plane = LocalPlane(around: points) else { return nil }
        let places = points.map(plane.metres)
        let east = Self.range(of: places.map(\.east))
        let north = Self.range(of: places.map(\.north))
        self.plane = plane
        middle = (
            (east.lowerBound + east.upperBound) / 2, (north.lowerBound + north.upperBound) / 2
        )
        let metresMin = Self.degreesMin * .pi / 180 * Point.earthRadiusMetres
        let across = max(Self.spanFactor * (east.upperBound - east.lowerBound), metresMin)
        let down = max(Self.spanFactor * (north.upperBound - north.lowerBound), metresMin)
        metresPerPixel = max(across / Self.widthPixels, down / Self.heightPixels)
    }

    /// Returns the pixel of a location, from the top left corner.
    public func pixel(of point: Point) -> (x: Double, y: Double) {
        let place = plane.metres(of: point)
        return (
            Self.widthPixels / 2 + (place.east - middle.east) / metresPerPixel,
            Self.heightPixels / 2 - (place.north - middle.north) / metresPerPixel
        )
    }

    /// A point nearer than this to the one before it adds nothing that can be seen, in pixels.
    private static let stepPixels = 0.5

    /// Returns the pixels of a part of the route, from its first to its last point. A point that is
    /// too near to the one before it is left out.
    public func pixels(of part: [Point]) -> [(x: Double, y: Double)] {
        let all = part.map(pixel)
        var kept: [(x: Double, y: Double)] = []
        for pixel in all {
            if let last = kept.last,
                abs(last.x - pixel.x) + abs(last.y - pixel.y) < Self.stepPixels
            {
                continue
            }
            kept.append(pixel)
        }
        if let end = all.last, kept.count > 1 { kept[kept.count - 1] = end }
        return kept
    }

    private static func range(of numbers: [Double]) -> ClosedRange<Double> {
        let first = numbers.first ?? 0
        return numbers.reduce(first...first) {
            min($0.lowerBound, $1)...max($0.upperBound, $1)
        }
    }
}
