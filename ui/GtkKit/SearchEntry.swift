import CGtk

/// A line for the words to search for, with a button that clears it.
public final class SearchEntry: Widget {
    /// Creates an empty line; it shows `placeholder` while it is empty.
    public init(placeholder: String) {
        unsafe super.init(owning: gtk_search_entry_new())
        unsafe gtk_entry_set_placeholder_text(cast(gtk_entry_get_type()), placeholder)
        // It takes the width that there is.
        unsafe gtk_entry_set_width_chars(cast(gtk_entry_get_type()), 1)
    }

    /// The words.
    public var text: String {
        get { unsafe String(cString: gtk_entry_get_text(cast(gtk_entry_get_type()))) }
        set {
            guard newValue != text else { return }
            unsafe gtk_entry_set_text(cast(gtk_entry_get_type()), newValue)
        }
    }

    /// Calls `action` when the user pauses after typing, clears the line, or presses Enter.
    public func onSearch(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "search-changed", action)
        unsafe Signal.connect(gtk, "activate", action)
    }

    /// Calls `action` when Escape is pressed.
    public func onStop(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "stop-search", action)
    }
}
