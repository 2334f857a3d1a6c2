import Foundation
import GtkKit
import PanelKit

/// The visible part of the map: its middle, its scale and its size in pixels.
struct Viewport: Equatable, Sendable {
    /// The middle of the view.
    var centre: MapPoint
    /// Map metres for each pixel.
    private(set) var metresPerPixel: Double
    /// Pixels across and down.
    private(set) var size: Size

    /// The scales between which one can zoom, in map metres per pixel: a dog, and the world.
    static let scales = 0.05...40_000.0
    /// The factor of the scale for one step of the wheel, or of + and −.
    static let zoomStep = 1.5

    /// Beyond this scale a location that is shown is brought near first, in map metres per pixel.
    static let farthest = 1_000.0
    /// The scale of a location that was brought near, in map metres per pixel: a city.
    static let near = 12.0

    /// The coarsest scale at which a click chooses a location, in map metres per pixel.
    static let choosing = 100.0
    /// The factor by which a click brings a region nearer that it cannot choose.
    static let approachFactor = 64.0

    /// Creates a view of `size` pixels with `centre` in its middle; the scale is kept in
    /// ``scales``.
    init(centre: MapPoint, metresPerPixel: Double, size: Size) {
        self.centre = centre
        self.metresPerPixel = Self.clamp(metresPerPixel)
        self.size = size
    }

    /// Returns the pixel at which a point of the map is drawn.
    func pixel(of point: MapPoint) -> Point {
        Point(
            x: size.width / 2 + (point.x - centre.x) / metresPerPixel,
            y: size.height / 2 - (point.y - centre.y) / metresPerPixel)
    }

    /// Returns the point of the map that is drawn at a pixel.
    func mapPoint(at pixel: Point) -> MapPoint {
        MapPoint(
            x: centre.x + (pixel.x - size.width / 2) * metresPerPixel,
            y: centre.y - (pixel.y - size.height / 2) * metresPerPixel)
    }

    /// Changes the size of the view. Its upper edge and the middle of its width stay in place.
    mutating func resize(to size: Size) {
        let grownPixels =
            self.size == Size(width: 0, height: 0) ? 0 : size.height - self.size.height
        self.size = size
        pan(byX: 0, y: -grownPixels / 2)
    }

    /// Moves the map by so many pixels: to the right and down if they are positive.
    mutating func pan(byX x: Double, y: Double) {
        centre =
            MapPoint(x: centre.x - x * metresPerPixel, y: centre.y + y * metresPerPixel)
            .clamped
    }

    /// Zooms in by so many steps (out if negative); the point under `anchor` stays there.
    mutating func zoom(steps: Double, around anchor: Point) {
        let fixed = mapPoint(at: anchor)
        metresPerPixel = Self.clamp(metresPerPixel / pow(Self.zoomStep, steps))
        let moved = mapPoint(at: anchor)
        centre =
            MapPoint(x: centre.x + fixed.x - moved.x, y: centre.y + fixed.y - moved.y)
            .clamped
    }

    /// Moves a point into the middle, and zooms in if its surroundings would be too small.
    mutating func show(_ point: MapPoint) {
        centre = point.clamped
        if metresPerPixel > Self.farthest { metresPerPixel = Self.near }
    }

    /// Whether a pixel is a location; from farther away it is a region.
    var isChoosing: Bool { metresPerPixel <= Self.choosing }

    /// Brings the region under a pixel nearer, which stays under it.
    mutating func approach(_ pixel: Point) {
        let scale = max(metresPerPixel / Self.approachFactor, Self.near)
        zoom(steps: log(metresPerPixel / scale) / log(Self.zoomStep), around: pixel)
    }

    /// The circle around the middle, up to the upper and lower edges.
    var area: MapArea {
        MapArea(
            centre: centre.coordinate,
            radiusMetres: size.height / 2 * metresPerPixel * centre.groundScale)
    }

    /// Whether a location is in the view.
    func shows(_ location: Coordinate) -> Bool {
        let pixel = pixel(of: MapPoint(location))
        return (0...size.width).contains(pixel.x) && (0...size.height).contains(pixel.y)
    }

    /// The middle of the view in pixels.
    var middle: Point { Point(x: size.width / 2, y: size.height / 2) }

    /// Moves and scales the view so that all points are seen, with room around them. The room takes
    /// at most half of a small view.
    mutating func fit(_ points: [MapPoint], marginPixels: Double = 90) {
        guard let first = points.first, size.width > 0 else { return }
        let (left, right) = points.reduce((first.x, first.x)) { (min($0.0, $1.x), max($0.1, $1.x)) }
        let (low, high) = points.reduce((first.y, first.y)) { (min($0.0, $1.y), max($0.1, $1.y)) }
        centre = MapPoint(x: (left + right) / 2, y: (low + high) / 2).clamped
        let across = max(size.width - 2 * marginPixels, size.width / 2)
        let down = max(size.height - 2 * marginPixels, size.height / 2, 1)
        let needed = max((right - left) / across, (high - low) / down)
        metresPerPixel = Self.clamp(max(needed, Self.closestFit))
    }

    /// The closest scale of fitting, so that the surroundings of a single point are visible.
    static let closestFit = 2.0

    private static func clamp(_ scale: Double) -> Double {
        guard scale.isFinite else { return scales.upperBound }
        return min(max(scale, scales.lowerBound), scales.upperBound)
    }
}
