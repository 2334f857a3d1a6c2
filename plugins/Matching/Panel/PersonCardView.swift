import Contract
import GtkKit
import PanelKit

/// The card of a person who looks: a press expands it in place.
@MainActor
final class PersonCardView: Box {
    /// Called when the card is to be expanded or folded.
    var onExpand: @MainActor (_ isOn: Bool) -> Void = { _ in }
    /// Called when the person's reviews are to be opened or closed.
    var onReviews: @MainActor (_ isOn: Bool) -> Void = { _ in }
    /// Called when reviews that did not arrive are to be asked for again.
    var onTryAgain: @MainActor () -> Void = {}
    /// Called with what the user does.
    var onAction: @MainActor (PersonEntry.Action) -> Void = { _ in }

    private let avatar: Avatar
    private let title = Label().styled("row-title").width(characters: 24)
    private let line = Label().styled("dim").width(characters: 26)
    private let wishes = Label().styled("row-detail").width(characters: 26)
    private let note = Label().width(characters: 34)
    private let buttons = Box(TextScale.isLarge ? .down : .across, spacing: 6).aligned(.start)
    private let reviews = Button("").aligned(.start)
    private let reviewList = ReviewListView()
    private let details: Box
    private let closed = Icon("pan-end-symbolic")
    private let opened = Icon("pan-down-symbolic")
    private lazy var header = RowButton(makeHead()) { [weak self] in
        guard let self else { return }
        onExpand(!isExpanded)
    }
    private var isExpanded = false
    private var areReviewsOpen = false
    private var actions: [PersonEntry.Action]?

    init(_ person: Key) {
        avatar = Avatar(key: person.string)
        details = Box(.down, spacing: 8, [note, buttons, reviews, reviewList])
            .margin(across: 12, down: 8)
        super.init(.down)
        styled("match-card").role(.listItem)
        append(header)
        append(details)
        reviews.onClick { [weak self] in
            guard let self else { return }
            onReviews(!areReviewsOpen)
        }
        reviewList.onTryAgain = { [weak self] in self?.onTryAgain() }
    }

    private func makeHead() -> Box {
        let texts = Box(.down, spacing: 2, [title, line, wishes]).expanding(across: true)
        for icon in [closed, opened] { icon.aligned(.end, .centre) }
        return Box(.across, spacing: 10, [avatar.aligned(.start, .start), texts, closed, opened])
    }

    /// Shows a person.
    /// - Parameter reviews: the reviews that the person shows, if they are open.
    func show(_ entry: PersonEntry, isExpanded: Bool, reviews shown: PersonReviews?) {
        self.isExpanded = isExpanded
        areReviewsOpen = shown != nil
        avatar.show(name: entry.initials)
        title.text = entry.name
        line.text = entry.line
        wishes.text = entry.wishes
        named(entry.name)
        header.named("\(entry.name). \(entry.line). \(entry.wishes)")
            .described(isExpanded ? localized("Expanded") : localized("Folded"))
        closed.isVisible = !isExpanded
        opened.isVisible = isExpanded
        // A request can be answered without expanding the card.
        let isAsking = entry.actions.contains(.decline)
        details.isVisible = isExpanded || isAsking
        note.text = entry.note ?? ""
        note.isVisible = entry.note != nil
        show(entry.actions, name: entry.name)
        reviews.isVisible = isExpanded && entry.reviewCount > 0
        reviews.text =
            areReviewsOpen
            ? localized("Hide the reviews") : localized("Reviews (\(entry.reviewCount))")
        reviews.named("\(reviews.text): \(entry.name)")
        reviewList.isVisible = isExpanded && shown != nil
        reviewList.show(
            shown?.reviews ?? [], label: shown?.label, hint: shown?.hint,
            canTryAgain: shown?.canTryAgain ?? false)
    }

    private func show(_ wanted: [PersonEntry.Action], name: String) {
        buttons.isVisible = !wanted.isEmpty
        guard wanted != actions else { return }
        let hadFocus = buttons.containsFocus
        actions = wanted
        buttons.replaceChildren(
            with: wanted.map { action in
                Button(action.title) { [weak self] in self?.onAction(action) }
                    .named("\(action.title): \(name)")
            })
        if hadFocus { (buttons.children.last ?? header).grabFocus() }
    }

    /// Moves the keyboard focus to the card.
    func focusHeader() { header.grabFocus() }
}
