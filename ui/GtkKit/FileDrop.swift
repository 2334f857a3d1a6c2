import CGtk

extension Widget {
    /// Accepts files that are dragged here; `action` receives their paths.
    public func onFilesDropped(_ action: @escaping @MainActor ([String]) -> Void) {
        unsafe gtk_drag_dest_set(gtk, GTK_DEST_DEFAULT_ALL, nil, 0, GDK_ACTION_COPY)
        unsafe gtk_drag_dest_add_uri_targets(gtk)
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
