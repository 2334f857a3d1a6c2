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

    @Test func `no label lies under the buttons of the map`() {
        let area = Size(width: 300, height: 200)
        let cover = MapCover(buttons: Size(width: 60, height: 120))
        #expect(cover.buttonsFrame(on: area).origin == Point(x: 240, y: 0))
        var placer = LabelPlacer(area: area)
        placer.block(cover.buttonsFrame(on: area))
        let frame = placer.place(label, beside: Point(x: 230, y: 80), radius: 10)
        #expect(frame?.origin == Point(x: 157, y: 70), "at the left, the only free side")
        let below = placer.place(label, beside: Point(x: 230, y: 150), radius: 10)
        #expect(below?.origin == Point(x: 200, y: 163))
    }

    @Test func `no label leaves the map`() {
        var placer = LabelPlacer(area: Size(width: 300, height: 200))
        let inside = placer.place(label, beside: Point(x: 150, y: 195), radius: 10)
        #expect(inside?.isInside(Size(width: 300, height: 200)) == true)
        let outside = placer.place(label, beside: Point(x: -500, y: 0), radius: 10)
        #expect(outside == nil)
    }

    @Test func `labels of 300 markers are placed as if each were compared with all others`() {
        let area = Size(width: 900, height: 600)
        var placer = LabelPlacer(area: area)
        var taken: [Frame] = []
        // A walk over the area and beyond its edges, with clusters.
        let markers = (0..<300).map { (number: Int) -> Point in
            let (x, y) = (number * 137 % 980, number * number * 31 % 660)
            return Point(x: Double(x) - 40, y: Double(y) - 30)
        }
        for marker in markers {
            let frame = Frame(
                origin: Point(x: marker.x - 13, y: marker.y - 13),
                size: Size(width: 26, height: 26))
            placer.block(frame)
            taken.append(frame)
        }
        var placedCount = 0
        for (number, marker) in markers.enumerated() {
            let size = Size(width: Double(40 + number % 90), height: 30)
            let gap = 16.0
            let wanted = [
                Point(x: marker.x - size.width / 2, y: marker.y + gap),
                Point(x: marker.x - size.width / 2, y: marker.y - gap - size.height),
                Point(x: marker.x + gap, y: marker.y - size.height / 2),
                Point(x: marker.x - gap - size.width, y: marker.y - size.height / 2),
            ].map { Frame(origin: $0, size: size) }.first { frame in
                frame.isInside(area) && !taken.contains { $0.overlaps(frame) }
            }
            let placed = placer.place(size, beside: marker, radius: 13)
            #expect(placed == wanted)
            if let placed {
                taken.append(placed)
                placedCount += 1
            }
        }
        #expect(placedCount > 20)
    }

    @Test func `frames that only touch do not overlap`() {
        let left = Frame(origin: Point(x: 0, y: 0), size: label)
        #expect(!left.overlaps(Frame(origin: Point(x: 60, y: 0), size: label)))
        #expect(left.overlaps(Frame(origin: Point(x: 59.9, y: 0), size: label)))
    }
}
