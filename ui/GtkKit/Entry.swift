import CGtk

/// A line of text that is typed.
public final class Entry: Widget {
    /// Creates an empty line with space for about so many characters.
    public init(width characters: Int32 = 12, placeholder: String = "") {
        unsafe super.init(owning: gtk_entry_new())
        unsafe gtk_entry_set_width_chars(cast(gtk_entry_get_type()), characters)
        unsafe gtk_entry_set_placeholder_text(cast(gtk_entry_get_type()), placeholder)
    }

    /// The text.
    public var text: String {
        get { unsafe String(cString: gtk_entry_get_text(cast(gtk_entry_get_type()))) }
        set {
            guard newValue != text else { return }
            unsafe gtk_entry_set_text(cast(gtk_entry_get_type()), newValue)
        }
    }

    /// Calls `action` whenever the text changes.
    public func onChange(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "changed", action)
    }

    /// Calls `action` when Enter is pressed; the input method receives the key first.
    public func onEnter(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "activate", action)
    }
}
