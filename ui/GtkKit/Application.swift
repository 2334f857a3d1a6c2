import CGtk

/// A reason why no window can be opened.
public enum DisplayFault: Error, CustomStringConvertible {
    case noDisplay

    /// A sentence with the remedy.
    public var description: String {
        "There is no display to open a window on; "
            + "set DISPLAY or WAYLAND_DISPLAY, or use the command line instead."
    }
}

/// A GTK application: one per process.
@MainActor
@safe
public final class Application {
    private let gtk: UnsafeMutablePointer<GtkApplication>

    /// Creates an application by its reverse-DNS id.
    ///
    /// With `isSingle`, a second start raises the first one's window and ends at once.
    /// - Throws: ``DisplayFault`` if no display can be opened.
    public init(id: String, isSingle: Bool) throws(DisplayFault) {
        guard gtk_init_check(nil, nil) != 0 else { throw .noDisplay }
        hdy_init()
        MainLoop.bridge()
        let flags = isSingle ? GApplicationFlags(rawValue: 0) : G_APPLICATION_NON_UNIQUE
        guard let made = unsafe gtk_application_new(id, flags) else {
            preconditionFailure("GTK made no application; is the id in reverse-DNS form?")
        }
        unsafe gtk = made
        unsafe gtk_window_set_default_icon_name(id)
    }

    isolated deinit {
        unsafe g_object_unref(gtk)
    }

    /// Runs until the last window is closed; `activate` opens or raises it at each request.
    /// - Returns: the process's exit code.
    public func run(_ activate: @escaping @MainActor () -> Void) -> Int32 {
        unsafe Signal.connect(gtk, "activate", activate)
        let application = unsafe UnsafeMutableRawPointer(gtk)
            .assumingMemoryBound(to: GApplication.self)
        return unsafe g_application_run(application, 0, nil)
    }

    /// Makes a window of this application.
    func makeWindow() -> UnsafeMutablePointer<GtkWidget>? {
        guard let window = unsafe hdy_application_window_new() else { return nil }
        unsafe gtk_window_set_application(gtkCast(window, gtk_window_get_type()), gtk)
        return unsafe window
    }
}
