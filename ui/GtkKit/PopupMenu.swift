import CGtk

/// A list of actions that opens over a widget, and closes when one is chosen or Escape is pressed.
///
/// ```swift
/// let menu = PopupMenu(over: canvas)
/// menu.open([.init("Zoom in") { zoom(1) }, .init("Zoom out") { zoom(-1) }], at: place)
/// ```
public final class PopupMenu: Widget {
    /// One line of a menu.
    public struct Entry {
        /// The text.
        public var title: String
        /// Performs the action.
        public var perform: @MainActor () -> Void

        /// Creates an entry.
        public init(_ title: String, perform: @escaping @MainActor () -> Void) {
            self.title = title
            self.perform = perform
        }
    }

    private let list = Box(.down).margin(6)

    /// Creates a menu over `owner`, which is not open yet. It lives as long as this object.
    public init(over owner: Widget) {
        unsafe super.init(owning: gtk_popover_new(owner.gtk), isShown: false)
        unsafe gtk_container_add(cast(gtk_container_get_type()), list.gtk)
    }

    isolated deinit {
        // The window holds its own reference, which only this call ends.
        unsafe gtk_widget_destroy(gtk)
    }

    /// Opens the menu with these entries. The first receives the keyboard focus. The menu closes
    /// before a chosen entry acts, so the entry may move the focus. Without entries, nothing opens.
    /// - Parameter place: the point of the owner at which the menu opens; nil is all of the owner.
    public func open(_ entries: [Entry], at place: Point? = nil) {
        let buttons = entries.map { entry in
            Button(entry.title) { [weak self] in
                self?.close()
                entry.perform()
            }.asMenuEntry()
        }
        guard let first = buttons.first else { return }
        list.replaceChildren(with: buttons)
        point(to: place)
        isVisible = true
        first.grabFocus()
    }

    private func point(to place: Point?) {
        let owner = unsafe gtk_popover_get_relative_to(cast(gtk_popover_get_type()))
        var spot = GdkRectangle(x: 0, y: 0, width: 1, height: 1)
        if let place {
            (spot.x, spot.y) = (Int32(clamping: Int(place.x)), Int32(clamping: Int(place.y)))
        } else {
            spot.width = unsafe gtk_widget_get_allocated_width(owner)
            spot.height = unsafe gtk_widget_get_allocated_height(owner)
        }
        unsafe gtk_popover_set_pointing_to(cast(gtk_popover_get_type()), &spot)
    }

    /// Closes the menu; the focus returns to the widget that had it.
    public func close() { isVisible = false }
}
