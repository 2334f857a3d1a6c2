import CGtk
import Dispatch

extension Widget {
    /// Reads the fonts of a text from the disk, off the main thread, so that the text can be shown
    /// later without a pause.
    ///
    /// The main loop opens the files of a font when it lays out the first text that needs it. One
    /// for Hangul has 19 MB: on a slow or busy disk the window stood still for up to two seconds.
    /// Afterwards the files are in the kernel's cache; no memory of the process is kept.
    ///
    /// ```swift
    /// window.preloadFonts(for: "산책 🐕")
    /// ```
    public func preloadFonts(for text: String) {
        let context = unsafe gtk_widget_get_pango_context(gtk)
        let font = unsafe pango_context_get_font_description(context)
        guard let name = unsafe pango_font_description_to_string(font) else { return }
        defer { unsafe g_free(name) }
        let regular = unsafe String(cString: name)
        DispatchQueue.global(qos: .utility).async { FontFiles.read(regular, for: text) }
    }
}

/// The files of fonts.
private enum FontFiles {
    /// Lays out and paints a text, regular and bold, in a picture that nobody sees. Fonts are used
    /// by one thread at a time, so this makes a font map of its own.
    static func read(_ font: String, for text: String) {
        guard let fonts = unsafe pango_cairo_font_map_new(),
            let context = unsafe pango_font_map_create_context(fonts)
        else { return }
        defer {
            unsafe g_object_unref(UnsafeMutableRawPointer(context))
            unsafe g_object_unref(UnsafeMutableRawPointer(fonts))
        }
        for weight in [PANGO_WEIGHT_NORMAL, PANGO_WEIGHT_BOLD] {
            let description = unsafe pango_font_description_from_string(font)
            defer { unsafe pango_font_description_free(description) }
            unsafe pango_font_description_set_weight(description, weight)
            unsafe paint(text, description, context)
        }
    }

    private static func paint(_ text: String, _ font: OpaquePointer?, _ context: OpaquePointer) {
        guard let layout = unsafe pango_layout_new(context) else { return }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }
        unsafe pango_layout_set_font_description(layout, font)
        unsafe pango_layout_set_text(layout, text, -1)
        var (width, height) = (gint(0), gint(0))
        unsafe pango_layout_get_pixel_size(layout, &width, &height)
        let surface = unsafe cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height)
        let cairo = unsafe cairo_create(surface)
        unsafe pango_cairo_show_layout(cairo, layout)
        unsafe cairo_destroy(cairo)
        unsafe cairo_surface_destroy(surface)
    }
}
