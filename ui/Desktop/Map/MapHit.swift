import GtkKit
import PanelKit

/// Returns the map item at a pixel: the topmost marker near it, else a track that passes near it,
/// else a circle whose edge is near it. A click inside a circle chooses a location there.
struct MapHit {
    /// A click this near to a marker's middle, in pixels, means the marker.
    static let markerPixels = 16.0
    /// A click this near to a track, or to the edge of a circle, in pixels, means it.
    static let edgePixels = 6.0

    let viewport: Viewport
    let layer: MapLayer

    /// Returns the item at a pixel; nil if there is none.
    func item(at pixel: Point) -> MapItem? {
        if let marker = marker(at: pixel) { return .marker(marker) }
        if let track = layer.tracks.last(where: { passes($0, near: pixel) }) {
            return .track(track)
        }
        return circle(at: pixel).map(MapItem.circle)
    }

    /// Returns the topmost marker at a pixel.
    func marker(at pixel: Point) -> MapMarker? {
        layer.markers.last { marker in
            let middle = viewport.pixel(of: MapPoint(marker.coordinate))
            return middle.distance(to: pixel) <= Self.markerPixels
        }
    }

    private func passes(_ track: MapTrack, near pixel: Point) -> Bool {
        let pixels = track.locations.map { viewport.pixel(of: MapPoint($0)) }
        guard let first = pixels.first else { return false }
        let ends = pixels.count == 1 ? [first] : Array(pixels.dropFirst())
        return zip(pixels, ends).contains { start, end in
            pixel.distance(toLineFrom: start, to: end) <= Self.edgePixels
        }
    }

    private func circle(at pixel: Point) -> MapCircle? {
        layer.circles.filter { circle in
            let middle = viewport.pixel(of: MapPoint(circle.centre))
            let beyond = middle.distance(to: pixel) - viewport.pixels(of: circle)
            return abs(beyond) <= Self.edgePixels
        }.min { viewport.pixels(of: $0) < viewport.pixels(of: $1) }
    }
}

extension Viewport {
    /// Returns the radius of a circle in pixels.
    func pixels(of circle: MapCircle) -> Double {
        circle.radiusMetres / MapPoint(circle.centre).groundScale / metresPerPixel
    }
}

extension Point {
    /// Returns the pixels between two points.
    fileprivate func distance(to other: Point) -> Double {
        let (x, y) = (other.x - x, other.y - y)
        return (x * x + y * y).squareRoot()
    }

    /// Returns the pixels between this point and the nearest one of a straight line.
    fileprivate func distance(toLineFrom start: Point, to end: Point) -> Double {
        let (x, y) = (end.x - start.x, end.y - start.y)
        let square = x * x + y * y
        guard square > 0 else { return distance(to: start) }
        let part = ((self.x - start.x) * x + (self.y - start.y) * y) / square
        let kept = min(max(part, 0), 1)
        return distance(to: Point(x: start.x + kept * x, y: start.y + kept * y))
    }
}
