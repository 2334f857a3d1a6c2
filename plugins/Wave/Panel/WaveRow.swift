import GtkKit
import PanelKit

/// One wave in the list: a line, and the menu of the person who waved.
@MainActor
final class WaveRow: Box {
    private let line = Label().width(characters: 28)
    private let more: MenuButton

    /// Creates a row without a text.
    init(_ more: MenuButton) {
        self.more = more
        super.init(.across, spacing: 6, [line.expanding(across: true), more])
        role(.listItem).margin(6)
    }

    /// Shows the line; one that is unchanged costs nothing.
    func update(_ text: String) {
        line.text = text
        named(text)
        more.update()
    }
}
