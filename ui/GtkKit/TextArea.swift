import CGtk

/// Several lines of typed text. Enter performs an action; with Shift it begins a new line.
public final class TextArea: Widget {
    private let placeholder: String
    private var isComposing = false

    /// Creates an empty area; it shows `placeholder` while it is empty.
    public init(placeholder: String = "") {
        self.placeholder = placeholder
        unsafe super.init(owning: gtk_text_view_new())
        let view = unsafe self.view
        unsafe gtk_text_view_set_wrap_mode(view, GTK_WRAP_WORD_CHAR)
        // The Tab key moves to the next control, as everywhere.
        unsafe gtk_text_view_set_accepts_tab(view, 0)
        unsafe gtk_text_view_set_left_margin(view, Self.margin)
        unsafe gtk_text_view_set_right_margin(view, Self.margin)
        unsafe gtk_text_view_set_top_margin(view, Self.margin)
        unsafe gtk_text_view_set_bottom_margin(view, Self.margin)
        // The text that the input method composes is not in the buffer yet.
        unsafe Signal.connect(
            gtk, "preedit-changed",
            pointer: { [weak self] composed in
                let first = unsafe composed?.load(as: CChar.self) ?? 0
                self?.isComposing = first != 0
            })
        unsafe Signal.connect(gtk, "draw", isAfter: true) { [weak self] cairo in
            if let self, text.isEmpty, !isComposing {
                unsafe paintPlaceholder(OpaquePointer(cairo))
            }
            return false
        }
    }

    private func paintPlaceholder(_ cairo: OpaquePointer?) {
        let style = unsafe gtk_widget_get_style_context(gtk)
        guard let layout = unsafe gtk_widget_create_pango_layout(gtk, placeholder) else { return }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }
        unsafe gtk_style_context_save(style)
        unsafe gtk_style_context_set_state(style, GTK_STATE_FLAG_INSENSITIVE)
        unsafe gtk_render_layout(style, cairo, Double(Self.margin), Double(Self.margin), layout)
        unsafe gtk_style_context_restore(style)
    }

    /// Pixels between the frame and the text.
    private static let margin: Int32 = 7

    private var view: UnsafeMutablePointer<GtkTextView> {
        unsafe cast(gtk_text_view_get_type())
    }

    private var buffer: UnsafeMutablePointer<GtkTextBuffer>? {
        unsafe gtk_text_view_get_buffer(view)
    }

    /// Returns the area in a frame that grows with its lines up to `pixels` high, and scrolls only
    /// then.
    public func framed(growingUpTo pixels: Int32) -> Widget {
        Scroller(self).growing(upTo: pixels).styled("text-area")
    }

    /// The text.
    public var text: String {
        get {
            var (start, end) = unsafe (GtkTextIter(), GtkTextIter())
            unsafe gtk_text_buffer_get_bounds(buffer, &start, &end)
            guard let text = unsafe gtk_text_buffer_get_text(buffer, &start, &end, 0) else {
                return ""
            }
            defer { unsafe g_free(text) }
            return unsafe String(cString: text)
        }
        set {
            guard newValue != text else { return }
            unsafe gtk_text_buffer_set_text(buffer, newValue, -1)
        }
    }

    /// Calls `action` whenever the text changes.
    public func onChange(_ action: @escaping @MainActor () -> Void) {
        guard let buffer = unsafe buffer else { return }
        unsafe Signal.connect(buffer, "changed", action)
    }

    /// Calls `action` when the user pastes, before a text in the clipboard is inserted.
    public func onPaste(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "paste-clipboard", action)
    }

    /// Calls `action` when Enter is pressed without Shift. The input method receives the key first:
    /// it may have a syllable to finish.
    public func onEnter(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "key-press-event") { [weak self] event in
            var (keyval, modifiers) = (UInt32(0), GdkModifierType(rawValue: 0))
            guard let self, let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self),
                unsafe gdk_event_get_keyval(event, &keyval) != 0,
                KeyboardKey(keyval: keyval) == .enter,
                unsafe gdk_event_get_state(event, &modifiers) != 0,
                modifiers.rawValue & GDK_SHIFT_MASK.rawValue == 0
            else { return false }
            let key = unsafe UnsafeMutableRawPointer(event).assumingMemoryBound(
                to: GdkEventKey.self)
            if unsafe gtk_text_view_im_context_filter_keypress(self.view, key) == 0 { action() }
            return true
        }
    }
}
