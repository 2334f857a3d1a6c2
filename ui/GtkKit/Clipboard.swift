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

    /// Asks for the picture in the clipboard, as its owner's JPEG or PNG. The bytes come from
    /// outside, and are not decoded.
    /// - Parameter action: receives the bytes, or nil if the clipboard holds no such picture.
    public static func requestPicture(_ action: @escaping @MainActor ([UInt8]?) -> Void) {
        request(["image/jpeg", "image/png"], action)
    }

    /// Asks for the picture in the clipboard if it holds no text. A spreadsheet offers the picture
    /// of a text that a person copied, and they want to paste the text.
    public static func requestPictureWithoutText(
        _ action: @escaping @MainActor ([UInt8]?) -> Void
    ) {
        request(["UTF8_STRING"]) { text in
            if text == nil { requestPicture(action) } else { action(nil) }
        }
    }

    private static func request(
        _ types: [String], _ action: @escaping @MainActor ([UInt8]?) -> Void
    ) {
        guard let type = types.first else { return action(nil) }
        let clipboard = unsafe gtk_clipboard_get_default(gdk_display_get_default())
        let received: @MainActor ([UInt8]?) -> Void = { bytes in
            if let bytes { action(bytes) } else { request(Array(types.dropFirst()), action) }
        }
        let box = unsafe Unmanaged.passRetained(ClosureBox(received)).toOpaque()
        unsafe gtk_clipboard_request_contents(
            clipboard, gdk_atom_intern(type, 0),
            { _, selection, box in
                let bytes = unsafe content(selection)
                unsafe run(box, as: (@MainActor ([UInt8]?) -> Void).self) { $0(bytes) }
                unsafe releaseBox(box)
            }, box)
    }
}

/// Returns the bytes of a selection; nil if its owner has none of the type that was asked for.
private func content(_ selection: OpaquePointer?) -> [UInt8]? {
    let count = Int(unsafe gtk_selection_data_get_length(selection))
    guard count > 0, let bytes = unsafe gtk_selection_data_get_data(selection) else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
}
