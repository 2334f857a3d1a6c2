import Contract
import GtkKit
import PanelKit

/// The page: how far the user is, the wishes, the people who look, and what others see.
@MainActor
final class MatchingView: Box {
    /// Called when only people who share a wish are to be listed, or everyone.
    var onSharedOnly: @MainActor (_ isOn: Bool) -> Void = { _ in }
    /// Called with what fills an empty list.
    var onRemedy: @MainActor (PeopleScreen.Remedy) -> Void = { _ in }
    /// Called when a card is to be expanded or folded.
    var onExpand: @MainActor (Key, _ isOn: Bool) -> Void = { _, _ in }
    /// Called when a person's reviews are to be opened or closed.
    var onReviewsOf: @MainActor (Key, _ isOn: Bool) -> Void = { _, _ in }
    /// Called when a person is to be asked again for reviews that did not arrive.
    var onReviewsAgain: @MainActor (Key) -> Void = { _ in }
    /// Called with what the user does about a person.
    var onPerson: @MainActor (PersonEntry.Action, Key) -> Void = { _, _ in }
    /// Called when the age and gender are to be changed.
    var onCard: @MainActor () -> Void = {}
    /// Called when the filters are to be changed.
    var onFilters: @MainActor () -> Void = {}
    /// Called when the page of reviews is to be shown.
    var onReviews: @MainActor () -> Void = {}
    /// Called with a person to review.
    var onReview: @MainActor (Key) -> Void = { _ in }
    /// Called with a person whom the user does not review.
    var onSkip: @MainActor (Key) -> Void = { _ in }
    /// The state and the one action.
    let head = MatchingHeadView()
    /// The wishes.
    let wishes = WishesView()

    private let due = DueReviewsView()
    private let heading = Label().styled("heading").width(characters: 34).role(.status)
    private let sharedOnly = CheckButton(localized("Only people who share a wish"))
    private let hint = Label().styled("dim").width(characters: 34).role(.status)
    private let remedy = Button("").aligned(.start)
    private let list = Box(.down).styled("list-box").role(.list)
        .named(localized("People who look"))
    private let people: Box
    private let cardRow = ActionRow(localized("What others see of you"))
    private let filterRow = ActionRow(localized("Whom the list shows"))
    private let reviewsRow = ActionRow(localized("Reviews"))
    private let reviewsButton = Button(localized("Show")).named(localized("Show the reviews"))
    private var cards: [Key: PersonCardView] = [:]
    private var shownRemedy: PeopleScreen.Remedy?
    private var isShowing = false

    init(_ context: PanelContext) {
        people = Box(.down, spacing: 8, [heading, sharedOnly, hint, remedy, list])
        super.init(.down, spacing: 16)
        styled("page")
        let card = Button(localized("Change…")).named(localized("Change what others see of you"))
        let filters = Button(localized("Change…")).named(localized("Change whom the list shows"))
        cardRow.addMainSuffix(card)
        filterRow.addMainSuffix(filters)
        reviewsRow.addMainSuffix(reviewsButton)
        let rows = [cardRow, filterRow, reviewsRow].map { $0.stackedIfLarge() }
        let title = Label(localized("Matching")).styled("page-title")
        for view in [title, head, due, wishes, people, RowList(rows)] { append(view) }
        card.onClick { [weak self] in self?.onCard() }
        filters.onClick { [weak self] in self?.onFilters() }
        reviewsButton.onClick { [weak self] in self?.onReviews() }
        due.onReview = { [weak self] in self?.onReview($0) }
        due.onSkip = { [weak self] in self?.onSkip($0) }
        sharedOnly.onChange { [weak self] in
            guard let self, !isShowing else { return }
            onSharedOnly(sharedOnly.isOn)
        }
        remedy.onClick { [weak self] in
            guard let self, let shownRemedy else { return }
            onRemedy(shownRemedy)
        }
    }

    /// Shows everything as it is now.
    func show(_ model: MatchingModel) {
        head.show(model.head)
        due.show(model.reviewsScreen.due)
        let screen = model.peopleScreen
        wishes.show(
            model.wishes, isSaved: !model.hasUnsavedWishes, recommended: screen?.recommended ?? [])
        people.isVisible = screen != nil
        if let screen { show(screen, model) }
        cardRow.subtitle = model.cardLine
        filterRow.subtitle = model.filterLine
        reviewsRow.subtitle = model.reviewsLine
    }

    private func show(_ screen: PeopleScreen, _ model: MatchingModel) {
        isShowing = true
        sharedOnly.isOn = model.sharedOnly
        isShowing = false
        heading.text = screen.heading ?? localized("People who look")
        hint.text = screen.hint ?? ""
        hint.isVisible = screen.hint != nil
        shownRemedy = screen.remedy
        remedy.text = screen.remedy?.title ?? ""
        remedy.isVisible = screen.remedy != nil
        let listed = Set(screen.people.map(\.person))
        cards = cards.filter { listed.contains($0.key) }
        list.replaceChildren(with: screen.people.map { card(for: $0, model) })
        list.isVisible = !screen.people.isEmpty
    }

    private func card(for entry: PersonEntry, _ model: MatchingModel) -> PersonCardView {
        let person = entry.person
        let card = cards[person] ?? makeCard(person)
        card.show(
            entry, isExpanded: model.expanded.contains(person), reviews: model.reviews(of: person))
        return card
    }

    private func makeCard(_ person: Key) -> PersonCardView {
        let card = PersonCardView(person)
        cards[person] = card
        card.onExpand = { [weak self] in self?.onExpand(person, $0) }
        card.onReviews = { [weak self] in self?.onReviewsOf(person, $0) }
        card.onTryAgain = { [weak self] in self?.onReviewsAgain(person) }
        card.onAction = { [weak self] in self?.onPerson($0, person) }
        return card
    }

    /// Moves the keyboard focus to the card of a person, if they are listed.
    func focus(_ person: Key) {
        MainLoop.whenIdle { [weak self] in self?.cards[person]?.focusHeader() }
    }

    /// Moves the keyboard focus to the button of the page of reviews.
    func focusReviews() { reviewsButton.grabFocus() }
}
