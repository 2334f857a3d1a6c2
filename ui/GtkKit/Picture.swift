import CGtk

/// A decoded picture, which a ``Painter`` draws without decoding it again.
///
/// ```swift
/// let picture = Picture(decoding: bytes, format: .png, pixelsMax: 1024)
/// ```
///
/// The pixels never change after `init`, and Cairo counts references atomically. So a picture may
/// be decoded on one thread and drawn and released on another.
@safe
public final class Picture: @unchecked Sendable {
    /// The formats that are decoded, by gdk-pixbuf's names.
    public enum Format: String, Sendable {
        /// Portable Network Graphics.
        case png
        /// JPEG.
        case jpeg
    }

    let surface: OpaquePointer
    /// Width and height in pixels.
    public let size: Size

    /// Decodes a picture on the calling thread; nil if it is damaged, of another format, or wider
    /// or higher than `pixelsMax`.
    public init?(decoding bytes: [UInt8], format: Format, pixelsMax: Int) {
        guard let pixels = unsafe Self.decode(bytes, format) else { return nil }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(pixels)) }
        let width = Int(unsafe gdk_pixbuf_get_width(pixels))
        let height = Int(unsafe gdk_pixbuf_get_height(pixels))
        guard (1...max(pixelsMax, 1)).contains(width), (1...max(pixelsMax, 1)).contains(height),
            let made = unsafe cairo_image_surface_create(
                CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
        else { return nil }
        unsafe surface = made
        size = Size(width: Double(width), height: Double(height))
        unsafe Self.copy(pixels, to: made, width: width, height: height)
    }

    /// Makes a picture of decoded pixels, on the calling thread. The window decodes no photo of a
    /// person: a process without rights does, and hands over the pixels.
    /// - Parameter rgb: red, green and blue of each pixel, row by row from the top, without gaps;
    ///   another number of bytes makes nil.
    public init?(rgb: [UInt8], width: Int, height: Int) {
        guard (1...Self.sideMax).contains(width), (1...Self.sideMax).contains(height),
            rgb.count == width * height * 3,
            let made = unsafe cairo_image_surface_create(
                CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
            let target = unsafe cairo_image_surface_get_data(made)
        else { return nil }
        unsafe surface = made
        size = Size(width: Double(width), height: Double(height))
        let stride = Int(unsafe cairo_image_surface_get_stride(made))
        unsafe cairo_surface_flush(made)
        unsafe rgb.withUnsafeBufferPointer { source in
            for y in 0..<height {
                let row = unsafe UnsafeMutableRawPointer(target + y * stride)
                    .assumingMemoryBound(to: UInt32.self)
                for x in 0..<width {
                    let index = (y * width + x) * 3
                    unsafe row[x] =
                        UInt32(source[index]) << 16 | UInt32(source[index + 1]) << 8
                        | UInt32(source[index + 2])
                }
            }
        }
        unsafe cairo_surface_mark_dirty(made)
    }

    /// The most pixels of either side of a picture that is made of pixels.
    public static let sideMax = 8192

    deinit {
        unsafe cairo_surface_destroy(surface)
    }

    /// The memory of the pixels.
    public var bytesCount: Int { Int(size.width * size.height) * 4 }

    /// The type and the checksum of the chunk that ends each PNG.
    private static let endOfPNG: [UInt8] = [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    /// Returns the decoded pixels with one reference. A PNG must be whole: of a shortened one,
    /// gdk-pixbuf returns memory that nothing was decoded into.
    private static func decode(_ bytes: [UInt8], _ format: Format) -> OpaquePointer? {
        guard format != .png || bytes.suffix(endOfPNG.count).elementsEqual(endOfPNG) else {
            return nil
        }
        guard let loader = unsafe gdk_pixbuf_loader_new_with_type(format.rawValue, nil) else {
            return nil
        }
        defer { unsafe g_object_unref(loader) }
        let isWritten = unsafe gdk_pixbuf_loader_write(loader, bytes, gsize(bytes.count), nil) != 0
        let isWhole = unsafe gdk_pixbuf_loader_close(loader, nil) != 0
        guard isWritten, isWhole, let pixels = unsafe gdk_pixbuf_loader_get_pixbuf(loader) else {
            return nil
        }
        return unsafe OpaquePointer(g_object_ref(UnsafeMutableRawPointer(pixels)))
    }

    /// Copies pixels into a surface of the same size, each colour multiplied by its opacity, as
    /// Cairo keeps them.
    private static func copy(
        _ pixels: OpaquePointer, to surface: OpaquePointer, width: Int, height: Int
    ) {
        unsafe cairo_surface_flush(surface)
        guard let source = unsafe gdk_pixbuf_read_pixels(pixels),
            let target = unsafe cairo_image_surface_get_data(surface)
        else { return }
        let channels = Int(unsafe gdk_pixbuf_get_n_channels(pixels))
        let sourceStride = Int(unsafe gdk_pixbuf_get_rowstride(pixels))
        let targetStride = Int(unsafe cairo_image_surface_get_stride(surface))
        for y in 0..<height {
            let from = unsafe source + y * sourceStride
            let to = unsafe UnsafeMutableRawPointer(target + y * targetStride)
                .assumingMemoryBound(to: UInt32.self)
            for x in 0..<width {
                let pixel = unsafe from + x * channels
                let alpha = channels == 4 ? UInt32(unsafe pixel[3]) : 255
                func part(_ index: Int) -> UInt32 {
                    (UInt32(unsafe pixel[index]) * alpha + 127) / 255
                }
                unsafe to[x] = alpha << 24 | part(0) << 16 | part(1) << 8 | part(2)
            }
        }
        unsafe cairo_surface_mark_dirty(surface)
    }
}

extension Picture: Equatable {
    /// Compares the identity: pixels are not compared.
    public static func == (one: Picture, other: Picture) -> Bool { one === other }
}

extension Painter {
    /// Draws the middle of a picture as a disc.
    /// - Parameter opacity: 0, invisible, to 1.
    public func draw(
        _ picture: Picture, asDiscAt centre: Point, radius: Double, opacity: Double = 1
    ) {
        let side = min(picture.size.width, picture.size.height)
        guard side > 0, radius > 0 else { return }
        let scale = 2 * radius / side
        unsafe cairo_save(cairo)
        unsafe cairo_arc(cairo, centre.x, centre.y, radius, 0, 2 * .pi)
        unsafe cairo_clip(cairo)
        unsafe cairo_translate(cairo, centre.x, centre.y)
        unsafe cairo_scale(cairo, scale, scale)
        unsafe cairo_set_source_surface(
            cairo, picture.surface, -picture.size.width / 2, -picture.size.height / 2)
        unsafe cairo_paint_with_alpha(cairo, opacity)
        unsafe cairo_restore(cairo)
    }

    /// Draws a part of a picture so that it fills a rectangle.
    /// - Parameters:
    ///   - part: the origin and the size of the part, in the picture's pixels.
    ///   - origin: the rectangle's top left corner.
    public func draw(
        _ picture: Picture, part: (origin: Point, size: Size), at origin: Point, _ size: Size
    ) {
        guard part.size.width > 0, part.size.height > 0 else { return }
        unsafe cairo_save(cairo)
        unsafe cairo_rectangle(cairo, origin.x, origin.y, size.width, size.height)
        unsafe cairo_clip(cairo)
        unsafe cairo_translate(cairo, origin.x, origin.y)
        unsafe cairo_scale(cairo, size.width / part.size.width, size.height / part.size.height)
        unsafe cairo_set_source_surface(cairo, picture.surface, -part.origin.x, -part.origin.y)
        // The edges of neighbours must not blend with nothing, and a better filter is far slower.
        let pattern = unsafe cairo_get_source(cairo)
        unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_BILINEAR)
        unsafe cairo_paint(cairo)
        unsafe cairo_restore(cairo)
    }
}
