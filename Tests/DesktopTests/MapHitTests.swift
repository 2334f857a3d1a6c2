import GtkKit
import PanelKit
import Testing

@testable import Desktop

struct MapHitTests {
    private let view = Viewport(
        centre: MapPoint(x: 0, y: 0), metresPerPixel: 2, size: Size(width: 400, height: 200))

    /// Returns the location that is drawn at a pixel.
    private func location(_ x: Double, _ y: Double) -> Coordinate {
        view.mapPoint(at: Point(x: x, y: y)).coordinate
    }

    private func marker(_ id: String, _ x: Double, _ y: Double) -> MapMarker {
        MapMarker(
            id: id, symbol: .flag, coordinate: location(x, y), title: id, detail: "")
    }

    private func circle(_ id: String, radiusPixels: Double) -> MapCircle {
        let centre = location(200, 100)
        let metres = radiusPixels * view.metresPerPixel * MapPoint(centre).groundScale
        return MapCircle(id: id, centre: centre, radiusMetres: metres)
    }

    private func hit(_ layer: MapLayer, _ x: Double, _ y: Double) -> String? {
        MapHit(viewport: view, layer: layer).item(at: Point(x: x, y: y))?.id
    }

    @Test func `a marker is hit within 16 pixels, the topmost of several first`() {
        let layer = MapLayer(markers: [marker("below", 50, 50), marker("above", 60, 50)])
        #expect(hit(layer, 55, 50) == "above")
        #expect(hit(layer, 34.1, 50) == "below" && hit(layer, 33.9, 50) == nil)
    }

    @Test func `a circle is hit at its edge, and a click inside chooses a location`() {
        let layer = MapLayer(circles: [
            circle("small", radiusPixels: 20), circle("large", radiusPixels: 60),
        ])
        #expect(hit(layer, 200, 100) == nil && hit(layer, 213.9, 100) == nil)
        #expect(hit(layer, 214.1, 100) == "small" && hit(layer, 225.9, 100) == "small")
        #expect(hit(layer, 226.1, 100) == nil && hit(layer, 253.9, 100) == nil)
        #expect(hit(layer, 254.1, 100) == "large" && hit(layer, 265.9, 100) == "large")
        #expect(hit(layer, 266.1, 100) == nil)
    }

    @Test func `a way is hit within 6 pixels of each of its parts, and not beyond its ends`() {
        let way = MapTrack(
            id: "way", title: "Way",
            locations: [location(100, 100), location(200, 100), location(200, 180)])
        let layer = MapLayer(tracks: [way])
        for (x, y) in [(150.0, 100.0), (150, 105.9), (200, 140), (205.9, 140), (94.1, 100)] {
            #expect(hit(layer, x, y) == "way")
        }
        for (x, y) in [(150.0, 106.1), (206.1, 140), (93.9, 100), (200, 186.1)] {
            #expect(hit(layer, x, y) == nil)
        }
    }

    @Test func `a way of one location or none is no obstacle`() {
        let point = MapTrack(id: "point", title: "P", locations: [location(100, 100)])
        let none = MapTrack(id: "none", title: "N", locations: [])
        let layer = MapLayer(tracks: [point, none])
        #expect(hit(layer, 105, 100) == "point" && hit(layer, 107, 100) == nil)
    }

    @Test func `a marker comes before a way, and a way before a circle`() {
        let way = MapTrack(
            id: "way", title: "Way", locations: [location(100, 100), location(300, 100)])
        let layer = MapLayer(
            markers: [marker("flag", 200, 100)], circles: [circle("area", radiusPixels: 60)],
            tracks: [way])
        #expect(hit(layer, 200, 100) == "flag")
        #expect(hit(layer, 230, 100) == "way")
        #expect(hit(layer, 260, 100) == "way")
        #expect(hit(layer, 200, 160) == "area")
    }
}
