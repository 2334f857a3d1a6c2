import CGdkPixbuf
import PhotoFormat

/// A decoded picture of gdk-pixbuf, and the owner of one reference to it.
@safe
final class Pixbuf {
    private let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    /// Uses each loader and the encoder once, so that all files they need are open and nothing is
    /// opened later.
    static func prepare() {
        guard let dot = unsafe gdk_pixbuf_new(GDK_COLORSPACE_RGB, 1, 8, 1, 1) else { return }
        let picture = unsafe Pixbuf(owning: dot)
        unsafe gdk_pixbuf_fill(dot, 0)
        for format in [PhotoHeader.Format.jpeg, .png] {
            if let bytes = try? picture.encoded(as: format.rawValue, []),
                let header = try? PhotoHeader(bytes)
            {
                let decoded = try? Pixbuf(decoding: bytes, header, coveringSide: 1)
                _ = try? decoded?.upright().jpeg(quality: 85)
            }
        }
    }

    /// Decodes a picture.
    /// - Parameter side: a JPEG is decoded smaller, in powers of two, if both sides still have at
    ///   least so many pixels: that costs a fraction of the memory and time.
    /// - Throws: ``PhotoRefusal/damaged`` or ``PhotoRefusal/tooCostly``.
    convenience init(
        decoding bytes: [UInt8], _ header: PhotoHeader, coveringSide side: Int
    ) throws(PhotoRefusal) {
        let made = unsafe gdk_pixbuf_loader_new_with_type(header.format.rawValue, nil)
        guard let loader = unsafe made else { throw .tooCostly }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(loader)) }
        var progress = Progress(
            expected: header.size, scaled: Self.scaled(header, coveringSide: side))
        try unsafe withUnsafeMutablePointer(to: &progress) {
            (progress) throws(PhotoRefusal) -> Void in
            unsafe Progress.observe(loader, progress)
            try unsafe Self.feed(bytes, header.bytesCount, to: loader)
        }
        guard progress.isComplete, let found = unsafe gdk_pixbuf_loader_get_pixbuf(loader) else {
            throw .damaged
        }
        unsafe g_object_ref(UnsafeMutableRawPointer(found))
        unsafe self.init(owning: found)
    }

    private static func scaled(_ header: PhotoHeader, coveringSide side: Int) -> PhotoSize {
        guard header.format == .jpeg else { return header.size }
        var scaled = header.size
        // libjpeg divides by 2, 4 and 8, and rounds up.
        for divisor in [2, 4, 8] {
            let smaller = PhotoSize(
                width: (header.size.width + divisor - 1) / divisor,
                height: (header.size.height + divisor - 1) / divisor)
            guard min(smaller.width, smaller.height) >= side else { break }
            scaled = smaller
        }
        return scaled
    }

    private static func feed(
        _ bytes: [UInt8], _ count: Int, to loader: UnsafeMutablePointer<GdkPixbufLoader>
    ) throws(PhotoRefusal) {
        var fault: UnsafeMutablePointer<GError>?
        defer { unsafe g_clear_error(&fault) }
        let isRead = unsafe gdk_pixbuf_loader_write(loader, bytes, gsize(count), &fault) != 0
        // A loader must be closed in any case; the first error is the one that counts.
        var later: UnsafeMutablePointer<GError>?
        defer { unsafe g_clear_error(&later) }
        let isWhole = unsafe gdk_pixbuf_loader_close(loader, &later) != 0
        guard !isRead || !isWhole else { return }
        throw unsafe refusal(fault ?? later)
    }

    private static func refusal(_ fault: UnsafeMutablePointer<GError>?) -> PhotoRefusal {
        let isMemory =
            unsafe g_error_matches(
                fault, gdk_pixbuf_error_quark(),
                gint(GDK_PIXBUF_ERROR_INSUFFICIENT_MEMORY.rawValue)) != 0
        return isMemory ? .tooCostly : .damaged
    }

    /// The size in pixels.
    var size: PhotoSize {
        unsafe PhotoSize(
            width: Int(gdk_pixbuf_get_width(pointer)), height: Int(gdk_pixbuf_get_height(pointer)))
    }

    /// Returns the picture turned and mirrored as its EXIF orientation says.
    func upright() throws(PhotoRefusal) -> Pixbuf {
        try unsafe Self.owned(gdk_pixbuf_apply_embedded_orientation(pointer))
    }

    /// Returns the largest square in the middle. It shares the pixels.
    func middleSquare() throws(PhotoRefusal) -> Pixbuf {
        let side = min(size.width, size.height)
        return try unsafe Self.owned(
            gdk_pixbuf_new_subpixbuf(
                pointer, gint((size.width - side) / 2), gint((size.height - side) / 2), gint(side),
                gint(side)))
    }

    /// Returns the picture in another size, on white where it is transparent.
    func onWhite(scaledTo size: PhotoSize) throws(PhotoRefusal) -> Pixbuf {
        let (width, height) = (gint(size.width), gint(size.height))
        guard unsafe gdk_pixbuf_get_has_alpha(pointer) != 0 else {
            return try unsafe Self.owned(
                gdk_pixbuf_scale_simple(pointer, width, height, GDK_INTERP_BILINEAR))
        }
        let white: UInt32 = 0xFF_FFFF
        return try unsafe Self.owned(
            gdk_pixbuf_composite_color_simple(
                pointer, width, height, GDK_INTERP_BILINEAR, 255, 16, white, white))
    }

    private static func owned(_ made: OpaquePointer?) throws(PhotoRefusal) -> Pixbuf {
        guard let made = unsafe made else { throw .tooCostly }
        return unsafe Pixbuf(owning: made)
    }

    /// Returns the picture as a JPEG without metadata.
    func jpeg(quality: Int) throws(PhotoRefusal) -> [UInt8] {
        try encoded(as: "jpeg", [("quality", "\(quality)")])
    }

    private func encoded(
        as format: String, _ options: [(String, String)]
    ) throws(PhotoRefusal) -> [UInt8] {
        var buffer: UnsafeMutablePointer<gchar>?
        var count: gsize = 0
        var keys = unsafe options.map { unsafe strdup($0.0) } + [nil]
        var values = unsafe options.map { unsafe strdup($0.1) } + [nil]
        defer { unsafe (keys + values).forEach { unsafe free($0) } }
        let isDone = unsafe gdk_pixbuf_save_to_bufferv(
            pointer, &buffer, &count, format, &keys, &values, nil)
        defer { unsafe g_free(buffer) }
        guard isDone != 0, let buffer = unsafe buffer else { throw .tooCostly }
        return unsafe Array(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
    }

    /// Red, green and blue of each pixel, row by row, without gaps.
    var rgb: [UInt8] {
        guard let pixels = unsafe gdk_pixbuf_read_pixels(pointer) else { return [] }
        let channels = Int(unsafe gdk_pixbuf_get_n_channels(pointer))
        let stride = Int(unsafe gdk_pixbuf_get_rowstride(pointer))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.pixelsCount * 3)
        for y in 0..<size.height {
            let row = unsafe pixels + y * stride
            if channels == 3 {
                unsafe bytes.append(
                    contentsOf: UnsafeBufferPointer(start: row, count: size.width * 3))
            } else {
                for x in 0..<size.width {
                    unsafe bytes.append(
                        contentsOf: UnsafeBufferPointer(start: row + x * channels, count: 3))
                }
            }
        }
        return bytes
    }
}
