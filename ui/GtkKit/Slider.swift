import CGtk

/// A line with a handle, which the user moves from 0 to a greatest number with the pointer, the
/// arrow keys, Page Up and Page Down, Home and End.
public final class Slider: Widget {
    /// Whether the program moves the handle, and not the user.
    private var isSetting = false

    /// Creates a slider from 0 to 1.
    public init() {
        unsafe super.init(
            owning: gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.01))
        unsafe gtk_scale_set_draw_value(cast(gtk_scale_get_type()), 0)
        leaveWheelToPage()
    }

    /// Lets the wheel scroll the page under the pointer instead of moving the handle.
    private func leaveWheelToPage() {
        unsafe Signal.connect(gtk, "scroll-event") { [weak self] event in
            guard let self, let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self),
                let parent = unsafe gtk_widget_get_parent(gtk)
            else { return false }
            unsafe gtk_propagate_event(parent, event)
            return true
        }
    }

    private var range: UnsafeMutablePointer<GtkRange> { unsafe cast(gtk_range_get_type()) }

    /// The number at the handle. Setting it to what it is does nothing, so that a screen reader is
    /// not told.
    public var value: Double {
        get { unsafe gtk_range_get_value(range) }
        set {
            guard newValue != value else { return }
            isSetting = true
            unsafe gtk_range_set_value(range, newValue)
            isSetting = false
        }
    }

    /// Sets the greatest number, which is more than 0, and the steps of the keys.
    /// - Parameters:
    ///   - step: the difference of one arrow key.
    ///   - page: the difference of Page Up and Page Down.
    public func setMaximum(_ maximum: Double, step: Double, page: Double) {
        isSetting = true
        unsafe gtk_range_set_range(range, 0, maximum)
        unsafe gtk_range_set_increments(range, step, page)
        isSetting = false
    }

    /// Calls `action` with the number whenever the user moves the handle.
    public func onMove(_ action: @escaping @MainActor (Double) -> Void) {
        unsafe Signal.connect(gtk, "value-changed") { [weak self] in
            guard let self, !isSetting else { return }
            action(value)
        }
    }
}
