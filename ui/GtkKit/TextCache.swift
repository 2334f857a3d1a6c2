import CGtk

/// The texts of a canvas, laid out, from one frame to the next: laying out a text takes far longer
/// than painting it. A text that a frame did not use is removed.
@MainActor
@safe
final class TextCache {
    /// A text with its look.
    struct Key: Hashable {
        let text: String
        let pixels: Double
        let isBold: Bool
    }

    /// A text laid out.
    @safe
    final class Laid {
        let layout: OpaquePointer
        let size: Size
        fileprivate var frame = 0

        /// Owns a layout.
        init(_ layout: OpaquePointer) {
            unsafe self.layout = layout
            var width: Int32 = 0
            var height: Int32 = 0
            unsafe pango_layout_get_pixel_size(layout, &width, &height)
            size = Size(width: Double(width), height: Double(height))
        }

        deinit {
            unsafe g_object_unref(UnsafeMutableRawPointer(layout))
        }
    }

    private var texts: [Key: Laid] = [:]
    private var frame = 0
    /// The state of the fonts and the scale that the texts were laid out for.
    private var fonts: UInt32 = 0
    private var scale = 0.0

    /// Begins a frame. Other fonts or another scale of texts need new layouts.
    func begin(for widget: UnsafeMutablePointer<GtkWidget>) {
        let fonts = unsafe pango_context_get_serial(gtk_widget_get_pango_context(widget))
        if fonts != self.fonts || scale != TextScale.now { texts = [:] }
        (self.fonts, scale) = (fonts, TextScale.now)
        frame += 1
    }

    /// Ends a frame: removes the texts that it did not use.
    func end() {
        texts = texts.filter { $0.value.frame == frame }
    }

    /// Returns a text laid out; `make` returns a new layout if there is none.
    func text(_ key: Key, _ make: (Key) -> OpaquePointer) -> Laid {
        let laid = unsafe texts[key] ?? Laid(make(key))
        laid.frame = frame
        texts[key] = laid
        return laid
    }
}
