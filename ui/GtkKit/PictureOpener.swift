import CGtk

/// The desktop's dialog for pictures that exist: files of JPEG or PNG.
@MainActor
public final class PictureOpener {
    private let dialog = FileDialog()

    /// Creates a dialog that is not shown yet.
    public init() {}

    /// Asks for pictures.
    /// - Parameters:
    ///   - title: the title of the dialog.
    ///   - kind: the name of the files that are shown, such as "Pictures".
    ///   - several: whether more than one may be chosen.
    ///   - action: receives the paths of the chosen files; it is not called if none is chosen.
    public func ask(
        title: String, kind: String, several: Bool = false,
        _ action: @escaping @MainActor (_ paths: [String]) -> Void
    ) {
        unsafe dialog.show(
            title, GTK_FILE_CHOOSER_ACTION_OPEN,
            prepare: { chooser in
                let filter = unsafe gtk_file_filter_new()
                unsafe gtk_file_filter_set_name(filter, kind)
                for type in ["image/jpeg", "image/png"] {
                    unsafe gtk_file_filter_add_mime_type(filter, type)
                }
                unsafe gtk_file_chooser_add_filter(chooser, filter)
                unsafe gtk_file_chooser_set_select_multiple(chooser, several ? 1 : 0)
            }, several: action)
    }
}
