import CGtk

/// A top-level window with a header bar.
public final class Window: Widget {
    private var content: Widget?
    private let header: HeaderBar

    /// Creates a window of `application` under this header bar, not shown yet.
    public init(of application: Application, header: HeaderBar, width: Int32, height: Int32) {
        self.header = header
        unsafe super.init(owning: application.makeWindow(), isShown: false)
        let window: UnsafeMutablePointer<GtkWindow> = unsafe cast(gtk_window_get_type())
        unsafe gtk_window_set_default_size(window, width, height)
    }

    /// Shows this widget under the header bar; called once.
    public func setContent(_ widget: Widget) {
        let column = Box(.down, [header, widget.expanding(across: true, down: true)])
        content = column
        unsafe gtk_container_add(cast(gtk_container_get_type()), column.gtk)
    }

    /// Sets the title for the desktop's lists of windows.
    public func setTitle(_ title: String) {
        unsafe gtk_window_set_title(cast(gtk_window_get_type()), title)
    }

    /// Shows the window, or brings it to the front.
    public func present() {
        unsafe gtk_window_present(cast(gtk_window_get_type()))
    }

    /// Calls `action` when a key is pressed, before the focused widget receives it. The widget does
    /// not receive it if `action` returns true.
    public func onKey(_ action: @escaping @MainActor (KeyPress) -> Bool) {
        unsafe Signal.connect(gtk, "key-press-event") { event in
            guard let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self),
                let press = unsafe KeyPress(event)
            else { return false }
            return action(press)
        }
    }

    /// Closes the window as its close button does.
    public func close() {
        unsafe gtk_window_close(cast(gtk_window_get_type()))
    }

    /// Calls `action` when the window is closed for good.
    public func onClose(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "destroy", action)
    }
}
