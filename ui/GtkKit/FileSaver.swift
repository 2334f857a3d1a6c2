import CGtk

/// The desktop's dialog for the name of a new file.
@MainActor
@safe
public final class FileSaver {
    private var dialog: UnsafeMutableRawPointer?

    /// Creates a dialog that is not shown yet.
    public init() {}

    isolated deinit { end() }

    /// Asks for a file.
    /// - Parameters:
    ///   - title: the title of the dialog.
    ///   - name: the proposed name.
    ///   - action: receives the path of the chosen file; it is not called if none is chosen.
    public func ask(
        title: String, name: String, _ action: @escaping @MainActor (_ path: String) -> Void
    ) {
        end()
        guard
            let chooser = unsafe gtk_file_chooser_native_new(
                title, nil, GTK_FILE_CHOOSER_ACTION_SAVE, nil, nil)
        else { return }
        let dialog = unsafe UnsafeMutableRawPointer(chooser)
        unsafe self.dialog = dialog
        unsafe gtk_file_chooser_set_do_overwrite_confirmation(chooser, 1)
        unsafe gtk_file_chooser_set_current_name(chooser, name)
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
