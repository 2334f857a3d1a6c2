import GtkKit

/// The words that restore a person, shown once at the first start.
@MainActor
final class RecoveryWordsView: Box {
    /// Called when the user has written them down.
    var onDone: @MainActor () -> Void = {}

    private let grid = Grid(columnSpacing: 24, rowSpacing: 10)
    private let done = Button("I have written them down").suggested().aligned(.centre)

    /// Words beside each other.
    private static let columns: Int32 = 3

    init() {
        super.init(.down, spacing: 16)
        aligned(.centre, .centre).margin(24)
        append(Label("Your recovery words").styled("page-title").centred())
        append(
            Label(
                "They are the key to your identity. This version cannot bring you back with them "
                    + "yet, only with a backup; a later one will. They are shown only now and "
                    + "stored nowhere: write them down on paper, in this order."
            ).centred().width(characters: 52))
        append(grid.aligned(.centre).styled("card"))
        append(done)
        done.onClick { [weak self] in
            self?.grid.removeAll()
            self?.onDone()
        }
    }

    /// Shows the words, numbered, line by line.
    func show(_ words: [String]) {
        grid.removeAll()
        for (index, word) in words.enumerated() {
            let place = Int32(clamping: index)
            let label = Label("\(index + 1). \(word)").styled("recovery-word").onOneLine()
            grid.attach(label, column: place % Self.columns, row: place / Self.columns)
        }
        done.grabFocus()
    }
}
