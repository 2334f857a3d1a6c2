import CGtk

/// A box that is ticked or not.
public final class CheckButton: Widget {
    /// A box beside `text`.
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

/// A list that drops down and of which one entry is chosen.
public final class DropDown: Widget {
    /// A drop-down of these entries, the first of them chosen.
    public init(_ entries: [String]) {
        unsafe super.init(owning: gtk_combo_box_text_new())
        replaceEntries(with: entries)
    }

    /// Makes these the entries, the first of them chosen.
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

/// A set of buttons of which exactly one is pressed.
public final class RadioGroup: Box {
    /// A row of choices that look like one control, the first of them pressed.
    public init(_ entries: [String]) {
        super.init(.across)
        styled("linked")
        for entry in entries {
            append(RadioButton(entry, beside: children.last).expanding(across: true))
        }
    }

    /// The index of the pressed button.
    public var selection: Int {
        get { children.firstIndex { ($0 as? RadioButton)?.isOn ?? false } ?? 0 }
        set {
            guard children.indices.contains(newValue) else { return }
            (children[newValue] as? RadioButton)?.isOn = true
        }
    }

    /// Calls `action` whenever another button is pressed.
    public func onChange(_ action: @escaping @MainActor () -> Void) {
        for button in children { unsafe Signal.connect(button.gtk, "toggled", action) }
    }
}

/// One button of a ``RadioGroup``.
final class RadioButton: Widget {
    init(_ text: String, beside other: Widget?) {
        let group: UnsafeMutablePointer<GtkRadioButton>? =
            unsafe other?.cast(gtk_radio_button_get_type())
        unsafe super.init(owning: gtk_radio_button_new_with_label_from_widget(group, text))
        unsafe gtk_toggle_button_set_mode(cast(gtk_toggle_button_get_type()), 0)
    }

    var isOn: Bool {
        get { unsafe gtk_toggle_button_get_active(cast(gtk_toggle_button_get_type())) != 0 }
        set {
            unsafe gtk_toggle_button_set_active(
                cast(gtk_toggle_button_get_type()), newValue ? 1 : 0)
        }
    }
}
