import Foundation
import GtkKit

/// The lines of the map's grid: parallel to the edges, at a readable distance on the ground.
struct MapGrid: Equatable, Sendable {
    /// The horizontal pixels of vertical lines, and the vertical pixels of horizontal lines.
    var columns, rows: [Double]

    /// Creates the grid of a view: lines are at multiples of a length that is drawn `pixelsMin`
    /// or more wide, so they move with the ground.
    init(for viewport: Viewport, pixelsMin: Double) {
        let scale = viewport.centre.groundScale
        let ground = ScaleBar.readable(atMost: viewport.metresPerPixel * scale * pixelsMin * 2.5)
        let step = ground / scale
        let topLeft = viewport.mapPoint(at: .init(x: 0, y: 0))
        let bottomRight = viewport.mapPoint(
            at: .init(x: viewport.size.width, y: viewport.size.height))
        columns = Self.multiples(of: step, from: topLeft.x, to: bottomRight.x)
            .map { viewport.pixel(of: MapPoint(x: $0, y: 0)).x }
        rows = Self.multiples(of: step, from: bottomRight.y, to: topLeft.y)
            .map { viewport.pixel(of: MapPoint(x: 0, y: $0)).y }
    }

    private static func multiples(of step: Double, from low: Double, to high: Double) -> [Double] {
        guard step > 0, high > low, (high - low) / step < 1000 else { return [] }
        return Array(stride(from: ceil(low / step) * step, through: high, by: step))
    }
}
