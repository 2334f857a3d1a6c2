import CGtk

/// The desktop's dialog for the name of a new file.
@MainActor
@safe
public final class FileSaver {
    private let dialog = FileDialog()

    /// Creates a dialog that is not shown yet.
    public init() {}

    /// Asks for a file.
    /// - Parameters:
    ///   - title: the title of the dialog.
    ///   - name: the proposed name.
    ///   - mayReplace: whether the dialog lets the user choose a file that exists, after a
    ///     question.
    ///   - action: receives the path of the chosen file; it is not called if none is chosen.
    public func ask(
        title: String, name: String, mayReplace: Bool = true,
        _ action: @escaping @MainActor (_ path: String) -> Void
    ) {
        unsafe dialog.show(
            title, GTK_FILE_CHOOSER_ACTION_SAVE,
            prepare: { chooser in
                unsafe gtk_file_chooser_set_do_overwrite_confirmation(chooser, mayReplace ? 1 : 0)
                unsafe gtk_file_chooser_set_current_name(chooser, name)
            }, action)
    }
}
