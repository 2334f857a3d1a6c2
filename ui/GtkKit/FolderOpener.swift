import CGtk

/// Opens folders in the desktop's program for folders.
@MainActor
public enum FolderOpener {
    /// Opens a folder, without waiting for the program.
    /// - Parameter action: receives whether a program was started.
    public static func open(
        _ path: String, _ action: @escaping @MainActor (_ isOpen: Bool) -> Void
    ) {
        guard let address = unsafe g_filename_to_uri(path, nil, nil) else { return action(false) }
        let box = unsafe Unmanaged.passRetained(ClosureBox(action)).toOpaque()
        unsafe g_app_info_launch_default_for_uri_async(
            address, nil, nil,
            { _, result, box in
                let isOpen =
                    unsafe g_app_info_launch_default_for_uri_finish(result, nil) != 0
                unsafe run(box, as: (@MainActor (Bool) -> Void).self) { $0(isOpen) }
                unsafe releaseBox(box)
            }, box)
        unsafe g_free(address)
    }
}
