import CGtk

/// One dialog of the desktop at a time.
@MainActor
@safe
final class FileDialog {
    private var dialog: UnsafeMutableRawPointer?

    isolated deinit { end() }

    /// Shows a dialog in place of the one before.
    func show(
        _ title: String, _ kind: GtkFileChooserAction,
        prepare: (_ chooser: OpaquePointer) -> Void,
        _ action: @escaping @MainActor (_ path: String) -> Void
    ) {
        end()
        guard let chooser = unsafe gtk_file_chooser_native_new(title, nil, kind, nil, nil)
        else { return }
        let dialog = unsafe UnsafeMutableRawPointer(chooser)
        unsafe self.dialog = dialog
        unsafe prepare(chooser)
        unsafe Signal.connect(
            dialog, "response",
            number: { [weak self] response in
                let path = unsafe gtk_file_chooser_get_filename(chooser)
                let text = unsafe path.map { unsafe String(cString: $0) }
                unsafe g_free(path)
                self?.end()
                if let text, response == Int(GTK_RESPONSE_ACCEPT.rawValue) { action(text) }
            })
        unsafe gtk_native_dialog_show(dialog.assumingMemoryBound(to: GtkNativeDialog.self))
    }

    private func end() {
        guard let dialog = unsafe dialog else { return }
        unsafe self.dialog = nil
        unsafe g_object_unref(dialog)
    }
}

extension Signal {
    /// Connects a signal that carries one whole number.
    static func connect(
        _ instance: UnsafeMutableRawPointer, _ name: String,
        number action: @escaping @MainActor (Int) -> Void
    ) {
        let thunk: @convention(c) (gpointer?, gint, gpointer?) -> Void = { _, number, box in
            unsafe run(box, as: (@MainActor (Int) -> Void).self) { $0(Int(number)) }
        }
        unsafe attach(
            instance, name, box: action, handler: unsafeBitCast(thunk, to: GCallback.self))
    }
}
