public import GtkKit
import Location

/// A picture of a route in the colours of the theme: a line from a ring to a disc. The picture is
/// twice as wide or twice as high as the route.
///
/// ```swift
/// let picture = RouteView()
/// picture.show(parts, mark: nil)
/// ```
@MainActor
public final class RouteView: Canvas {
    private var parts: [[Coordinate]] = []
    private var frame: RouteFrame?
    private var lines: [[GtkKit.Point]] = []
    private var mark: Coordinate?

    /// The least height of the picture, in pixels.
    private static let pixelsMin: Int32 = 200

    /// Creates a picture without a route, which is hidden.
    public init() {
        super.init(isFocusable: false)
        minimum(width: 0, height: Self.pixelsMin)
        role(.picture)
        hidden()
    }

    /// Shows the parts of a route, between which there is a gap, and a mark on it.
    /// - Parameter mark: a location to be marked; nil marks none.
    public func show(_ parts: [[Coordinate]], mark: Coordinate?) {
        guard parts != self.parts || mark != self.mark else { return }
        self.mark = mark
        if parts != self.parts { lay(parts) }
        redraw()
    }

    private func lay(_ parts: [[Coordinate]]) {
        self.parts = parts
        let parts = parts.filter { !$0.isEmpty }
        frame = RouteFrame(parts.map { $0.map(\.point) })
        lines = parts.map { part in
            frame?.pixels(of: part.map(\.point)).map { GtkKit.Point(x: $0.x, y: $0.y) } ?? []
        }
        isVisible = frame != nil
    }

    /// Returns a location's pixel in a picture of the size of a ``RouteFrame``.
    private func pixel(of location: Coordinate) -> GtkKit.Point? {
        frame.map { $0.pixel(of: location.point) }.map { GtkKit.Point(x: $0.x, y: $0.y) }
    }

    /// Paints the picture as large as there is room, with its card up to the edges.
    public override func paint(_ painter: Painter) {
        let (text, base, route) = (colour(.text), colour(.base), colour(.selected))
        let corner = GtkKit.Point(x: 0.5, y: 0.5)
        let card = Size(width: painter.size.width - 1, height: painter.size.height - 1)
        painter.fill(corner, card, radius: 8, base)
        painter.stroke(corner, card, radius: 8, text.opacity(0.15))
        let (width, height) = (RouteFrame.widthPixels, RouteFrame.heightPixels)
        let scale = min(painter.size.width / width, painter.size.height / height)
        let (left, top) = (
            (painter.size.width - width * scale) / 2, (painter.size.height - height * scale) / 2
        )
        func placed(_ pixel: GtkKit.Point) -> GtkKit.Point {
            GtkKit.Point(x: left + pixel.x * scale, y: top + pixel.y * scale)
        }
        let ink = route.mixed(0.3, of: text)
        for line in lines {
            let points = line.map(placed)
            painter.line(through: points, width: 3.5, ink)
            if points.count == 1 { painter.disc(points[0], radius: 2, ink) }
        }
        guard let start = lines.first?.first.map(placed), let end = lines.last?.last.map(placed)
        else { return }
        painter.disc(start, radius: 6.5, ink)
        painter.disc(start, radius: 4, base)
        painter.disc(end, radius: 6.5, base)
        painter.disc(end, radius: 5, text)
        guard let place = mark.flatMap(pixel).map(placed) else { return }
        painter.disc(place, radius: 9, text)
        painter.disc(place, radius: 7.5, base)
        painter.disc(place, radius: 6, colour(.warning))
    }
}
