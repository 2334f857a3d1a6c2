import GtkKit
import PanelKit
import Testing

@testable import Desktop

struct ScaleBarTests {
    @Test(arguments: [
        (1.0, 1.0), (1.99, 1), (2, 2), (4.99, 2), (5, 5), (9.99, 5), (10, 10), (0.3, 0.2),
        (1000, 1000), (4999, 2000),
    ])
    func `the length is the largest of 1, 2 and 5 that fits`(limit: Double, length: Double) {
        #expect(abs(ScaleBar.readable(atMost: limit) - length) < 1e-9)
    }

    @Test(arguments: [0.0, -1, .nan, .infinity])
    func `a limit that is not a length still gives one`(limit: Double) {
        #expect(ScaleBar.readable(atMost: limit) == 1)
    }

    @Test func `at the equator a map metre is a ground metre, except for the two spheres`() {
        let bar = ScaleBar(for: view(latitude: 0, metresPerPixel: 1), pixelsMax: 130)
        #expect(bar.text == "100 m")
        #expect(abs(bar.pixels - 100 * 6_378_137 / 6_371_000) < 1e-6)
    }

    @Test func `at 60 degrees north the same bar is twice as long`() {
        let here = ScaleBar(for: view(latitude: 60, metresPerPixel: 1), pixelsMax: 130)
        #expect(here.text == "50 m")
        #expect(abs(here.pixels - 100 * 6_378_137 / 6_371_000) < 1e-6)
    }

    @Test(arguments: [(0.05, "5 m"), (0.005, "5 m"), (9.0, "1 km"), (20_000.0, "2000 km")])
    func `the text has the unit that fits the length`(scale: Double, text: String) {
        #expect(
            ScaleBar(for: view(latitude: 0, metresPerPixel: scale), pixelsMax: 130).text == text)
    }

    @Test(arguments: [0.05, 0.7, 12, 300, 20_000])
    func `grid lines are a distance apart, and inside the view`(scale: Double) {
        let view = view(latitude: 37.5, metresPerPixel: scale)
        let grid = MapGrid(for: view, pixelsMin: 36)
        for lines in [grid.columns, grid.rows.sorted()] {
            #expect(!lines.isEmpty)
            for (line, next) in zip(lines, lines.dropFirst()) { #expect(next - line >= 36) }
        }
        #expect(grid.columns.allSatisfy { (0...600).contains($0) })
        #expect(grid.rows.allSatisfy { (0...400).contains($0) })
    }

    @Test func `the grid moves with the ground`() throws {
        var view = view(latitude: 37.5, metresPerPixel: 3)
        let before = try #require(MapGrid(for: view, pixelsMin: 36).columns.first)
        view.pan(byX: 5, y: 0)
        let after = MapGrid(for: view, pixelsMin: 36).columns
        #expect(after.contains { abs($0 - before - 5) < 1e-6 })
    }

    private func view(latitude: Double, metresPerPixel: Double) -> Viewport {
        let location = Coordinate(latitude: latitude, longitude: 0)
        return Viewport(
            centre: location.map(MapPoint.init) ?? MapPoint(x: 0, y: 0),
            metresPerPixel: metresPerPixel, size: Size(width: 600, height: 400))
    }
}
