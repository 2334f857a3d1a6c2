import CGtk

/// A button with a text, or with an icon and an accessible name.
public final class Button: Widget {
    /// Creates a button that shows `text`.
    public init(_ text: String, _ action: @escaping @MainActor () -> Void = {}) {
        unsafe super.init(owning: gtk_button_new_with_label(text))
        onClick(action)
    }

    /// Creates a button that shows an icon of the theme; `name` is its tooltip and accessible name.
    public init(icon: String, name: String, _ action: @escaping @MainActor () -> Void = {}) {
        unsafe super.init(
            owning: gtk_button_new_from_icon_name(icon, GTK_ICON_SIZE_BUTTON))
        named(name).tooltip(name)
        onClick(action)
    }

    /// Creates a button that shows an icon of the theme before a text.
    public init(
        icon: String, text: String, _ action: @escaping @MainActor () -> Void = {}
    ) {
        let content = Box(
            .across, spacing: 8, [Icon(icon), Label(text).onOneLine().expanding(across: true)])
        unsafe super.init(owning: gtk_button_new())
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
        self.content = content
        named(text)
        onClick(action)
    }

    /// Creates a button around a widget; `name` is its accessible name.
    public init(
        around content: Box, name: String, _ action: @escaping @MainActor () -> Void = {}
    ) {
        unsafe super.init(owning: gtk_button_new())
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
        self.content = content
        named(name)
        onClick(action)
    }

    /// The widgets inside, if they are more than a text or an icon.
    private var content: Box?

    /// The text on the button.
    public var text: String {
        get {
            let text = unsafe gtk_button_get_label(cast(gtk_button_get_type()))
            return unsafe text.map { unsafe String(cString: $0) } ?? ""
        }
        set {
            guard newValue != text else { return }
            unsafe gtk_button_set_label(cast(gtk_button_get_type()), newValue)
        }
    }

    /// Shows another icon of the theme, under another tooltip and accessible name.
    public func show(icon: String, name: String) {
        unsafe gtk_image_set_from_icon_name(
            UnsafeMutableRawPointer(gtk_button_get_image(cast(gtk_button_get_type())))?
                .assumingMemoryBound(to: GtkImage.self), icon, GTK_ICON_SIZE_BUTTON)
        named(name).tooltip(name)
    }

    /// Adds an action for a press.
    public func onClick(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "clicked", action)
    }

    /// Styles the button as the one suggested action of a view.
    @discardableResult
    public func suggested() -> Self { styled("suggested-action") }

    /// Styles the button as one that ends or removes something.
    @discardableResult
    public func destructive() -> Self { styled("destructive-action") }

    /// Shows no frame until the pointer is over the button.
    @discardableResult
    public func flat() -> Self { styled("flat") }

    /// Styles the button as an entry of a menu: flat, with its text at the start.
    func asMenuEntry() -> Self {
        if let child = unsafe gtk_bin_get_child(cast(gtk_bin_get_type())) {
            unsafe gtk_widget_set_halign(child, GTK_ALIGN_START)
        }
        return styled("flat")
    }
}
