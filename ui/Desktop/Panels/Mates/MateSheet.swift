import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The details of a mate: their card, where they are, what one can do with them, and the ways to
/// end it.
@MainActor
final class MateSheet: Sheet {
    /// Called when the sheet is to be closed.
    var onClose: @MainActor () -> Void = {}

    private let close = Button(localized("Close"))

    /// Creates a sheet.
    /// - Parameters:
    ///   - rows: the facts, each with its title.
    ///   - actions: what one can do with the mate; each closes the sheet first.
    ///   - endings: the ways to end it, which ask before they act.
    init(
        person: Key, name: String, context: PanelContext, presence: String,
        rows: [(title: String, text: String)],
        actions: [PanelAction], endings: [PanelAction]
    ) {
        super.init(title: name)
        let avatar = PersonAvatar(person, pixels: 64, photos: context.personPhotos)
        avatar.show(name: name)
        append(Box(.across, spacing: 16, [avatar, Label(presence).expanding(across: true)]))
        if context.people.photoTime(of: person) != nil {
            append(PhotoFrame(of: person, name: name, context))
        }
        if !rows.isEmpty { append(Box(.down, [card(rows)]).styled("card")) }
        append(Box(.down, spacing: 6, actions.map(button)).role(.group).named(localized("Actions")))
        append(Box(.across, spacing: 8, endings.map { button($0).flat() }).aligned(.end))
        setButtons([close])
        close.onClick { [weak self] in self?.onClose() }
    }

    /// Moves the keyboard focus to the button that closes the sheet.
    func focusClose() { close.grabFocus() }

    private func card(_ rows: [(title: String, text: String)]) -> Grid {
        let grid = Grid(columnSpacing: 16, rowSpacing: 4)
        for (row, (title, text)) in rows.enumerated() {
            let row = Int32(clamping: row)
            grid.attach(Label(title).styled("dim").aligned(.start, .start), column: 0, row: row)
            grid.attach(
                Label(text).width(characters: 26).expanding(across: true), column: 1, row: row)
        }
        return grid
    }

    private func button(_ action: PanelAction) -> Button {
        Button(action.title) { [weak self] in
            self?.onClose()
            action.perform()
        }
    }
}
