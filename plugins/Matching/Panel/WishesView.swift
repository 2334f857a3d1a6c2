import GtkKit
import PanelKit

/// The user's wishes, which are typed with spaces between, and those of others.
@MainActor
final class WishesView: Box {
    /// Called with what is typed.
    var onType: @MainActor (String) -> Void = { _ in }
    /// Called when the wishes are to be saved.
    var onSave: @MainActor () -> Void = {}
    /// Called with a wish of others that is to be added or removed.
    var onToggle: @MainActor (_ wish: String) -> Void = { _ in }

    private let entry = Entry(width: 12, placeholder: localized("anything"))
        .named(localized("Your wishes"))
    private let save = Button(localized("Save")).named(localized("Save your wishes"))
    private let hint = Label(
        localized("Up to 8 words of 1 to 8 characters, with spaces between. Empty means anything.")
    ).styled("hint").width(characters: 34)
    private let fault = Label().styled("fault").width(characters: 34).role(.alert).hidden()
    private let others = Label(localized("What others wish")).styled("heading")
    private let grid = Grid(columnSpacing: 6, rowSpacing: 6)
    private var buttons: [String: Button] = [:]
    private var shown: [PeopleScreen.Recommended] = []
    private var isShowing = false

    init() {
        super.init(.down, spacing: 8)
        role(.group).named(localized("Your wishes"))
        let line = Box(
            TextScale.isLarge ? .down : .across, spacing: 8,
            [entry.expanding(across: true), save])
        let heading = Label(localized("Your wishes")).styled("heading").labels(entry)
        for view in [heading, line, hint, fault, others, grid] { append(view) }
        entry.onChange { [weak self] in
            guard let self, !isShowing else { return }
            onType(entry.text)
        }
        entry.onEnter { [weak self] in self?.saveIfPossible() }
        save.onClick { [weak self] in self?.saveIfPossible() }
    }

    private func saveIfPossible() { if save.isEnabled { onSave() } }

    /// Shows the wishes as they are typed or saved, and those of others.
    func show(_ draft: WishDraft, isSaved: Bool, recommended: [PeopleScreen.Recommended]) {
        isShowing = true
        entry.text = draft.text
        isShowing = false
        let sentence = draft.fault
        fault.text = sentence.map { "⚠ \($0)" } ?? ""
        fault.isVisible = sentence != nil
        save.isEnabled = sentence == nil && !isSaved
        others.isVisible = !recommended.isEmpty
        grid.isVisible = !recommended.isEmpty
        guard recommended != shown else { return }
        if recommended.map(\.wish) != shown.map(\.wish) { place(recommended) }
        shown = recommended
        for wish in recommended {
            buttons[wish.wish]?.text = wish.title
            buttons[wish.wish]?.named(wish.name)
        }
    }

    private func place(_ recommended: [PeopleScreen.Recommended]) {
        let columns: Int32 = TextScale.isLarge ? 1 : 3
        let wanted = Set(recommended.map(\.wish))
        buttons = buttons.filter { wanted.contains($0.key) }
        grid.removeAll()
        for (index, wish) in recommended.enumerated() {
            let button =
                buttons[wish.wish]
                ?? Button(wish.title) { [weak self] in
                    self?.onToggle(wish.wish)
                }
            buttons[wish.wish] = button
            let place = Int32(index)
            grid.attach(button, column: place % columns, row: place / columns)
        }
    }
}
