import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The line that searches the mates: above a list of more than a few, else after Ctrl+F.
@MainActor
final class MateSearch: Box {
    /// Called when other words are searched for.
    var onChange: @MainActor () -> Void = {}

    private let entry = SearchEntry(placeholder: localized("Search mates"))
        .named(localized("Search mates"))
    /// Whether the user has asked for it.
    private var isWanted = false
    private var matesCount = 0

    init() {
        super.init(.down)
        append(entry.margin(8))
        hidden()
        entry.onSearch { [weak self] in self?.onChange() }
        entry.onStop { [weak self] in _ = self?.end() }
    }

    /// Shows the line if there are so many mates that it helps.
    func show(matesCount: Int) {
        self.matesCount = matesCount
        isVisible =
            isWanted || matesCount > MateChoices.shownMax || !entry.text.isEmpty
    }

    /// Shows the line and gives it the keyboard focus, if there is a mate.
    func begin() {
        guard matesCount > 0 else { return }
        isWanted = true
        show(matesCount: matesCount)
        entry.grabFocus()
    }

    /// Clears the line, and hides it if there are few mates.
    /// - Returns: false if nothing was searched for.
    func end() -> Bool {
        guard isWanted || !entry.text.isEmpty else { return false }
        isWanted = false
        entry.text = ""
        show(matesCount: matesCount)
        onChange()
        return true
    }

    /// Returns those of the mates whose name or whose dog's name contains the words.
    func found(among mates: [MateList.Mate], called names: [Key: String]) -> [MateList.Mate] {
        MateChoices.found(entry.text, among: mates, called: names)
    }
}
