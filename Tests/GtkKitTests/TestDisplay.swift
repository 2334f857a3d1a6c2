import CGtk
import Foundation

@testable import GtkKit

/// A display of this process alone, for tests of widgets without a window of the desktop.
@MainActor
enum TestDisplay {
    private static let isOpen: Bool = {
        let server = Process()
        let said = Pipe()
        server.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
        // It ends when its last client does, which is this process.
        server.arguments = [
            "-displayfd", "1", "-terminate", "-nolisten", "tcp", "-screen", "0", "640x480x24",
        ]
        server.standardOutput = said
        server.standardError = FileHandle.nullDevice
        guard (try? server.run()) != nil else { return false }
        let number = String(decoding: said.fileHandleForReading.availableData, as: UTF8.self)
        // The environment stays as it is, because tests on other threads read it.
        unsafe gdk_set_allowed_backends("x11")
        guard gtk_parse_args(nil, nil) != 0,
            let display = unsafe gdk_display_open(
                ":\(number.trimmingCharacters(in: .whitespacesAndNewlines))")
        else { return false }
        unsafe gdk_display_manager_set_default_display(gdk_display_manager_get(), display)
        hdy_init()
        return true
    }()

    /// Opens the display. No widget can be made before.
    static func open() throws(DisplayFault) {
        guard isOpen else { throw .noDisplay }
    }

    /// Shows a widget in a window that is not on the screen, and returns the colour at a point as
    /// soon as `isWanted` accepts it; after some seconds, whatever it is then.
    static func colour(
        at point: Point, of widget: Widget, size: Size,
        until isWanted: ([UInt8]) -> Bool
    ) throws -> [UInt8] {
        guard let window = unsafe gtk_offscreen_window_new() else { throw DisplayFault.noDisplay }
        defer { unsafe gtk_widget_destroy(window) }
        unsafe gtk_widget_set_size_request(window, Int32(size.width), Int32(size.height))
        unsafe gtk_container_add(gtkCast(window, gtk_container_get_type()), widget.gtk)
        unsafe gtk_widget_show(window)
        defer {
            unsafe gtk_container_remove(gtkCast(window, gtk_container_get_type()), widget.gtk)
        }
        let end = MainLoop.now + .seconds(5)
        var found: [UInt8] = []
        repeat {
            MainLoop.turn(atMost: .milliseconds(20)) { false }
            found = unsafe colour(at: point, ofWindow: window)
        } while !isWanted(found) && MainLoop.now < end
        return found
    }

    private static func colour(
        at point: Point, ofWindow window: UnsafeMutablePointer<GtkWidget>
    ) -> [UInt8] {
        let offscreen: UnsafeMutablePointer<GtkOffscreenWindow> = unsafe gtkCast(
            window, gtk_offscreen_window_get_type())
        guard let pixels = unsafe gtk_offscreen_window_get_pixbuf(offscreen) else { return [] }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(pixels)) }
        let channels = Int(unsafe gdk_pixbuf_get_n_channels(pixels))
        let stride = Int(unsafe gdk_pixbuf_get_rowstride(pixels))
        guard let bytes = unsafe gdk_pixbuf_read_pixels(pixels),
            Int(point.x) < Int(unsafe gdk_pixbuf_get_width(pixels)),
            Int(point.y) < Int(unsafe gdk_pixbuf_get_height(pixels))
        else { return [] }
        let pixel = unsafe bytes + Int(point.y) * stride + Int(point.x) * channels
        return unsafe [pixel[0], pixel[1], pixel[2]]
    }

    /// Runs the main loop until something is done, for some seconds at most.
    static func turn(until isDone: @MainActor () -> Bool) {
        MainLoop.turn(atMost: .seconds(5), until: isDone)
    }
}
