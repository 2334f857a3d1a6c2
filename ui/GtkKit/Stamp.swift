import CGtk

/// A small picture that a painter prepares once and paints at many places of a frame.
@MainActor
@safe
public final class Stamp {
    let surface: OpaquePointer
    let side: Double

    /// Owns a surface whose width and height are `side`.
    init(owning surface: OpaquePointer, side: Double) {
        unsafe self.surface = surface
        self.side = side
    }

    isolated deinit {
        unsafe cairo_surface_destroy(surface)
    }
}

extension Painter {
    /// Prepares a square picture.
    ///
    /// ```swift
    /// let dot = painter.stamp(side: 12) { $0.disc($1, radius: 5, colour) }
    /// for place in places { painter.paint(dot, at: place) }
    /// ```
    /// - Parameter draw: paints the picture around the given middle.
    public func stamp(
        side: Double, _ draw: (_ painter: Painter, _ middle: Point) -> Void
    ) -> Stamp? {
        let side = side.rounded(.up)
        let pixels = Int32(clamping: Int(side))
        guard
            let surface = unsafe cairo_surface_create_similar(
                cairo_get_target(cairo), CAIRO_CONTENT_COLOR_ALPHA, pixels, pixels),
            let inner = unsafe cairo_create(surface)
        else { return nil }
        let painter = unsafe Painter(
            cairo: inner, widget: widget, texts: texts, size: Size(width: side, height: side))
        draw(painter, Point(x: side / 2, y: side / 2))
        unsafe cairo_destroy(inner)
        return unsafe Stamp(owning: surface, side: side)
    }

    /// Paints a prepared picture with its middle at the whole pixel nearest to `place`.
    public func paint(_ stamp: Stamp, at place: Point) {
        let (x, y) = ((place.x - stamp.side / 2).rounded(), (place.y - stamp.side / 2).rounded())
        unsafe cairo_set_source_surface(cairo, stamp.surface, x, y)
        unsafe cairo_paint(cairo)
    }
}
