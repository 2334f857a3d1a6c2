import Glibc

/// The Earth around a location as a plane in metres: every other location lies at its true distance
/// and in its true direction from the middle.
///
/// Unlike degrees, it has no exceptions: a way across 180° east or past a pole stays one piece.
///
/// ```swift
/// let plane = LocalPlane(around: [gate, tower])
/// let (east, north) = plane.metres(of: tower)
/// ```
public struct LocalPlane: Sendable {
    /// A direction from the middle of the Earth, of length 1.
    private typealias Direction = (x: Double, y: Double, z: Double)

    private let east: Direction
    private let north: Direction
    private let up: Direction

    /// Creates the plane around one location.
    public init(around middle: Point) {
        let (latitude, longitude) = (middle.latitude * .pi / 180, middle.longitude * .pi / 180)
        east = (-sin(longitude), cos(longitude), 0)
        north = (
            -sin(latitude) * cos(longitude), -sin(latitude) * sin(longitude), cos(latitude)
        )
        up = Self.direction(of: middle)
    }

    /// Creates the plane around the middle of some locations; nil if there is none. If they
    /// surround the Earth evenly, it is around the first one.
    public init?(around points: [Point]) {
        guard let first = points.first else { return nil }
        let sum = points.lazy.map(Self.direction).reduce((x: 0.0, y: 0.0, z: 0.0)) {
            ($0.x + $1.x, $0.y + $1.y, $0.z + $1.z)
        }
        let across = hypot(sum.x, sum.y)
        guard hypot(across, sum.z) > Self.shortest * Double(points.count),
            let middle = try? Point(
                latitude: atan2(sum.z, across) * 180 / .pi,
                longitude: atan2(sum.y, sum.x) * 180 / .pi)
        else {
            self.init(around: first)
            return
        }
        self.init(around: middle)
    }

    /// Returns the metres to the east and to the north of the middle. The point on the other side
    /// of the Earth lies in every direction; east is taken.
    public func metres(of point: Point) -> (east: Double, north: Double) {
        let direction = Self.direction(of: point)
        let (right, ahead) = (Self.product(direction, east), Self.product(direction, north))
        let above = Self.product(direction, up)
        let across = hypot(right, ahead)
        guard across > Self.shortest else {
            return (above > 0 ? 0 : Point.earthRadiusMetres * .pi, 0)
        }
        let metres = Point.earthRadiusMetres * atan2(across, above) / across
        return (right * metres, ahead * metres)
    }

    /// A shorter vector has no direction, since rounding decides it: a nanometre on the Earth.
    private static let shortest = 1e-16

    private static func direction(of point: Point) -> Direction {
        let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }

    private static func product(_ one: Direction, _ other: Direction) -> Double {
        one.x * other.x + one.y * other.y + one.z * other.z
    }
}
