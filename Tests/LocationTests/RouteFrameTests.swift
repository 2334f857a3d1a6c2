import Foundation
import Location
import Testing

/// The part of the Earth that a picture of a route shows.
struct RouteFrameTests {
    private func frame(_ degrees: [(Double, Double)]) throws -> (RouteFrame, [Point]) {
        let points = try degrees.map { try Point(latitude: $0.0, longitude: $0.1) }
        return (try #require(RouteFrame([points])), points)
    }

    /// The corners of the smallest box of pixels around the points.
    private func box(_ degrees: [(Double, Double)]) throws -> (
        x: ClosedRange<Double>, y: ClosedRange<Double>
    ) {
        let (frame, points) = try frame(degrees)
        let pixels = points.map { frame.pixel(of: $0) }
        let (x, y) = (pixels.map(\.x).sorted(), pixels.map(\.y).sorted())
        return (x[0]...x[x.count - 1], y[0]...y[y.count - 1])
    }

    private func near(_ range: ClosedRange<Double>, _ low: Double, _ high: Double) -> Bool {
        abs(range.lowerBound - low) < 0.1 && abs(range.upperBound - high) < 0.1
    }

    @Test func `a route to the north fills half the height, in the middle`() throws {
        let (x, y) = try box([(37.5, 127), (37.6, 127)])
        #expect(near(x, 200, 200) && near(y, 62.5, 187.5))
    }

    @Test func `a route to the east fills half the width, and north is up`() throws {
        let (x, _) = try box([(0, 10), (0, 10.5)])
        #expect(near(x, 100, 300))
        let (frame, points) = try frame([(10, 10), (10.1, 10.1)])
        let (start, end) = (frame.pixel(of: points[0]), frame.pixel(of: points[1]))
        #expect(end.x > start.x && end.y < start.y)
    }

    @Test func `one degree is as wide on the picture as it is on the ground`() throws {
        let (frame, _) = try frame([(60, 10), (60.02, 10.02)])
        let corner = frame.pixel(of: try Point(latitude: 60.02, longitude: 10))
        let start = frame.pixel(of: try Point(latitude: 60, longitude: 10))
        let east = frame.pixel(of: try Point(latitude: 60, longitude: 10.02))
        #expect(abs((east.x - start.x) / (start.y - corner.y) - 0.5) < 0.001)
    }

    @Test(arguments: [(0.0009, false), (0.001, false), (0.0011, true)])
    func `the picture is never lower than 0.002 degrees`(height: Double, isScaled: Bool) throws {
        let (frame, _) = try frame([(37.5, 127), (37.5 + height, 127)])
        let least = 0.002 * .pi / 180 * Point.earthRadiusMetres / RouteFrame.heightPixels
        #expect((frame.metresPerPixel > least * 1.0001) == isScaled)
        #expect(frame.metresPerPixel > least * 0.9999)
    }

    @Test func `one point is in the middle`() throws {
        let (frame, points) = try frame([(37.5, 127)])
        let pixel = frame.pixel(of: points[0])
        #expect(abs(pixel.x - 200) < 1e-6 && abs(pixel.y - 125) < 1e-6)
        #expect(abs(frame.metresPerPixel - 222.39 / 250) < 0.001)
        #expect(RouteFrame([]) == nil && RouteFrame([[], []]) == nil)
    }

    @Test func `points that are too near to be seen are left out, and the ends stay`() throws {
        let (frame, points) = try frame((0...1000).map { (37.5 + Double($0) * 1e-6, 127) })
        let pixels = frame.pixels(of: points)
        #expect(pixels.count < 300)
        #expect(pixels.first?.y == frame.pixel(of: points[0]).y)
        #expect(pixels.last?.y == frame.pixel(of: points[1000]).y)
        #expect(frame.pixels(of: [points[0]]).count == 1 && frame.pixels(of: []).isEmpty)
    }

    @Test func `a route across 180 degrees east is as small as any other`() throws {
        let across = try frame([(10, 179.99), (10, -179.99)]).0
        let elsewhere = try frame([(10, 20), (10, 20.02)]).0
        #expect(abs(across.metresPerPixel / elsewhere.metresPerPixel - 1) < 1e-6)
        let (x, _) = try box([(10, 179.99), (10, -179.99)])
        #expect(near(x, 100, 300))
    }

    @Test func `a route around a pole is a circle`() throws {
        let (frame, points) = try frame([(89.99, 0), (89.99, 90), (89.99, 180), (89.99, -90)])
        let pixels = points.map { frame.pixel(of: $0) }
        let radii = pixels.map { hypot($0.x - 200, $0.y - 125) }
        #expect(radii.allSatisfy { abs($0 - radii[0]) < 0.1 && (62...89).contains($0) })
        let (pole, ends) = try self.frame([(-90, 0), (-90, 90)])
        #expect(abs(pole.pixel(of: ends[0]).x - pole.pixel(of: ends[1]).x) < 1e-6)
    }

    @Test func `points all around the Earth are inside of the picture`() throws {
        for points in [
            [(0.0, 0.0), (0, 180)], [(90, 0), (-90, 0)], [(0, 0), (0, 90), (0, 180), (0, -90)],
        ] {
            let (x, y) = try box(points)
            #expect((0...400).contains(x.lowerBound) && (0...400).contains(x.upperBound))
            #expect((0...250).contains(y.lowerBound) && (0...250).contains(y.upperBound))
        }
    }
}
