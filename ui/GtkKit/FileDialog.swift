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
        unsafe show(title, kind, prepare: prepare, several: { $0.first.map(action) })
    }

    /// Shows a dialog in place of the one before, in which several files may be chosen.
    func show(
        _ title: String, _ kind: GtkFileChooserAction,
        prepare: (_ chooser: OpaquePointer) -> Void,
        several action: @escaping @MainActor (_ paths: [String]) -> Void
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
                let paths = unsafe Self.paths(of: chooser)
                self?.end()
                if !paths.isEmpty, response == Int(GTK_RESPONSE_ACCEPT.rawValue) { action(paths) }
            })
        unsafe gtk_native_dialog_show(dialog.assumingMemoryBound(to: GtkNativeDialog.self))
    }

    /// Returns the paths of the chosen files.
    private static func paths(of chooser: OpaquePointer) -> [String] {
        let list = unsafe gtk_file_chooser_get_filenames(chooser)
        defer { unsafe g_slist_free(list) }
        var paths: [String] = []
        var next = unsafe list
        while let entry = unsafe next {
            let path = unsafe entry.pointee.data
            if let path = unsafe path {
                paths.append(unsafe String(cString: path.assumingMemoryBound(to: CChar.self)))
            }
            unsafe g_free(path)
            unsafe next = entry.pointee.next
        }
        return paths
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
