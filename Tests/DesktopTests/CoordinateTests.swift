import PanelKit
import Testing

@testable import Desktop

struct CoordinateTests {
    @Test(arguments: [(90.0, 180.0), (-90, -180), (0, 0)])
    func `a location on Earth is accepted up to its limits`(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) != nil)
    }

    @Test(arguments: [
        (90.0001, 0.0), (-90.0001, 0), (0, 180.0001), (0, -180.0001), (.nan, 0), (0, .nan),
        (.infinity, 0),
    ])
    func `numbers that are not a location are refused`(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }

    @Test func `the pole is moved to the end of the square map`() {
        #expect(
            Coordinate(latitude: 90, longitude: 0)?.latitude == Coordinate.latitudeMax)
    }

    @Test func `the end of the map in latitude is as far from the equator as in longitude`() throws
    {
        let corner = try #require(Coordinate(latitude: 90, longitude: 180))
        let point = MapPoint(corner)
        #expect(abs(point.x - 20_037_508.342789) < 0.001)
        #expect(abs(point.y - 20_037_508.342789) < 0.001)
    }

    @Test(arguments: [(37.5665, 126.978), (-33.8688, 151.2093), (0, 0), (71.17, -156.79)])
    func `projecting and back gives the same location`(latitude: Double, longitude: Double) throws {
        let location = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let back = MapPoint(location).coordinate
        #expect(abs(back.latitude - latitude) < 1e-9)
        #expect(abs(back.longitude - longitude) < 1e-9)
    }

    @Test func `a point beyond the map is moved to its edge`() {
        #expect(MapPoint(x: 1e9, y: -1e9).coordinate.longitude == 180)
    }

    @Test(arguments: ["37.5665, 126.978", "37.5665 126.978", " 37.5665,126.978 "])
    func `a typed point is read with a comma or a space`(text: String) {
        #expect(Coordinate(text: text) == Coordinate(latitude: 37.5665, longitude: 126.978))
    }

    @Test(arguments: ["", "37.5", "here", "37,5,6", "91, 0", "nan, nan"])
    func `a text that is not a point is not read`(text: String) {
        #expect(Coordinate(text: text) == nil)
    }

    @Test func `a typed point can be read back`() throws {
        let location = try #require(Coordinate(latitude: -33.8688, longitude: -70.5))
        #expect(Coordinate(text: location.typed) == location)
        let short = location.typed(decimals: 4)
        #expect(short.count == location.typed.count - 2)
        #expect(location.text == "33.86880° S, 70.50000° W")
    }

    @Test(arguments: [
        (37.5760, 126.978, "1.06 km north"), (37.5665, 126.979, "88 m east"),
        (37.5565, 126.978, "1.11 km south"), (37.5665, 126.977, "88 m west"),
        (37.5765, 126.9906, "1.57 km north-east"), (37.5565, 126.9654, "1.57 km south-west"),
    ])
    func `the way to another location is its distance and direction`(
        latitude: Double, longitude: Double, text: String
    ) throws {
        let here = try #require(Coordinate(latitude: 37.5665, longitude: 126.978))
        let there = try #require(Coordinate(latitude: latitude, longitude: longitude))
        #expect(here.way(to: there) == text)
    }

    @Test func `the way across the date line is the short one`() throws {
        let here = try #require(Coordinate(latitude: 0, longitude: 179.999))
        let there = try #require(Coordinate(latitude: 0, longitude: -179.999))
        #expect(here.way(to: there)?.hasSuffix(" m east") == true)
    }
}
