import GtkKit
import Localization

/// The list of pages: one button for each, of which that of the page in front is pressed.
@MainActor
final class PageSwitcher: Box {
    /// A page in the list.
    struct Entry {
        var id: String
        var title: String
        var icon: String
    }

    /// Called with the id of the page whose button was pressed.
    var onChoose: @MainActor (String) -> Void = { _ in }

    private var buttons: [String: PageButton] = [:]

    /// Creates a list of these pages, the first of them in front.
    init(_ axis: Axis, _ entries: [Entry], isCompact: Bool) {
        super.init(axis, spacing: 2)
        styled("page-list").role(.group).named(localized("Pages"))
        for entry in entries {
            let button = PageButton(
                icon: entry.icon, title: entry.title, beside: buttons.values.first,
                isCompact: isCompact)
            button.onPress { [weak self] in self?.onChoose(entry.id) }
            buttons[entry.id] = button
            append(axis == .across ? button.expanding(across: true) : button)
        }
    }

    /// Presses the button of a page.
    func show(_ id: String) { buttons[id]?.isOn = true }

    /// Moves the keyboard focus to the button of a page.
    func focus(_ id: String) { buttons[id]?.grabFocus() }

    /// Shows the number of things that wait on a page.
    func setBadge(_ badge: Badge, of id: String) { buttons[id]?.badge = badge }
}
