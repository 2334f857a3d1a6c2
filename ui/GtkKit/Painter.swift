import CGtk

/// The point of a text or a shape that is put at the given position.
public enum Anchor: Sendable {
    case topLeft, centre, bottomCentre, topCentre, bottomRight
}

/// Paints on a canvas; valid only while the canvas asks to be drawn.
@MainActor
@safe
public struct Painter {
    /// The smallest text that is ever painted, in pixels.
    public static let textPixelsMin = 11.0

    let cairo: OpaquePointer
    let widget: UnsafeMutablePointer<GtkWidget>
    let texts: TextCache
    /// The canvas's size in pixels.
    public let size: Size

    /// Fills a rectangle.
    public func fill(_ origin: Point, _ size: Size, radius: Double = 0, _ colour: Colour) {
        outline(origin, size, radius: radius)
        use(colour)
        unsafe cairo_fill(cairo)
    }

    /// Draws a line through these points, `width` pixels wide.
    public func line(through points: [Point], width: Double = 1, _ colour: Colour) {
        guard let first = points.first, points.count > 1 else { return }
        unsafe cairo_move_to(cairo, first.x, first.y)
        for point in points.dropFirst() { unsafe cairo_line_to(cairo, point.x, point.y) }
        unsafe cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        finish(width: width, colour)
    }

    /// Draws the edge of a rectangle, `width` pixels wide.
    public func stroke(
        _ origin: Point, _ size: Size, radius: Double = 0, width: Double = 1, _ colour: Colour
    ) {
        outline(origin, size, radius: radius)
        finish(width: width, colour)
    }

    /// Draws a line, `width` pixels wide.
    public func line(from start: Point, to end: Point, width: Double = 1, _ colour: Colour) {
        unsafe cairo_move_to(cairo, start.x, start.y)
        unsafe cairo_line_to(cairo, end.x, end.y)
        finish(width: width, colour)
    }

    /// Draws separate lines with dashes, `width` pixels wide.
    public func dashes(_ lines: [(start: Point, end: Point)], width: Double = 1, _ colour: Colour) {
        guard !lines.isEmpty else { return }
        for line in lines {
            unsafe cairo_move_to(cairo, line.start.x, line.start.y)
            unsafe cairo_line_to(cairo, line.end.x, line.end.y)
        }
        unsafe cairo_set_dash(cairo, [3 * width, 2 * width], 2, 0)
        finish(width: width, colour)
        unsafe cairo_set_dash(cairo, nil, 0, 0)
    }

    /// Fills a circle.
    public func disc(_ centre: Point, radius: Double, _ colour: Colour) {
        circle(centre, radius: radius)
        use(colour)
        unsafe cairo_fill(cairo)
    }

    /// Draws a circle, `width` pixels wide.
    public func ring(_ centre: Point, radius: Double, width: Double = 1, _ colour: Colour) {
        circle(centre, radius: radius)
        finish(width: width, colour)
    }

    /// Fills a shape through these points.
    public func polygon(_ points: [Point], _ colour: Colour) {
        guard let first = points.first else { return }
        unsafe cairo_move_to(cairo, first.x, first.y)
        for point in points.dropFirst() { unsafe cairo_line_to(cairo, point.x, point.y) }
        unsafe cairo_close_path(cairo)
        use(colour)
        unsafe cairo_fill(cairo)
    }

    /// Returns the size of a text in the widget's font. The pixels are those of an unscaled text.
    public func measure(_ text: String, pixels: Double, bold: Bool = false) -> Size {
        laid(text, pixels: pixels, bold: bold).size
    }

    /// Writes a text, never smaller than ``textPixelsMin``.
    public func write(
        _ text: String, at place: Point, _ anchor: Anchor = .topLeft, pixels: Double = 12,
        bold: Bool = false, _ colour: Colour
    ) {
        let laid = laid(text, pixels: pixels, bold: bold)
        let origin = place.origin(of: laid.size, anchor)
        use(colour)
        unsafe cairo_move_to(cairo, origin.x, origin.y)
        unsafe pango_cairo_show_layout(cairo, laid.layout)
    }

    private func laid(_ text: String, pixels: Double, bold: Bool) -> TextCache.Laid {
        unsafe texts.text(TextCache.Key(text: text, pixels: pixels, isBold: bold)) { key in
            unsafe makeLayout(key)
        }
    }

    private func makeLayout(_ key: TextCache.Key) -> OpaquePointer {
        guard let layout = unsafe gtk_widget_create_pango_layout(widget, key.text) else {
            preconditionFailure("Pango made no layout, which it does only without memory.")
        }
        let context = unsafe gtk_widget_get_pango_context(widget)
        let font = unsafe pango_font_description_copy(
            pango_context_get_font_description(context))
        unsafe pango_font_description_set_absolute_size(
            font, max(key.pixels, Self.textPixelsMin) * TextScale.now * Double(PANGO_SCALE))
        if key.isBold { unsafe pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD) }
        unsafe pango_layout_set_font_description(layout, font)
        unsafe pango_font_description_free(font)
        return unsafe layout
    }

    private func circle(_ centre: Point, radius: Double) {
        unsafe cairo_new_sub_path(cairo)
        unsafe cairo_arc(cairo, centre.x, centre.y, radius, 0, 2 * .pi)
    }

    private func outline(_ origin: Point, _ size: Size, radius: Double) {
        guard radius > 0 else {
            unsafe cairo_rectangle(cairo, origin.x, origin.y, size.width, size.height)
            return
        }
        let (left, top) = (origin.x + radius, origin.y + radius)
        let (right, bottom) = (origin.x + size.width - radius, origin.y + size.height - radius)
        unsafe cairo_new_sub_path(cairo)
        unsafe cairo_arc(cairo, right, top, radius, -.pi / 2, 0)
        unsafe cairo_arc(cairo, right, bottom, radius, 0, .pi / 2)
        unsafe cairo_arc(cairo, left, bottom, radius, .pi / 2, .pi)
        unsafe cairo_arc(cairo, left, top, radius, .pi, 3 * .pi / 2)
        unsafe cairo_close_path(cairo)
    }

    private func finish(width: Double, _ colour: Colour) {
        use(colour)
        unsafe cairo_set_line_width(cairo, width)
        unsafe cairo_stroke(cairo)
    }

    private func use(_ colour: Colour) {
        unsafe cairo_set_source_rgba(
            cairo, colour.red, colour.green, colour.blue, colour.alpha)
    }
}

extension Point {
    /// Returns the top left corner of a text or shape of `size` whose `anchor` is at this point.
    public func origin(of size: Size, _ anchor: Anchor) -> Point {
        switch anchor {
        case .topLeft: self
        case .centre: Point(x: x - size.width / 2, y: y - size.height / 2)
        case .bottomCentre: Point(x: x - size.width / 2, y: y - size.height)
        case .topCentre: Point(x: x - size.width / 2, y: y)
        case .bottomRight: Point(x: x - size.width, y: y - size.height)
        }
    }
}
