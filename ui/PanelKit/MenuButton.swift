public import GtkKit

/// A button that opens a menu, such as the actions of other panels for a value.
///
/// ```swift
/// let more = MenuButton { context.actions(for: .person(mate)) }.titled("More for Mina")
/// ```
@MainActor
public final class MenuButton: Box {
    private let button: Button
    private let actions: @MainActor () -> [PanelAction]
    private lazy var menu = PopupMenu(over: button)

    /// Creates a button whose menu has the actions that exist when it opens.
    /// - Parameter icon: an icon of the theme.
    public init(
        icon: String = "view-more-symbolic", _ actions: @escaping @MainActor () -> [PanelAction]
    ) {
        self.actions = actions
        button = Button(icon: icon, name: localized("More"))
        super.init(.across)
        append(button)
        button.onClick { [weak self] in self?.open() }
        update()
    }

    /// Enables the button if there are actions now.
    public func update() { button.isEnabled = !actions().isEmpty }

    /// Sets the name that a screen reader says, which is also the tooltip.
    @discardableResult
    public func titled(_ name: String) -> Self {
        button.named(name).tooltip(name)
        return self
    }

    /// Shows no frame until the pointer is over the button.
    @discardableResult
    public func flat() -> Self {
        button.flat()
        return self
    }

    /// Opens the menu.
    public func open() { menu.open(actions()) }
}
