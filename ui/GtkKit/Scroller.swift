import CGtk

/// A view that scrolls content which does not fit.
public final class Scroller: Widget {
    private let content: Widget
    /// The widget to scroll to with the next layout.
    private weak var wanted: Widget?

    /// Scrolls `content` vertically; its full width is always requested, so it is never cut.
    public init(_ content: Widget) {
        self.content = content
        unsafe super.init(owning: gtk_scrolled_window_new(nil, nil))
        unsafe gtk_scrolled_window_set_policy(
            cast(gtk_scrolled_window_get_type()), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
        unsafe Signal.connect(
            content.gtk, "size-allocate", pointer: { [weak self] _ in self?.revealWanted() })
    }

    /// Keeps the end of the content visible as it grows, until the user scrolls away from it.
    @discardableResult
    public func followingEnd() -> Self {
        let adjustment = unsafe gtk_scrolled_window_get_vadjustment(
            cast(gtk_scrolled_window_get_type()))
        guard let adjustment = unsafe adjustment else { return self }
        var isAtEnd = true
        var isMoving = false
        let end = {
            unsafe gtk_adjustment_get_upper(adjustment)
                - gtk_adjustment_get_page_size(adjustment)
        }
        unsafe Signal.connect(adjustment, "value-changed") {
            guard !isMoving else { return }
            isAtEnd = unsafe gtk_adjustment_get_value(adjustment) >= end() - 1
        }
        unsafe Signal.connect(adjustment, "changed") {
            guard isAtEnd else { return }
            isMoving = true
            unsafe gtk_adjustment_set_value(adjustment, end())
            isMoving = false
        }
        return self
    }

    /// Scrolls a widget of the content to the middle of the view, once it is laid out.
    public func reveal(_ widget: Widget) {
        wanted = widget
        unsafe gtk_widget_queue_resize(content.gtk)
    }

    private func revealWanted() {
        guard let widget = wanted else { return }
        wanted = nil
        var (x, y) = (Int32(0), Int32(0))
        let adjustment = unsafe gtk_scrolled_window_get_vadjustment(
            cast(gtk_scrolled_window_get_type()))
        guard
            unsafe gtk_widget_translate_coordinates(widget.gtk, content.gtk, 0, 0, &x, &y) != 0
        else { return }
        let free = unsafe gtk_adjustment_get_page_size(adjustment) - widget.size.height
        unsafe gtk_adjustment_set_value(adjustment, Double(y) - max(0, free) / 2)
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
