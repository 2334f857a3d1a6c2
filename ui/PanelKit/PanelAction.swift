public import GtkKit

/// An action of the user, with the title of its button or menu entry.
///
/// ```swift
/// PanelAction("Decline") { context.perform(WalkCommands.decline, reference) }
/// ```
public struct PanelAction {
    /// The text of the button.
    public var title: String
    /// The text of a button that has little room, such as "Walk…"; nil is the title.
    public var shortTitle: String?
    /// The name for a screen reader, if the title alone does not say what it is about.
    public var name: String?
    /// Whether it is the one that most users want.
    public var isSuggested: Bool
    /// An icon of the theme, for a button that has no room for the title.
    public var icon: String?
    /// Performs the action.
    public var perform: @MainActor () -> Void

    /// Creates an action under a title.
    public init(
        _ title: String, short: String? = nil, name: String? = nil, isSuggested: Bool = false,
        icon: String? = nil, perform: @escaping @MainActor () -> Void
    ) {
        self.title = title
        shortTitle = short
        self.name = name
        self.isSuggested = isSuggested
        self.icon = icon
        self.perform = perform
    }

    /// Returns a button that performs the action.
    @MainActor
    public func makeButton() -> Button {
        let button = Button(title, perform)
        if let name { button.named(name) }
        return isSuggested ? button.suggested() : button
    }
}

extension PopupMenu {
    /// Opens the menu with these actions; none opens nothing.
    /// - Parameter place: the point of the owner at which the menu opens; nil is all of the owner.
    public func open(_ actions: [PanelAction], at place: Point? = nil) {
        open(actions.map { Entry($0.title, perform: $0.perform) }, at: place)
    }
}

/// A key that performs an action for any focus.
public struct Shortcut {
    /// The key, with its modifiers.
    public var press: KeyPress
    /// The effect, as the list of shortcuts says it.
    public var title: String
    /// Whether it works only while the panel's page is in front, so that another panel may have the
    /// key for all other pages.
    public var isOfPage: Bool
    /// Performs the action.
    public var perform: @MainActor () -> Void

    /// Creates a shortcut.
    public init(
        _ press: KeyPress, _ title: String, isOfPage: Bool = false,
        perform: @escaping @MainActor () -> Void
    ) {
        self.press = press
        self.title = title
        self.isOfPage = isOfPage
        self.perform = perform
    }
}
