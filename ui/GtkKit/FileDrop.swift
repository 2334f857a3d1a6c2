import CGtk

extension Widget {
    /// Accepts files that are dragged here from other programs; `action` receives their paths. What
    /// is dragged out of this window and let go over it is a slip.
    public func onFilesDropped(_ action: @escaping @MainActor ([String]) -> Void) {
        unsafe gtk_drag_dest_set(gtk, GTK_DEST_DEFAULT_ALL, nil, 0, GDK_ACTION_COPY)
        let targets = unsafe gtk_target_list_new(nil, 0)
        unsafe gtk_target_list_add(
            targets, gdk_atom_intern("text/uri-list", 0), GTK_TARGET_OTHER_APP.rawValue, 0)
        unsafe gtk_drag_dest_set_target_list(gtk, targets)
        unsafe gtk_target_list_unref(targets)
        unsafe Signal.connect(gtk, "drag-data-received", dropped: action)
    }
}

extension Signal {
    /// Connects the signal that hands over dropped files.
    static func connect(
        _ instance: UnsafeMutableRawPointer, _ name: String,
        dropped action: @escaping @MainActor ([String]) -> Void
    ) {
        typealias Thunk =
            @convention(c) (
                gpointer?, gpointer?, gint, gint, OpaquePointer?, guint, guint, gpointer?
            ) -> Void
        let thunk: Thunk = { _, _, _, _, selection, _, _, box in
            let paths = unsafe droppedPaths(selection)
            unsafe run(box, as: (@MainActor ([String]) -> Void).self) { $0(paths) }
        }
        unsafe attach(
            instance, name, box: action, handler: unsafeBitCast(thunk, to: GCallback.self))
    }
}

/// Returns the paths of the local files that were dropped.
private func droppedPaths(_ selection: OpaquePointer?) -> [String] {
    guard let list = unsafe gtk_selection_data_get_uris(selection) else { return [] }
    defer { unsafe g_strfreev(list) }
    var paths: [String] = []
    var next = unsafe list
    while let address = unsafe next.pointee {
        if let path = unsafe g_filename_from_uri(address, nil, nil) {
            paths.append(unsafe String(cString: path))
            unsafe g_free(path)
        }
        unsafe next += 1
    }
    return paths
}
