import CGtk

/// A top-level window with a header bar.
public final class Window: Widget {
    private var content: Widget?
    private let header: HeaderBar

    /// A window of `application` under this header bar, not shown yet.
    public init(of application: Application, header: HeaderBar, width: Int32, height: Int32) {
        self.header = header
        unsafe super.init(owning: application.makeWindow(), isShown: false)
        let window: UnsafeMutablePointer<GtkWindow> = unsafe cast(gtk_window_get_type())
        unsafe gtk_window_set_titlebar(window, header.gtk)
        unsafe gtk_window_set_default_size(window, width, height)
    }

    /// What the window shows; set once.
    public func setContent(_ widget: Widget) {
        content = widget
        unsafe gtk_container_add(cast(gtk_container_get_type()), widget.gtk)
    }

    /// The title, for the desktop's lists of windows.
    public func setTitle(_ title: String) {
        unsafe gtk_window_set_title(cast(gtk_window_get_type()), title)
    }

    /// Shows the window, or brings it to the front.
    public func present() {
        unsafe gtk_window_present(cast(gtk_window_get_type()))
    }

    /// Calls `action` when a key is pressed that the focused widget did not want.
    public func onKey(_ action: @escaping @MainActor (Key) -> Bool) {
        unsafe Signal.connect(gtk, "key-press-event") { event in
            var keyval: UInt32 = 0
            guard let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self),
                unsafe gdk_event_get_keyval(event, &keyval) != 0, let key = Key(keyval: keyval)
            else { return false }
            return action(key)
        }
    }

    /// Calls `action` when the window is closed for good.
    public func onClose(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "destroy", action)
    }
}
