import Foundation
import PluginKit
import TestSupport
import Testing

@testable import Posts

/// Moving a location to the grid of 100 m: how far, and that nothing else of it is told.
struct GridTests {
    /// Half the diagonal of a square of 100 m, and a centimetre for rounding.
    private static let errorMetresMax = 50 * 2.0.squareRoot() + 0.01

    private func worst(
        _ latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double> = -180...180,
        seed: UInt64
    ) throws -> Double {
        var generator = SeededGenerator(seed: seed)
        var worst = 0.0
        for _ in 0..<20_000 {
            let point = try Point(
                latitude: .random(in: latitudes, using: &generator),
                longitude: .random(in: longitudes, using: &generator))
            let moved = point.movedToGrid
            worst = max(worst, point.distanceMetres(to: moved))
            #expect(moved.movedToGrid.distanceMetres(to: moved) < 0.001, "\(point), seed \(seed)")
        }
        return worst
    }

    @Test(arguments: [0.0, 37.5, 60, -60, 80])
    func `a location moves by at most half a diagonal, and some move almost as far`(
        latitude: Double
    ) throws {
        let worst = try worst(latitude - 0.5...latitude + 0.5, seed: 61)
        #expect(worst <= Self.errorMetresMax)
        #expect(worst > 68)
    }

    @Test(arguments: [89.99...90, -90 ... -89.99])
    func `near a pole a location moves by at most 100 m`(latitudes: ClosedRange<Double>) throws {
        #expect(try worst(latitudes, seed: 62) <= 100)
        for longitude in [-180.0, 0, 77, 180] {
            let pole = try Point(
                latitude: latitudes.upperBound > 0 ? 90 : -90, longitude: longitude)
            #expect(pole.distanceMetres(to: pole.movedToGrid) <= 100)
        }
    }

    @Test func `a location at 180° stays near, from both sides`() throws {
        #expect(
            try worst(-85...85, longitudes: 179.9999...180, seed: 63) <= Self.errorMetresMax)
        #expect(
            try worst(-85...85, longitudes: -180 ... -179.9999, seed: 64) <= Self.errorMetresMax)
        let (east, west) = (
            try Point(latitude: 10, longitude: 180), try Point(latitude: 10, longitude: -180)
        )
        #expect(east.movedToGrid.distanceMetres(to: west.movedToGrid) < 0.001)
    }

    @Test func `all locations of a cell become the same one`() throws {
        let middle = try Point(latitude: 37.5665, longitude: 126.9780).movedToGrid
        // 49 m to each side.
        let (up, right) = (0.000_440, 0.000_555)
        for (north, east) in [(up, right), (up, -right), (-up, right), (-up, -right), (0, 0)] {
            let point = try Point(
                latitude: middle.latitude + north, longitude: middle.longitude + east)
            #expect(point.movedToGrid == middle)
        }
        // 51 m are in the next cell.
        let east = try Point(
            latitude: middle.latitude, longitude: middle.longitude + 0.000_579
        ).movedToGrid
        #expect(east.latitude == middle.latitude)
        #expect((99.9...100).contains(east.distanceMetres(to: middle)))
        let north = try Point(
            latitude: middle.latitude + 0.000_459, longitude: middle.longitude
        ).movedToGrid
        // The next parallel, whose points are not exactly north of these.
        #expect((0.000_899...0.000_900).contains(north.latitude - middle.latitude))
    }
}
