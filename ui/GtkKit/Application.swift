import CGtk
import Glibc

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

    /// Creates an application by its reverse-DNS id. A second start with the id raises the first
    /// one's window and ends at once.
    /// - Parameters:
    ///   - icon: the name of its icon in the theme.
    ///   - isService: whether the bus started it; it then opens a window when it is asked to.
    /// - Throws: ``DisplayFault`` if no display can be opened.
    public init(id: String, icon: String, isService: Bool) throws(DisplayFault) {
        // GTK would load the driver of OpenGL, which takes 10 MB, to choose a visual for it. The
        // window is painted with Cairo alone.
        _ = unsafe setenv("GDK_GL", "disable", 0)
        guard gtk_init_check(nil, nil) != 0 else { throw .noDisplay }
        AccessibleSight.mend()
        hdy_init()
        MainLoop.bridge()
        let flags = isService ? G_APPLICATION_IS_SERVICE : GApplicationFlags(rawValue: 0)
        guard let made = unsafe gtk_application_new(id, flags) else {
            preconditionFailure("GTK made no application; is the id in reverse-DNS form?")
        }
        unsafe gtk = made
        unsafe gtk_window_set_default_icon_name(icon)
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

    /// Adds an action with a text, which other programs perform over the bus
    /// (`org.freedesktop.Application.ActivateAction`). The text is from outside.
    public func onAction(_ name: String, _ perform: @escaping @MainActor (String) -> Void) {
        let type = unsafe g_variant_type_new("s")
        defer { unsafe g_variant_type_free(type) }
        guard let action = unsafe g_simple_action_new(name, type) else { return }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(action)) }
        unsafe Signal.connect(
            UnsafeMutableRawPointer(action), "activate",
            pointer: { value in
                guard let value = unsafe value else { return }
                perform(unsafe String(cString: g_variant_get_string(OpaquePointer(value), nil)))
            })
        unsafe g_action_map_add_action(
            OpaquePointer(UnsafeMutableRawPointer(gtk)), action)
    }

    /// Makes a window of this application.
    func makeWindow() -> UnsafeMutablePointer<GtkWidget>? {
        guard let window = unsafe hdy_application_window_new() else { return nil }
        unsafe gtk_window_set_application(gtkCast(window, gtk_window_get_type()), gtk)
        return unsafe window
    }
}
