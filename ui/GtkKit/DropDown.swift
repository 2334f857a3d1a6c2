import CGtk

/// A drop-down list with one chosen entry.
public final class DropDown: Widget {
    /// Creates a drop-down of these entries, the first of them chosen.
    public init(_ entries: [String]) {
        unsafe super.init(owning: gtk_combo_box_text_new())
        replaceEntries(with: entries)
    }

    /// Replaces the entries; the first of them is chosen.
    public func replaceEntries(with entries: [String]) {
        let list: UnsafeMutablePointer<GtkComboBoxText> =
            unsafe cast(gtk_combo_box_text_get_type())
        unsafe gtk_combo_box_text_remove_all(list)
        for entry in entries { unsafe gtk_combo_box_text_append_text(list, entry) }
        selection = 0
    }

    /// The index of the chosen entry.
    public var selection: Int {
        get { Int(unsafe gtk_combo_box_get_active(cast(gtk_combo_box_get_type()))) }
        set {
            unsafe gtk_combo_box_set_active(
                cast(gtk_combo_box_get_type()), Int32(clamping: newValue))
        }
    }

    /// Calls `action` whenever another entry is chosen.
    public func onChange(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "changed", action)
    }
}
