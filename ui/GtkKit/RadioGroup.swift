import CGtk

/// A set of buttons. Exactly one of them is pressed.
public final class RadioGroup: Box {
    /// Creates a row of choices that look like one control, the first of them pressed.
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
