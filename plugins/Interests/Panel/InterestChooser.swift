import Contract
import GtkKit
import InterestsAPI
import PanelKit

/// The choice of interests: a line that finds some by their letters and the button that saves them,
/// and below these all interests in groups, which scroll.
@MainActor
final class InterestChooser: Box {
    /// Called when an interest is chosen, or no longer.
    var onSet: @MainActor (_ interest: Interest, _ isChosen: Bool) -> Void = { _, _ in }
    /// Called when the choice is to be saved.
    var onSave: @MainActor () -> Void = {}
    /// Called when the user goes back without saving.
    var onCancel: @MainActor () -> Void = {}

    private let search = SearchEntry(placeholder: localized("Search")).named(
        localized("Search interests"))
    private let count = Label().styled("dim").role(.status).width(characters: 22)
    private let fault = Label().styled("fault").role(.alert).hidden()
    private let nothing = Label(localized("Nothing found")).styled("dim").hidden()
    private let groups: [InterestGroupView]
    private let save = Button(localized("Save")).suggested()
    private let cancel = Button(localized("Cancel"))

    init() {
        let columns = TextScale.isLarge ? 1 : 2
        groups = InterestGroup.shown.map { InterestGroupView($0, columns: columns) }
        super.init(.down)
        let hint = Label(
            localized("Choose 5 to 10. While you look, everyone nearby can read them.")
        ).styled("dim")
        // The lines above the list do not scroll, so they decide how wide the page is.
        for line in [hint, fault] { line.width(characters: TextScale.isLarge ? 22 : 34) }
        let buttons = Box(.across, spacing: 8, [cancel, save]).aligned(.end)
        let result = Box(
            TextScale.isLarge ? .down : .across, spacing: 8,
            [count.expanding(across: true), buttons])
        let head = Box(
            .down, spacing: 8,
            [
                Label(localized("Interests")).styled("page-title"), hint, search, result, fault,
            ])
        let list = Box(.down, spacing: 12, [nothing] + groups)
        append(head.styled("page"))
        append(Separator(.across))
        append(Scroller(list.styled("page")).keepingFocusInView().expanding(down: true))
        for group in groups {
            group.onSet = { [weak self] in self?.onSet($0, $1) }
        }
        search.onSearch { [weak self] in self?.find() }
        search.onStop { [weak self] in self?.stopSearching() }
        save.onClick { [weak self] in self?.onSave() }
        cancel.onClick { [weak self] in self?.onCancel() }
    }

    /// Shows a choice.
    /// - Parameter canCancel: whether there are interests to go back to.
    func show(_ draft: InterestDraft, canCancel: Bool) {
        count.text = draft.sentence
        save.isEnabled = draft.isComplete
        cancel.isVisible = canCancel
        for group in groups { group.show(draft) }
    }

    /// Shows why the choice was not saved; nil removes the sentence.
    func setFault(_ sentence: String?) {
        fault.text = sentence ?? ""
        fault.isVisible = sentence != nil
    }

    /// Empties the search, and moves the keyboard focus to it.
    func begin() {
        setFault(nil)
        stopSearching()
        search.grabFocus()
    }

    private func stopSearching() {
        search.text = ""
        find()
    }

    private func find() {
        let found = Set(Interest.found(by: search.text))
        for group in groups { group.show(only: found) }
        nothing.isVisible = found.isEmpty
    }
}

/// The interests of one group, with a box to tick for each.
@MainActor
final class InterestGroupView: Box {
    /// Called when an interest is chosen, or no longer.
    var onSet: @MainActor (_ interest: Interest, _ isChosen: Bool) -> Void = { _, _ in }

    private let members: [Interest]
    private let grid = Grid(columnSpacing: 12, rowSpacing: 2)
    private let columns: Int
    private var boxes: [Interest: CheckButton] = [:]
    private var shown: [Interest] = []

    init(_ group: InterestGroup, columns: Int) {
        members = Interest.grouped.filter { $0.group == group }
        self.columns = columns
        super.init(.down, spacing: 4)
        let title = localized(group.name)
        role(.group).named(title)
        append(Label(title).styled("heading"))
        append(grid)
        for interest in members {
            let box = CheckButton(localized(interest.name))
            boxes[interest] = box
            box.minimum(width: Self.columnPixels)
            box.onChange { [weak self, weak box] in
                if let box { self?.onSet(interest, box.isOn) }
            }
        }
        show(only: Set(members))
    }

    /// The least width of a column, so that the columns of all groups begin at the same place.
    private static let columnPixels: Int32 = 160

    /// Shows the choice; if it is full, no further box can be ticked.
    func show(_ draft: InterestDraft) {
        for (interest, box) in boxes {
            let isChosen = draft.chosen.contains(interest)
            if box.isOn != isChosen { box.isOn = isChosen }
            box.isEnabled = isChosen || !draft.isFull
        }
    }

    /// Shows only the interests that are found.
    func show(only found: Set<Interest>) {
        let wanted = members.filter(found.contains)
        guard wanted != shown else { return }
        shown = wanted
        grid.removeAll()
        for (index, box) in wanted.compactMap({ boxes[$0] }).enumerated() {
            grid.attach(box, column: Int32(index % columns), row: Int32(index / columns))
        }
        isVisible = !wanted.isEmpty
    }
}
