internal import CCairo
public import Localization
public import Location

/// A picture of a route: a line on a light card, from a ring to a disc.
///
/// The picture contains no text. It therefore needs no fonts, and tells neither the place nor the
/// time of the walk. Its background is opaque, so it looks the same on light and dark pages.
///
/// ```swift
/// let png = try RoutePicture.bytes(of: [[gate, pond], [pond, tower]], as: .png)
/// ```
public enum RoutePicture {
    /// The format of a picture.
    public enum Format: CaseIterable, Sendable {
        /// 400 × 250 pixels.
        case png
        /// A drawing of 400 × 250 pixels, which can be scaled.
        case svg
    }

    /// Draws the parts of a route, between which there is a gap. A part of one point is a dot.
    /// - Throws: ``RoutePictureFault``: there is no point, or cairo had no memory.
    public static func bytes(
        of parts: [[Point]], as format: Format
    ) throws(RoutePictureFault) -> [UInt8] {
        guard let frame = RouteFrame(parts) else { throw .noPoints }
        let lines = parts.filter { !$0.isEmpty }.map(frame.pixels)
        let sink = ByteSink()
        // The sink outlives the surface, which is finished below.
        let closure = unsafe Unmanaged.passUnretained(sink).toOpaque()
        let surface =
            switch format {
            case .png:
                unsafe cairo_image_surface_create(
                    CAIRO_FORMAT_ARGB32, Int32(RouteFrame.widthPixels),
                    Int32(RouteFrame.heightPixels))
            case .svg:
                unsafe cairo_svg_surface_create_for_stream(
                    write, closure, RouteFrame.widthPixels, RouteFrame.heightPixels)
            }
        if format == .svg {
            unsafe cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
        }
        let cairo = unsafe cairo_create(surface)
        draw(lines, unsafe Pen(cairo: cairo))
        var status = unsafe cairo_status(cairo)
        unsafe cairo_destroy(cairo)
        if format == .png, status == CAIRO_STATUS_SUCCESS {
            status = unsafe cairo_surface_write_to_png_stream(surface, write, closure)
        }
        unsafe cairo_surface_finish(surface)
        if status == CAIRO_STATUS_SUCCESS { status = unsafe cairo_surface_status(surface) }
        unsafe cairo_surface_destroy(surface)
        guard status == CAIRO_STATUS_SUCCESS else { throw .notDrawn }
        return withExtendedLifetime(sink) { sink.bytes }
    }

    private static func draw(_ lines: [[(x: Double, y: Double)]], _ pen: Pen) {
        pen.card(width: RouteFrame.widthPixels, height: RouteFrame.heightPixels)
        // A pale edge keeps a way apart from itself where it crosses.
        for line in lines { pen.line(line, width: 8, .card) }
        for line in lines { pen.line(line, width: 4, .route) }
        guard let start = lines.first?.first, let end = lines.last?.last else { return }
        pen.disc(start, radius: 8, .route)
        pen.disc(start, radius: 5, .card)
        pen.disc(end, radius: 7.5, .card)
        pen.disc(end, radius: 6, .end)
    }
}

/// The reason there is no picture of a route.
public enum RoutePictureFault: SentenceError, Hashable, Sendable {
    /// The route has no point.
    case noPoints
    /// Cairo had no memory for it.
    case notDrawn

    /// A sentence for people about the fault.
    public var sentence: Sentence {
        switch self {
        case .noPoints: "The walk has no points, so there is no picture of it."
        case .notDrawn: "There is not enough memory for the picture. Try again."
        }
    }
}

/// The bytes that cairo writes.
private final class ByteSink {
    var bytes: [UInt8] = []
}

/// Receives bytes from cairo, on the thread that draws.
private func write(
    _ closure: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32
) -> cairo_status_t {
    guard let closure = unsafe closure, let bytes = unsafe bytes else {
        return CAIRO_STATUS_WRITE_ERROR
    }
    let sink = unsafe Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
    unsafe sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
}

/// The strokes of a picture, on any surface of cairo.
@safe
private struct Pen {
    let cairo: OpaquePointer?

    /// A colour of the picture.
    enum Ink {
        case card, edge, route, end

        /// The shares of red, green and blue.
        var parts: (red: Double, green: Double, blue: Double) {
            switch self {
            case .card: (0.984, 0.969, 0.925)
            case .edge: (0.847, 0.800, 0.694)
            case .route: (0.706, 0.325, 0.035)
            case .end: (0.122, 0.161, 0.216)
            }
        }
    }

    /// The radius of the card's corners, in pixels.
    private static let cornerPixels = 12.0

    /// Fills the card, and draws its edge.
    func card(width: Double, height: Double) {
        let radius = Self.cornerPixels
        let (left, top, right, bottom) = (0.5, 0.5, width - 0.5, height - 0.5)
        unsafe cairo_new_sub_path(cairo)
        unsafe cairo_arc(cairo, right - radius, top + radius, radius, -.pi / 2, 0)
        unsafe cairo_arc(cairo, right - radius, bottom - radius, radius, 0, .pi / 2)
        unsafe cairo_arc(cairo, left + radius, bottom - radius, radius, .pi / 2, .pi)
        unsafe cairo_arc(cairo, left + radius, top + radius, radius, .pi, 3 * .pi / 2)
        unsafe cairo_close_path(cairo)
        use(.card)
        unsafe cairo_fill_preserve(cairo)
        use(.edge)
        unsafe cairo_set_line_width(cairo, 1)
        unsafe cairo_stroke(cairo)
    }

    /// Draws a line with round ends; one point is a dot.
    func line(_ points: [(x: Double, y: Double)], width: Double, _ ink: Ink) {
        guard let first = points.first else { return }
        unsafe cairo_move_to(cairo, first.x, first.y)
        unsafe cairo_line_to(cairo, first.x, first.y)
        for point in points.dropFirst() { unsafe cairo_line_to(cairo, point.x, point.y) }
        unsafe cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        unsafe cairo_set_line_width(cairo, width)
        use(ink)
        unsafe cairo_stroke(cairo)
    }

    /// Fills a circle.
    func disc(_ middle: (x: Double, y: Double), radius: Double, _ ink: Ink) {
        unsafe cairo_new_sub_path(cairo)
        unsafe cairo_arc(cairo, middle.x, middle.y, radius, 0, 2 * .pi)
        use(ink)
        unsafe cairo_fill(cairo)
    }

    private func use(_ ink: Ink) {
        let (red, green, blue) = ink.parts
        unsafe cairo_set_source_rgb(cairo, red, green, blue)
    }
}
