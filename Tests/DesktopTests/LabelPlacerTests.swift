import GtkKit
import Testing

@testable import Desktop

struct LabelPlacerTests {
    private let label = Size(width: 60, height: 20)

    @Test func `a label is placed below its marker if there is room`() {
        var placer = LabelPlacer(area: Size(width: 300, height: 200))
        let frame = placer.place(label, beside: Point(x: 150, y: 100), radius: 10)
        #expect(frame?.origin == Point(x: 120, y: 113))
    }

    @Test func `labels of markers on one spot do not overlap`() {
        var placer = LabelPlacer(area: Size(width: 300, height: 200))
        let frames = (0..<6).compactMap { _ in
            placer.place(label, beside: Point(x: 150, y: 100), radius: 10)
        }
        #expect(frames.count == 4)
        for (index, frame) in frames.enumerated() {
            for other in frames.dropFirst(index + 1) { #expect(!frame.overlaps(other)) }
        }
    }

    @Test func `no label leaves the map`() {
        var placer = LabelPlacer(area: Size(width: 300, height: 200))
        let inside = placer.place(label, beside: Point(x: 150, y: 195), radius: 10)
        #expect(inside?.isInside(Size(width: 300, height: 200)) == true)
        let outside = placer.place(label, beside: Point(x: -500, y: 0), radius: 10)
        #expect(outside == nil)
    }

    @Test func `frames that only touch do not overlap`() {
        let left = Frame(origin: Point(x: 0, y: 0), size: label)
        #expect(!left.overlaps(Frame(origin: Point(x: 60, y: 0), size: label)))
        #expect(left.overlaps(Frame(origin: Point(x: 59.9, y: 0), size: label)))
    }
}
