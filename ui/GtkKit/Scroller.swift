import CGtk

/// A view that scrolls content which does not fit.
public final class Scroller: Widget {
    private let content: Widget

    /// Scrolls `content` vertically; its full width is always requested, so it is never cut.
    public init(_ content: Widget) {
        self.content = content
        unsafe super.init(owning: gtk_scrolled_window_new(nil, nil))
        unsafe gtk_scrolled_window_set_policy(
            cast(gtk_scrolled_window_get_type()), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
    }

    /// Scrolls sideways too if the content is wider than the view, as in a small window with large
    /// text.
    @discardableResult
    public func scrollingAcross() -> Self {
        let scroller: UnsafeMutablePointer<GtkScrolledWindow> =
            unsafe cast(gtk_scrolled_window_get_type())
        unsafe gtk_scrolled_window_set_policy(
            scroller, GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC)
        unsafe gtk_scrolled_window_set_propagate_natural_width(scroller, 1)
        return self
    }

    /// Asks for no size of its own. Content that needs more than there is scrolls; other content
    /// has all of the view.
    @discardableResult
    public func askingForNoSize() -> Self {
        unsafe gtk_scrolled_window_set_policy(
            cast(gtk_scrolled_window_get_type()), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC)
        return self
    }

    /// Takes no keyboard focus of its own; GTK would make each view a stop of the Tab key.
    @discardableResult
    public func takingNoFocus() -> Self {
        unsafe gtk_widget_set_can_focus(gtk, 0)
        return self
    }

    /// Keeps the widget with the keyboard focus in view when the view changes its size, with the
    /// lines under it that say what is wrong.
    @discardableResult
    public func keepingFocusInView() -> Self {
        onResize { [weak self] _ in self?.showFocus() }
        return self
    }

    /// The height of the lines under a focused widget, as multiples of its own.
    private static let linesUnderFocus = 2.0

    private func showFocus() {
        let window = unsafe gtk_widget_get_toplevel(gtk)
        guard let window = unsafe window, unsafe gtk_widget_is_toplevel(window) != 0,
            let focused = unsafe gtk_window_get_focus(gtkCast(window, gtk_window_get_type())),
            unsafe gtk_widget_is_ancestor(focused, content.gtk) != 0
        else { return }
        var (x, y) = (Int32(0), Int32(0))
        guard
            unsafe gtk_widget_translate_coordinates(focused, content.gtk, 0, 0, &x, &y) != 0
        else { return }
        let height = unsafe Double(gtk_widget_get_allocated_height(focused))
        let view = unsafe gtk_scrolled_window_get_vadjustment(cast(gtk_scrolled_window_get_type()))
        // If the view is lower than both, GTK shows the upper edge.
        unsafe gtk_adjustment_clamp_page(
            view, Double(y), Double(y) + height * (1 + Self.linesUnderFocus))
    }

    /// Grows with its content up to `pixels` high, and scrolls only beyond that.
    @discardableResult
    public func growing(upTo pixels: Int32) -> Self {
        let scroller: UnsafeMutablePointer<GtkScrolledWindow> =
            unsafe cast(gtk_scrolled_window_get_type())
        unsafe gtk_scrolled_window_set_propagate_natural_height(scroller, 1)
        unsafe gtk_scrolled_window_set_max_content_height(scroller, pixels)
        return self
    }
}
