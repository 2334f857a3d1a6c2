import CGtk

/// A box that is ticked or not.
public final class CheckButton: Widget {
    /// Creates a box beside `text`.
    public init(_ text: String) {
        unsafe super.init(owning: gtk_check_button_new_with_label(text))
    }

    /// Whether it is ticked.
    public var isOn: Bool {
        get { unsafe gtk_toggle_button_get_active(cast(gtk_toggle_button_get_type())) != 0 }
        set {
            unsafe gtk_toggle_button_set_active(
                cast(gtk_toggle_button_get_type()), newValue ? 1 : 0)
        }
    }

    /// Calls `action` whenever it is ticked or cleared.
    public func onChange(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "toggled", action)
    }
}
