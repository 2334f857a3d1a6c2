internal import Foundation
internal import PluginKit

extension Point {
    /// The nearest point of a grid of 100 m, which shows the neighbourhood and not the house.
    ///
    /// The grid has parallels 100 m apart, and on each of them points that are at most 100 m apart.
    /// So a location is moved by at most 50 m to the north or south and then by at most 50 m along
    /// the parallel: 71 m in all, and up to 100 m where parallels are circles of a few hundred
    /// metres, at the poles. A moved location stays where it is if it is moved again.
    var movedToGrid: Point {
        let parallelDegrees = PostLimits.gridMetres / Point.earthRadiusMetres * 180 / .pi
        let row = (latitude / parallelDegrees).rounded()
        // A row beyond the pole would be at no latitude.
        let rowMax = (90 / parallelDegrees).rounded(.down)
        let moved = min(max(row, -rowMax), rowMax) * parallelDegrees
        let circleMetres = 2 * .pi * Point.earthRadiusMetres * cos(moved * .pi / 180)
        let pointsCount = max(1, (circleMetres / PostLimits.gridMetres).rounded(.up))
        let stepDegrees = 360 / pointsCount
        // Half-way between two points, the eastern one counts, so that 180° and -180° agree.
        var east = (longitude / stepDegrees + 0.5).rounded(.down) * stepDegrees
        // The last point of a circle may be the first one, or beyond 180° east.
        if east > 180 { east -= 360 }
        if east <= -180 { east += 360 }
        return (try? Point(latitude: moved, longitude: east)) ?? self
    }
}
