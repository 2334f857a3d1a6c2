import GtkKit
import PanelKit
import Testing

@testable import Desktop

struct ViewportTests {
    private let view = Viewport(
        centre: MapPoint(x: 1000, y: 2000), metresPerPixel: 2,
        size: Size(width: 400, height: 200))

    @Test func `the centre is drawn in the middle, and north is up`() {
        #expect(view.pixel(of: view.centre) == Point(x: 200, y: 100))
        #expect(view.pixel(of: MapPoint(x: 1000, y: 2020)) == Point(x: 200, y: 90))
    }

    @Test func `a pixel and its point convert into each other`() {
        let pixel = Point(x: 17, y: 183)
        #expect(view.pixel(of: view.mapPoint(at: pixel)) == pixel)
    }

    @Test func `panning to the right moves the ground to the right`() {
        var moved = view
        let ground = view.mapPoint(at: Point(x: 50, y: 50))
        moved.pan(byX: 30, y: -10)
        #expect(moved.pixel(of: ground) == Point(x: 80, y: 40))
    }

    @Test func `a lower view keeps its upper edge and the middle of its width`() {
        var lower = view
        let ground = view.mapPoint(at: Point(x: 200, y: 30))
        lower.resize(to: Size(width: 300, height: 150))
        #expect(lower.pixel(of: ground) == Point(x: 150, y: 30))
    }

    @Test func `the first size of a view moves nothing`() {
        var first = Viewport(
            centre: view.centre, metresPerPixel: 2, size: Size(width: 0, height: 0))
        first.resize(to: view.size)
        #expect(first == view)
    }

    @Test func `the point under the pointer stays there while zooming`() {
        var zoomed = view
        let pointer = Point(x: 320, y: 40)
        let ground = view.mapPoint(at: pointer)
        zoomed.zoom(steps: 3, around: pointer)
        let after = zoomed.pixel(of: ground)
        #expect(zoomed.metresPerPixel < view.metresPerPixel)
        #expect(abs(after.x - pointer.x) < 1e-6 && abs(after.y - pointer.y) < 1e-6)
    }

    @Test func `zooming in and out again gives the same scale`() {
        var zoomed = view
        zoomed.zoom(steps: 4, around: view.middle)
        zoomed.zoom(steps: -4, around: view.middle)
        #expect(abs(zoomed.metresPerPixel - view.metresPerPixel) < 1e-9)
    }

    @Test(arguments: [(1e6, Viewport.scales.lowerBound), (-1e6, Viewport.scales.upperBound)])
    func `zooming ends at the limits`(steps: Double, scale: Double) {
        var zoomed = view
        zoomed.zoom(steps: steps, around: view.middle)
        #expect(zoomed.metresPerPixel == scale)
    }

    @Test func `panning ends at the edge of the map`() {
        var moved = view
        moved.pan(byX: -1e12, y: 0)
        #expect(moved.centre.x == MapPoint.extent)
    }

    @Test func `fitting shows every point with room around it`() {
        var fitted = view
        let points = [
            MapPoint(x: -5000, y: 0), MapPoint(x: 9000, y: 4000), MapPoint(x: 0, y: -800),
        ]
        fitted.fit(points, marginPixels: 20)
        for pixel in points.map(fitted.pixel) {
            #expect((20...380).contains(pixel.x.rounded()))
            #expect((20...180).contains(pixel.y.rounded()))
        }
    }

    @Test func `in a view no wider than the room, the points have half of it`() {
        var fitted = Viewport(
            centre: MapPoint(x: 0, y: 0), metresPerPixel: 1, size: Size(width: 180, height: 590))
        fitted.fit([MapPoint(x: 0, y: 0), MapPoint(x: 900, y: 0)], marginPixels: 90)
        #expect(fitted.metresPerPixel == 10)
    }

    @Test func `fitting one point shows its surroundings`() {
        var fitted = view
        fitted.fit([MapPoint(x: 7, y: 7)])
        #expect(fitted.centre == MapPoint(x: 7, y: 7))
        #expect(fitted.metresPerPixel == Viewport.closestFit)
    }

    @Test func `showing a point brings it near from the whole world, and keeps a near scale`() {
        var world = Viewport(
            centre: MapPoint(x: 0, y: 0), metresPerPixel: Viewport.scales.upperBound,
            size: Size(width: 400, height: 200))
        world.show(MapPoint(x: 7, y: 7))
        #expect(world.centre == MapPoint(x: 7, y: 7))
        #expect(world.metresPerPixel == Viewport.near)
        var close = Viewport(
            centre: MapPoint(x: 0, y: 0), metresPerPixel: 3, size: Size(width: 400, height: 200))
        close.show(MapPoint(x: 7, y: 7))
        #expect(close.metresPerPixel == 3)
    }

    @Test func `a region that cannot be chosen comes nearer under the same pixel`() {
        var world = Viewport(
            centre: MapPoint(x: 0, y: 0), metresPerPixel: Viewport.scales.upperBound,
            size: Size(width: 400, height: 200))
        let pixel = Point(x: 300, y: 60)
        let ground = world.mapPoint(at: pixel)
        var count = 0
        while !world.isChoosing && count < 9 {
            world.approach(pixel)
            count += 1
        }
        let after = world.pixel(of: ground)
        #expect(count == 2)
        #expect(abs(after.x - pixel.x) < 1e-3 && abs(after.y - pixel.y) < 1e-3)
        #expect(world.metresPerPixel >= Viewport.near * (1 - 1e-9))
    }

    @Test(arguments: [(100.0, true), (100.1, false)])
    func `a location is chosen at 100 metres for a pixel, and not beyond`(
        scale: Double, isChoosing: Bool
    ) {
        let view = Viewport(
            centre: MapPoint(x: 0, y: 0), metresPerPixel: scale,
            size: Size(width: 400, height: 200))
        #expect(view.isChoosing == isChoosing)
    }

    @Test func `the area reaches from the middle to the upper edge, in metres on the ground`() {
        let north = MapPoint(x: 0, y: 8_399_738)
        let equator = Viewport(
            centre: MapPoint(x: 0, y: 0), metresPerPixel: 3, size: Size(width: 400, height: 200))
        let arctic = Viewport(centre: north, metresPerPixel: 3, size: equator.size)
        #expect(abs(equator.area.radiusMetres - 300) < 1)
        // At 60° north, the map stretches everything to twice its size.
        #expect(abs(arctic.area.radiusMetres - 150) < 1)
        let edge = arctic.mapPoint(at: Point(x: 200, y: 0)).coordinate
        #expect(abs(arctic.area.centre.distanceMetres(to: edge) - 150) < 1)
    }

    @Test func `fitting no points leaves the view unchanged`() {
        var fitted = view
        fitted.fit([])
        #expect(fitted == view)
    }
}
