import CGtk

/// A row of a list that is a button as a whole, such as a chat in the list of chats. One row of a
/// list can be marked as the one that is open.
open class RowButton: Widget {
    private let content: Widget

    /// Creates a button around `content`.
    public init(_ content: Widget, _ action: @escaping @MainActor () -> Void) {
        self.content = content
        unsafe super.init(owning: gtk_button_new())
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
        unsafe Signal.connect(gtk, "clicked", action)
        styled("flat", "row-button")
    }

    /// Whether it is the row that is open; it shows that by its colour.
    public var isChosen = false {
        didSet {
            guard isChosen != oldValue else { return }
            setStyle("chosen", on: isChosen)
        }
    }
}
