import CGtk

/// The desktop's dialog for a file that exists.
@MainActor
public final class FileOpener {
    private let dialog = FileDialog()

    /// Creates a dialog that is not shown yet.
    public init() {}

    /// Asks for a file.
    /// - Parameters:
    ///   - title: the title of the dialog.
    ///   - ending: the ending of the files that are shown, without a dot.
    ///   - action: receives the path of the chosen file; it is not called if none is chosen.
    public func ask(
        title: String, ending: String, _ action: @escaping @MainActor (_ path: String) -> Void
    ) {
        unsafe dialog.show(
            title, GTK_FILE_CHOOSER_ACTION_OPEN,
            prepare: { chooser in
                let filter = unsafe gtk_file_filter_new()
                unsafe gtk_file_filter_set_name(filter, "*.\(ending)")
                for each in [ending, ending.uppercased()] {
                    unsafe gtk_file_filter_add_pattern(filter, "*.\(each)")
                }
                unsafe gtk_file_chooser_add_filter(chooser, filter)
            }, action)
    }
}
