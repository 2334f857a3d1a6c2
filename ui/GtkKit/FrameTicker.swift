import CGtk

/// Calls a closure before each frame of a widget while it is on the screen, until the ticker is
/// released.
///
/// It keeps the screen busy, so a widget has one only while something on it moves, and none if
/// ``isMotionWanted(by:)`` returns false.
@MainActor
@safe
public final class FrameTicker {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let callback: UInt32

    /// Starts to tick. The closure receives the time of the frame, on a clock that never jumps.
    public init(of widget: Widget, _ action: @escaping @MainActor (Duration) -> Void) {
        unsafe self.widget = widget.gtk
        _ = unsafe g_object_ref(widget.gtk)
        let box = unsafe Unmanaged.passRetained(ClosureBox(action)).toOpaque()
        unsafe callback = gtk_widget_add_tick_callback(
            widget.gtk,
            { _, clock, box in
                let time = Duration.microseconds(unsafe gdk_frame_clock_get_frame_time(clock))
                unsafe run(box, as: (@MainActor (Duration) -> Void).self) { $0(time) }
                return 1
            }, box, { unsafe releaseBox($0) })
    }

    isolated deinit {
        unsafe gtk_widget_remove_tick_callback(widget, callback)
        unsafe g_object_unref(widget)
    }

    /// Returns whether the desktop shows animations on the screen of a widget.
    public static func isMotionWanted(by widget: Widget) -> Bool {
        unsafe hdy_get_enable_animations(widget.gtk) != 0
    }
}
