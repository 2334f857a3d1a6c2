import Contract
import GtkKit
import PanelKit

/// The page of reviews: those that can be written, those that the user received, and those that the
/// user wrote.
@MainActor
final class ReviewsView: Box {
    /// Called when the page is to be left.
    var onBack: @MainActor () -> Void = {}
    /// Called with a person to review.
    var onReview: @MainActor (Key) -> Void = { _ in }
    /// Called with a person whom the user does not review.
    var onSkip: @MainActor (Key) -> Void = { _ in }
    /// Called when a review is to be shown on the user's card, or hidden.
    var onShow: @MainActor (RecordKey, _ isShown: Bool) -> Void = { _, _ in }

    private let back = Button(icon: "go-previous-symbolic", name: localized("Back to matching"))
        .styled("flat").aligned(.start, .centre)
    private let empty = Label().styled("dim").width(characters: 34).role(.status)
    private let due = DueReviewsView()
    private let disclosure = Label().styled("dim").width(characters: 34)
    private let received = ReviewListView()
    private let given = ReviewListView()
    private let receivedPart: Box
    private let givenPart: Box

    init() {
        receivedPart = Box(
            .down, spacing: 8,
            [Label(localized("Reviews about you")).styled("heading"), disclosure, received])
        givenPart = Box(
            .down, spacing: 8, [Label(localized("Reviews by you")).styled("heading"), given])
        super.init(.down, spacing: 16)
        styled("page")
        let title = Label(localized("Reviews")).styled("page-title").expanding(across: true)
            .aligned(.fill, .centre)
        let header = Box(.across, spacing: 8, [back, title])
        for view in [header, empty, due, receivedPart, givenPart] { append(view) }
        back.onClick { [weak self] in self?.onBack() }
        due.onReview = { [weak self] in self?.onReview($0) }
        due.onSkip = { [weak self] in self?.onSkip($0) }
        received.onShow = { [weak self] in self?.onShow($0, $1) }
    }

    /// Shows the reviews.
    func show(_ screen: ReviewsScreen) {
        empty.text = screen.empty ?? ""
        empty.isVisible = screen.empty != nil
        due.show(screen.due)
        disclosure.text = screen.disclosure
        receivedPart.isVisible = !screen.received.isEmpty
        givenPart.isVisible = !screen.given.isEmpty
        received.show(screen.received, label: screen.label, hint: nil)
        received.restoreSwitches()
        given.show(screen.given, label: nil, hint: nil)
    }

    /// Moves the keyboard focus to the button that leaves the page.
    func focusBack() { back.grabFocus() }
}

/// The matches that can be reviewed, each with a button that opens the sheet, and one that takes
/// the match off the list.
@MainActor
final class DueReviewsView: Box {
    /// Called with a person to review.
    var onReview: @MainActor (Key) -> Void = { _ in }
    /// Called with a person whom the user does not review.
    var onSkip: @MainActor (Key) -> Void = { _ in }

    private let rows = RowList().role(.list).named(localized("Matches to review"))
    private var shown: [ReviewsScreen.Due] = []

    init() {
        super.init(.down, spacing: 8)
        append(Label(localized("Matches to review")).styled("heading"))
        append(rows)
        hidden()
    }

    /// Shows the matches.
    func show(_ due: [ReviewsScreen.Due]) {
        isVisible = !due.isEmpty
        guard due != shown else { return }
        shown = due
        rows.replaceRows(
            with: due.map { match in
                let row = ActionRow(
                    localized("How was it with \(match.name)?"), subtitle: match.line)
                let button = Button(localized("Review…")) { [weak self] in
                    self?.onReview(match.person)
                }
                let skip = Button(localized("No review")) { [weak self] in
                    self?.onSkip(match.person)
                }
                row.addSuffix(skip.flat().named(localized("No review for \(match.name)")))
                row.addSuffix(button.named(localized("Review \(match.name)")))
                return row.stackedIfLarge()
            })
    }
}
