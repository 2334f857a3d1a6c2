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
