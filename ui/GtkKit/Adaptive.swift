import CGtk

/// A view that asks for no width of its own, so that its content can change its form with the width
/// that there is. Content that needs more is cut at its end.
///
/// ```swift
/// Adaptive(bar) { width in bar.axis = width < 300 ? .down : .across }
/// ```
public final class Adaptive: Widget {
    private let content: Widget

    /// Creates a view of `content`.
    /// - Parameter adapt: called with the width in pixels whenever it changes.
    public init(_ content: Widget, _ adapt: @escaping @MainActor (_ width: Double) -> Void) {
        self.content = content
        unsafe super.init(owning: gtk_scrolled_window_new(nil, nil))
        let view: UnsafeMutablePointer<GtkScrolledWindow> =
            unsafe cast(gtk_scrolled_window_get_type())
        unsafe gtk_scrolled_window_set_policy(view, GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER)
        unsafe gtk_scrolled_window_set_propagate_natural_height(view, 1)
        unsafe gtk_scrolled_window_set_kinetic_scrolling(view, 0)
        // Nobody scrolls it, so it is no stop of the Tab key.
        unsafe gtk_widget_set_can_focus(gtk, 0)
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
        onResize { adapt($0.width) }
    }
}
