import GtkKit
import PanelKit

/// A sheet of the window itself, which is only closed.
@MainActor
class WindowSheet: Sheet {
    /// Called when the sheet is to be closed.
    var onClose: @MainActor () -> Void = {}

    private let close = Button("Close").aligned(.end)

    /// Creates a sheet with this content.
    init(title: String, _ content: [Widget]) {
        super.init(title: title)
        for view in content + [close] { append(view) }
        close.onClick { [weak self] in self?.onClose() }
    }

    /// Moves the keyboard focus to the button that closes the sheet.
    func focusClose() { close.grabFocus() }
}

/// The preferences of all panels.
final class PreferencesSheet: WindowSheet {
    /// Creates the preferences of the panels that have some.
    init(of panels: [any Panel]) {
        let groups = panels.flatMap { panel -> [Widget] in
            guard let preferences = panel.preferences else { return [] }
            return [Label(type(of: panel).title).styled("heading"), preferences]
        }
        super.init(title: "Preferences", groups)
    }
}

/// The keys that work for any focus.
final class ShortcutsSheet: WindowSheet {
    /// Creates the shortcuts of the window and of the panels.
    init(of panels: [any Panel]) {
        let grid = Grid(columnSpacing: 24, rowSpacing: 4)
        let preferences =
            panels.contains { $0.preferences != nil } ? [("Ctrl+,", "Preferences")] : []
        let own = [("Ctrl+1…9", "Show a page"), ("Esc", "Close a sheet")]
        let rows = own + preferences + panels.flatMap(\.shortcuts).map { ($0.press.text, $0.title) }
        for (row, (key, title)) in rows.enumerated() {
            let row = Int32(clamping: row)
            grid.attach(Label(key).styled("heading").onOneLine(), column: 0, row: row)
            grid.attach(Label(title), column: 1, row: row)
        }
        super.init(title: "Shortcuts", [grid])
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
