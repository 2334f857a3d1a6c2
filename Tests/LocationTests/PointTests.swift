import Location
import Testing

struct PointTests {
    private let square: Point

    init() throws { square = try Point(latitude: 37.5665, longitude: 126.9780) }

    @Test(arguments: [
        (37.5665 + 0.000_270_0, 126.9780, 30.02), (37.5665 + 0.000_269_7, 126.9780, 29.99),
        (37.5665, 126.9783, 26.44), (37.5665, 126.9784, 35.26),
    ])
    func `distances around the arrival radius agree to the centimetre`(
        latitude: Double, longitude: Double, metres: Double
    ) throws {
        let there = try Point(latitude: latitude, longitude: longitude)
        #expect(abs(square.distanceMetres(to: there) - metres) < 0.005)
        #expect(there.distanceMetres(to: square) == square.distanceMetres(to: there))
    }

    @Test(arguments: [
        (37.5665 + 0.000_270_0, 126.9780, false), (37.5665 + 0.000_269_7, 126.9780, true),
        (37.5665, 126.9783, true), (37.5665, 126.9784, false),
    ])
    func `a person arrives at less than thirty metres`(
        latitude: Double, longitude: Double, arrived: Bool
    ) throws {
        let there = try Point(latitude: latitude, longitude: longitude)
        #expect((square.distanceMetres(to: there) < 30) == arrived)
    }

    @Test func `antipodes are half the circumference apart, and not NaN`() throws {
        let here = try Point(latitude: 0.1, longitude: 0.1)
        let there = try Point(latitude: -0.1, longitude: -179.9)
        let half = Point.earthRadiusMetres * Double.pi
        #expect(abs(here.distanceMetres(to: there) - half) < 1)
    }

    @Test func `two points on either side of the date line are near`() throws {
        let west = try Point(latitude: 0, longitude: 179.999)
        let east = try Point(latitude: 0, longitude: -179.999)
        #expect(west.distanceMetres(to: east) < 250)
    }

    @Test func `the ends of both ranges are accepted and one step past them is not`() throws {
        _ = try Point(latitude: 90, longitude: 180)
        _ = try Point(latitude: -90, longitude: -180)
        let past = 90.0.nextUp
        #expect(throws: PointFault.latitudeOutOfRange(past)) {
            try Point(latitude: past, longitude: 0)
        }
        let beyond = 180.0.nextUp
        #expect(throws: PointFault.longitudeOutOfRange(beyond)) {
            try Point(latitude: 0, longitude: beyond)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that is not finite is refused`(number: Double) {
        #expect(throws: PointFault.self) { try Point(latitude: number, longitude: 0) }
        #expect(throws: PointFault.self) { try Point(latitude: 0, longitude: number) }
    }
}
