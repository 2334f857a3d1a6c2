import CGtk

/// A page with an icon, one statement and what can be done about it, for a state in which there is
/// nothing else to show.
public final class StatusPage: Widget {
    private let content: Widget?

    /// Creates a page.
    /// - Parameters:
    ///   - icon: the name of an icon of the theme.
    ///   - content: the widgets under the sentence, such as buttons.
    public init(
        icon: String, title: String = "", sentence: String = "", content: Widget? = nil
    ) {
        self.content = content
        unsafe super.init(owning: hdy_status_page_new())
        unsafe hdy_status_page_set_icon_name(OpaquePointer(gtk), icon)
        if let content {
            unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
        }
        show(title: title, sentence: sentence)
    }

    /// Shows a statement.
    public func show(title: String, sentence: String) {
        unsafe hdy_status_page_set_title(OpaquePointer(gtk), title)
        unsafe hdy_status_page_set_description(OpaquePointer(gtk), sentence)
        // libhandy hides the labels of the page from screen readers.
        named(title).described(sentence)
    }
}
