import CGtk

/// The widget that has the keyboard focus now, so that it can have it again later.
///
/// ```swift
/// let before = KeptFocus(around: page)
/// sheet.grabFocus()
/// before?.restore()
/// ```
@MainActor
@safe
public final class KeptFocus {
    private let widget: UnsafeMutablePointer<GtkWidget>

    /// Keeps the focus of the window around a widget; nil if nothing in it has the focus.
    public init?(around part: Widget) {
        let window = unsafe gtk_widget_get_toplevel(part.gtk)
        guard let window = unsafe window, unsafe gtk_widget_is_toplevel(window) != 0,
            let focused = unsafe gtk_window_get_focus(
                UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self))
        else { return nil }
        unsafe widget = focused
        _ = unsafe g_object_ref(focused)
    }

    isolated deinit {
        unsafe g_object_unref(widget)
    }

    /// Whether the widget still has the focus of its window.
    public var isCurrent: Bool {
        let window = unsafe gtk_widget_get_toplevel(widget)
        guard let window = unsafe window, unsafe gtk_widget_is_toplevel(window) != 0 else {
            return false
        }
        return unsafe gtk_window_get_focus(
            UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)) == widget
    }

    /// Gives the widget the focus, if it is on the screen and can be used.
    public func restore() {
        guard unsafe gtk_widget_get_mapped(widget) != 0,
            unsafe gtk_widget_is_sensitive(widget) != 0, unsafe !Cover.isOver(widget)
        else { return }
        unsafe gtk_widget_grab_focus(widget)
    }
}
