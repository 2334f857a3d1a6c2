import Location
import Testing

/// The rectangles of an area contain all of it, whatever it crosses.
struct AreaTests {
    private func area(_ latitude: Double, _ longitude: Double, _ metres: Double) throws -> Area {
        try #require(
            Area(
                around: Point(latitude: latitude, longitude: longitude), radiusMetres: metres))
    }

    @Test func `a radius that is negative or no number makes no area, and zero does`() throws {
        let seoul = try Point(latitude: 37.5665, longitude: 126.9780)
        #expect(Area(around: seoul, radiusMetres: -0.001) == nil)
        #expect(Area(around: seoul, radiusMetres: .nan) == nil)
        let here = try #require(Area(around: seoul, radiusMetres: 0))
        #expect(here.contains(seoul))
        #expect(!here.contains(try Point(latitude: 37.56651, longitude: 126.9780)))
    }

    @Test func `a location at exactly the radius is in the area`() throws {
        let centre = try Point(latitude: 37.5665, longitude: 126.9780)
        let edge = try Point(latitude: 37.5665, longitude: 126.9880)
        let metres = centre.distanceMetres(to: edge)
        #expect(try area(37.5665, 126.9780, metres).contains(edge))
        #expect(try !area(37.5665, 126.9780, metres.nextDown).contains(edge))
    }

    @Test func `an area in the middle of a map is one rectangle, little larger than it`() throws {
        let rectangles = try area(60, 20, 1000).rectangles
        let rectangle = try #require(rectangles.first)
        #expect(rectangles.count == 1)
        // 1 km is 0.00899° of latitude, and twice as much of longitude at 60°.
        #expect((0.01798...0.01802).contains(rectangle.north - rectangle.south))
        #expect((0.03596...0.03604).contains(rectangle.east - rectangle.west))
    }

    @Test(arguments: [179.95, 180, -180, -179.95])
    func `an area across 180° is a rectangle on each side of it`(longitude: Double) throws {
        let rectangles = try area(0, longitude, 10_000).rectangles
        #expect(rectangles.count == 2)
        #expect(rectangles.contains { $0.east == 180 && $0.west > 179 })
        #expect(rectangles.contains { $0.west == -180 && $0.east < -179 })
    }

    @Test(arguments: [(89.95, 10.0), (-89.95, 10.0), (90, 0), (0, 0), (45, 180)])
    func `an area with a pole, or half of the Earth, reaches all longitudes`(
        latitude: Double, longitude: Double
    ) throws {
        let metres = latitude.magnitude > 89 ? 10_000 : 12_000_000.0
        let rectangles = try area(latitude, longitude, metres).rectangles
        #expect(rectangles.count == 1)
        #expect(rectangles.first?.west == -180 && rectangles.first?.east == 180)
    }

    @Test func `an infinite radius is the whole Earth`() throws {
        #expect(
            try area(37, 127, .infinity).rectangles
                == [DegreeRectangle(south: -90, north: 90, west: -180, east: 180)])
    }

    @Test func `every location of any area is in one of its rectangles`() throws {
        var generator = Splitmix(state: 41)
        var insideCount = 0
        for _ in 0..<20_000 {
            let centre = try Point(
                latitude: draw(in: 90, special: [-90, 0, 90], &generator),
                longitude: draw(in: 180, special: [-180, 0, 180], &generator))
            let isNear = Bool.random(using: &generator)
            let point = try Point(
                latitude: draw(in: 90, near: isNear ? centre.latitude : nil, &generator),
                longitude: draw(in: 180, near: isNear ? centre.longitude : nil, &generator))
            // The point is exactly on the edge of this area.
            let area = try #require(
                Area(around: centre, radiusMetres: centre.distanceMetres(to: point)))
            guard area.contains(point) else { continue }
            insideCount += 1
            let spot = DegreeRectangle(
                south: point.latitude, north: point.latitude, west: point.longitude,
                east: point.longitude)
            #expect(
                area.rectangles.contains { $0.overlaps(spot) }, "\(centre) \(point), seed 41")
        }
        #expect(insideCount == 20_000)
    }

    @Test func `each location of a rectangle that is surely in an area, or outside, is so`() throws
    {
        var generator = Splitmix(state: 42)
        var (insideCount, outsideCount, elsewhereCount) = (0, 0, 0)
        for _ in 0..<20_000 {
            let centre = try Point(
                latitude: draw(in: 90, special: [-90, 0, 80, 90], &generator),
                longitude: draw(in: 180, special: [-180, 0, 180], &generator))
            let corner = try Point(
                latitude: draw(in: 90, near: centre.latitude, &generator),
                longitude: draw(in: 180, near: centre.longitude, &generator))
            let rectangle = DegreeRectangle(
                south: corner.latitude,
                north: min(90, corner.latitude + .random(in: 0...0.01, using: &generator)),
                west: corner.longitude,
                east: min(180, corner.longitude + .random(in: 0...0.01, using: &generator)))
            let area = try #require(
                Area(around: centre, radiusMetres: .random(in: 0...3000, using: &generator)))
            let isInside = area.surelyContains(rectangle)
            let isOutside = area.surelyExcludes(rectangle)
            if isInside { insideCount += 1 } else { outsideCount += 1 }
            if isOutside { elsewhereCount += 1 }
            for _ in 0..<5 where isInside || isOutside {
                let point = try Point(
                    latitude: .random(in: rectangle.south...rectangle.north, using: &generator),
                    longitude: .random(in: rectangle.west...rectangle.east, using: &generator))
                let metres = centre.distanceMetres(to: point)
                #expect(
                    isInside ? metres < area.radiusMetres : metres > area.radiusMetres,
                    "\(centre) \(rectangle), seed 42")
            }
        }
        #expect(insideCount > 1000 && outsideCount > 1000 && elsewhereCount > 1000)
    }

    @Test func `a rectangle around the other side of the Earth is not surely in an area`() throws {
        // Its corners are nearer than the location in its middle, which is not in the area.
        let (centre, spot) = (
            try Point(latitude: 37.5, longitude: 127), try Point(latitude: -37.5, longitude: -53)
        )
        let area = try self.area(37.5, 127, centre.distanceMetres(to: spot) - 100)
        let rectangle = DegreeRectangle(
            south: -37.504, north: -37.496, west: -53.004, east: -52.996)
        #expect(!area.contains(spot) && !area.surelyContains(rectangle))
    }

    @Test func `a rectangle that reaches the edge of an area is neither in it nor outside`() throws
    {
        // The point opposite is farther than the corners.
        let opposite = DegreeRectangle(south: -0.004, north: 0.004, west: 179.99, east: 179.998)
        let half = Point.earthRadiusMetres * .pi
        let world = DegreeRectangle(south: -90, north: 90, west: -180, east: 180)
        let none = DegreeRectangle(south: 91, north: 91, west: 0, east: 0)
        let spot = DegreeRectangle(south: 1, north: 1, west: 0, east: 0)
        let edge = try Point(latitude: 0, longitude: 0).distanceMetres(
            to: Point(latitude: 1, longitude: 0))
        for (area, rectangle) in [
            (try area(0, 0, half - 400), opposite), (try area(0, 0, 10_000_000), world),
            (try area(0, 0, .infinity), none), (try area(0, 0, edge), spot),
        ] {
            #expect(!area.surelyContains(rectangle) && !area.surelyExcludes(rectangle))
        }
        #expect(try area(0, 0, edge + 0.02).surelyContains(spot))
        #expect(try area(0, 0, edge - 0.02).surelyExcludes(spot))
    }

    @Test func `a rectangle is outside an area that does not reach the circle around it`() throws {
        // 500 m in either direction at 60°, where a degree of longitude is half as long.
        let half = 250 / Point.earthRadiusMetres * 180 / .pi
        for latitude in [60.0, -60] {
            let rectangle = DegreeRectangle(
                south: latitude - half, north: latitude + half, west: -2 * half, east: 2 * half)
            let metres = try Point(latitude: latitude, longitude: 0).distanceMetres(
                to: Point(latitude: latitude, longitude: 0.1))
            // Half of its diagonal is 354 m.
            #expect(try area(latitude, 0.1, metres - 355).surelyExcludes(rectangle))
            #expect(try area(latitude, 0.1, metres + 355).surelyContains(rectangle))
            #expect(try !area(latitude, 0.1, metres - 352).surelyExcludes(rectangle))
            #expect(try !area(latitude, 0.1, metres + 352).surelyContains(rectangle))
        }
    }

    @Test func `rectangles that share an edge overlap, and others do not`() {
        let one = DegreeRectangle(south: 0, north: 1, west: 0, east: 1)
        #expect(one.overlaps(DegreeRectangle(south: 1, north: 2, west: 1, east: 2)))
        #expect(!one.overlaps(DegreeRectangle(south: 1.001, north: 2, west: 0, east: 1)))
        #expect(!one.overlaps(DegreeRectangle(south: 0, north: 1, west: -2, east: -0.001)))
    }

    /// Returns degrees up to a limit: any, one of those named, or some near others.
    private func draw(
        in limit: Double, special: [Double] = [], near middle: Double? = nil,
        _ generator: inout Splitmix
    ) -> Double {
        if let middle {
            let moved = middle + .random(in: -0.01...0.01, using: &generator)
            guard limit == 180, moved.magnitude > 180 else { return max(-limit, min(limit, moved)) }
            return moved > 0 ? moved - 360 : moved + 360
        }
        if Bool.random(using: &generator), let one = special.randomElement(using: &generator) {
            return one
        }
        return .random(in: -limit...limit, using: &generator)
    }

    /// The numbers of a seed.
    private struct Splitmix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
            return mixed ^ mixed >> 31
        }
    }
}
