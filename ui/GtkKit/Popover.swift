import CGtk

/// A small view that opens over a widget, and closes for Escape or a click elsewhere.
///
/// ```swift
/// let popover = Popover(over: button, MonthCalendar())
/// button.onClick { popover.open() }
/// ```
public final class Popover: Widget {
    private let content: Widget

    /// Creates a popover over `owner`, which is not open yet. It lives as long as this object.
    public init(over owner: Widget, _ content: Widget) {
        self.content = content
        unsafe super.init(owning: gtk_popover_new(owner.gtk), isShown: false)
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
    }

    isolated deinit {
        // The window holds its own reference, which only this call ends.
        unsafe gtk_widget_destroy(gtk)
    }

    /// Opens the popover.
    public func open() { isVisible = true }

    /// Closes the popover; the focus returns to the widget that had it.
    public func close() { isVisible = false }
}
