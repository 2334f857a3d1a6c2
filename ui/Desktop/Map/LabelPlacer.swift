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
    /// The frames that are in use.
    private(set) var taken: [Frame] = []

    /// Creates a placer for an empty map.
    init(area: Size) {
        self.area = area
    }

    /// Keeps labels out of a frame.
    mutating func block(_ frame: Frame) {
        taken.append(frame)
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
        let free = corners.map { Frame(origin: $0, size: size) }.first { frame in
            frame.isInside(area) && !taken.contains { $0.overlaps(frame) }
        }
        if let free { taken.append(free) }
        return free
    }
}
