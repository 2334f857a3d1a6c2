import GtkKit
import Testing

@testable import Desktop

struct VisibleLineTests {
    private func visible(_ start: Point, _ end: Point) -> [Point] {
        VisibleLine(from: start, to: end, in: Size(width: 100, height: 50))
            .map { [$0.start, $0.end] } ?? []
    }

    @Test func `a line inside of the view is whole, and keeps its direction`() {
        let (start, end) = (Point(x: 90, y: 40), Point(x: 10, y: 5))
        #expect(visible(start, end) == [start, end])
    }

    @Test func `a line is cut at each edge of the view`() {
        #expect(
            visible(Point(x: -50, y: 20), Point(x: 150, y: 20))
                == [Point(x: 0, y: 20), Point(x: 100, y: 20)])
        #expect(
            visible(Point(x: 30, y: 150), Point(x: 30, y: -50))
                == [Point(x: 30, y: 50), Point(x: 30, y: 0)])
        #expect(
            visible(Point(x: 50, y: 25), Point(x: 150, y: 75))
                == [Point(x: 50, y: 25), Point(x: 100, y: 50)])
    }

    @Test func `a line that is not in the view has no part, also if it passes a corner`() {
        #expect(visible(Point(x: -10, y: -10), Point(x: 110, y: -10)).isEmpty)
        #expect(visible(Point(x: -40, y: 20), Point(x: 20, y: -40)).isEmpty)
        #expect(visible(Point(x: 200, y: 10), Point(x: 120, y: 40)).isEmpty)
    }
}
