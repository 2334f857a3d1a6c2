import GtkKit

/// A rectangle in pixels.
struct Frame: Equatable, Sendable {
    var origin: Point
    var size: Size

    /// Returns whether the two share any pixel.
    func overlaps(_ other: Frame) -> Bool {
        origin.x < other.origin.x + other.size.width
            && other.origin.x < origin.x + size.width
            && origin.y < other.origin.y + other.size.height
            && other.origin.y < origin.y + size.height
    }

    /// Returns whether it lies completely in an area that begins at the origin.
    func isInside(_ area: Size) -> Bool {
        origin.x >= 0 && origin.y >= 0 && origin.x + size.width <= area.width
            && origin.y + size.height <= area.height
    }
}

/// Finds space for the labels of a map, so that none covers another or a marker.
struct LabelPlacer {
    /// The map's size in pixels.
    let area: Size
    /// The frames that are in use, by the cells of a grid that they touch. So a label is compared
    /// with those around it only.
    private var taken: [Cell: [Frame]] = [:]

    private struct Cell: Hashable {
        let column, row: Int
    }

    /// The side of a cell in pixels, about the width of a label.
    private static let cellPixels = 96.0

    /// Creates a placer for an empty map.
    init(area: Size) {
        self.area = area
    }

    /// Keeps labels out of a frame.
    mutating func block(_ frame: Frame) {
        for cell in cells(of: frame) { taken[cell, default: []].append(frame) }
    }

    /// Returns the cells inside the area that a frame touches.
    private func cells(of frame: Frame) -> [Cell] {
        func range(_ start: Double, _ length: Double, in limit: Double) -> ClosedRange<Int>? {
            let (low, high) = (max(start, 0), min(start + length, limit))
            guard low <= high else { return nil }
            return Int(low / Self.cellPixels)...Int(high / Self.cellPixels)
        }
        guard let columns = range(frame.origin.x, frame.size.width, in: area.width),
            let rows = range(frame.origin.y, frame.size.height, in: area.height)
        else { return [] }
        return columns.flatMap { column in rows.map { Cell(column: column, row: $0) } }
    }

    private func isFree(_ frame: Frame) -> Bool {
        !cells(of: frame).contains { cell in
            taken[cell]?.contains { $0.overlaps(frame) } ?? false
        }
    }

    /// Returns the frame for a label of `size` beside a marker of `radius`: below, above, right or
    /// left of it, the first that is free. Nil if there is no space.
    mutating func place(_ size: Size, beside marker: Point, radius: Double) -> Frame? {
        let gap = radius + 3
        let corners = [
            Point(x: marker.x - size.width / 2, y: marker.y + gap),
            Point(x: marker.x - size.width / 2, y: marker.y - gap - size.height),
            Point(x: marker.x + gap, y: marker.y - size.height / 2),
            Point(x: marker.x - gap - size.width, y: marker.y - size.height / 2),
        ]
        let free = corners.lazy.map { Frame(origin: $0, size: size) }.first { frame in
            frame.isInside(area) && isFree(frame)
        }
        if let free { block(free) }
        return free
    }
}
