public import GtkKit

/// A button that opens a menu, such as the actions of other panels for a value.
///
/// ```swift
/// let more = MenuButton { context.actions(for: .person(mate)) }.titled("More for Mina")
/// ```
@MainActor
public final class MenuButton: Box {
    private let button = Button(icon: "view-more-symbolic", name: "More")
    private let actions: @MainActor () -> [PanelAction]
    private lazy var menu = PopupMenu(over: button)

    /// Creates a button whose menu has the actions that exist when it opens.
    public init(_ actions: @escaping @MainActor () -> [PanelAction]) {
        self.actions = actions
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

    private func open() { menu.open(actions()) }
}
