import CGtk

/// The desktop's clipboard.
@MainActor
public enum Clipboard {
    /// Puts a text into the clipboard, where it stays after the window is closed.
    public static func copy(_ text: String) {
        let clipboard = unsafe gtk_clipboard_get_default(gdk_display_get_default())
        unsafe gtk_clipboard_set_text(clipboard, text, -1)
        unsafe gtk_clipboard_store(clipboard)
    }
}
