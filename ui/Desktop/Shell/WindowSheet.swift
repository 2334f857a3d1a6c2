import ControlAPI
import GtkKit
import PanelKit

/// A sheet of the window itself, which is only closed.
@MainActor
class WindowSheet: Sheet {
    /// Called when the sheet is to be closed.
    var onClose: @MainActor () -> Void = {}

    private let close = Button(localized("Close"))

    /// Creates a sheet with this content.
    init(title: String, _ content: [Widget]) {
        super.init(title: title)
        for view in content { append(view) }
        setButtons([close])
        close.onClick { [weak self] in self?.onClose() }
    }

    /// Moves the keyboard focus to the button that closes the sheet.
    func focusClose() { close.grabFocus() }
}

/// The preferences of all panels, under the titles of their pages. A panel without a page has
/// headings of its own.
final class PreferencesSheet: WindowSheet {
    /// Creates the preferences of the panels that have some.
    init(of panels: [any Panel]) {
        let groups = panels.flatMap { panel -> [Widget] in
            guard let preferences = panel.preferences else { return [] }
            guard panel.page != nil else { return [preferences] }
            return [Label(type(of: panel).title).styled("heading"), preferences]
        }
        super.init(title: localized("Preferences"), groups)
    }
}

/// The keys that work for any focus.
final class ShortcutsSheet: WindowSheet {
    /// Creates the shortcuts of the window and of the panels.
    init(of panels: [any Panel]) {
        let grid = Grid(columnSpacing: 24, rowSpacing: 6)
        let own =
            panels.flatMap(\.shortcuts).map { ($0.press.text, $0.title) }
            + [
                ("Ctrl+1…9", localized("Show a page")),
                ("Esc", localized("Go back")),
                ("Ctrl+,", localized("Preferences")),
                ("Ctrl+?", localized("Keyboard shortcuts")),
                ("F10", localized("Menu")),
                ("Ctrl+W, Ctrl+Q", localized("Close the window")),
            ]
        let map = [
            (localized("Arrows"), localized("Move the map")),
            (localized("+ and −"), localized("Zoom")),
            ("Home", localized("My location")),
            ("Tab", localized("Next person or flag")),
            ("Enter", localized("Open it")),
            ("Space", localized("Choose the point in the middle")),
            ("Shift+F10", localized("Its menu")),
        ]
        var row: Int32 = 0
        for (title, keys) in [(nil, own), (localized("On the map"), map)] {
            if let title {
                grid.attach(Label(title).styled("heading"), column: 0, row: row, columns: 2)
                row += 1
            }
            for (key, effect) in keys {
                grid.attach(Label(key).styled("key").onOneLine(), column: 0, row: row)
                grid.attach(Label(effect), column: 1, row: row)
                row += 1
            }
        }
        super.init(title: localized("Keyboard shortcuts"), [grid])
    }
}

/// A few words about Waggle, and the version.
final class AboutSheet: WindowSheet {
    /// Creates the sheet.
    /// - Parameter version: the version of the node.
    init(version: String) {
        super.init(
            title: localized("About Waggle"),
            [
                Icon(Home.application, pixels: 64).aligned(.centre),
                Label("Waggle \(version)").styled("heading").centred(),
                Label(
                    localized(
                        "Finds people and their dogs around you, without an account and without a "
                            + "server. Everything stays on your devices.")
                ).centred().width(characters: 36),
                Label("Apache License 2.0").styled("dim").centred(),
            ])
    }
}

extension KeyPress {
    /// The key as the list of shortcuts spells it.
    fileprivate var text: String {
        let name =
            if case .character(let character) = key { character.uppercased() } else { "\(key)" }
        return isControl ? "Ctrl+\(name)" : name
    }
}
