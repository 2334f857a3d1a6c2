import Contract
import ControlAPI
import FeaturesAPI
import MatchingAPI
import PanelKit

/// The panel's knowledge of matching, and its queries to the node.
@MainActor
final class MatchingModel {
    /// A query of the panel, in the order in which they are asked.
    enum Query: CaseIterable, Sendable {
        /// The state of the user.
        case status
        /// The people who look.
        case people
        /// The reviews of the user.
        case reviews
        /// The user's age and gender, and the filters.
        case choice
        /// The reviews of the people whose reviews are open.
        case shown
    }

    /// Called when another state is to be shown.
    var onChange: @MainActor () -> Void = {}
    /// Called when a match begins to stand, once for each.
    var onMatch: @MainActor () -> Void = {}

    /// The state that the node reported last; nil before its first answer.
    private(set) var status: MatchingStatus?
    /// The people who look.
    private(set) var people: MatchingPeople?
    /// The reviews of the user.
    private(set) var reviews: MatchingReviews?
    /// The user's age and gender for matching.
    private(set) var card: MatchingCard?
    /// The user's filters.
    private(set) var filters: MatchingFilters?
    /// The wishes that are typed; nil while they are those that are saved.
    private(set) var typedWishes: WishDraft?
    /// Whether only people who share a wish are listed.
    private(set) var sharedOnly = false
    /// The people whose cards are expanded.
    private(set) var expanded: Set<Key> = []
    /// The reviews of the people whose reviews are open; nil before the first answer.
    private(set) var shownReviews: [Key: MatchingReviews?] = [:]
    /// The waits for reviews that are open.
    private var waits: [Key: Wait] = [:]
    /// Whether a match began that the user has not seen.
    private(set) var isMatchNew = false

    /// The queries that are repeated after an event.
    private(set) lazy var queries = StaleQueries<Query>(
        .after(MatchingEvents.changed, .status),
        .after(MatchingEvents.changed, .people) { $0.concerns(.people, .status) },
        .after(MatchingEvents.changed, .reviews) { $0.concerns(.reviews, .status) },
        .after(MatchingEvents.changed, .choice) { $0.concerns(.status) },
        .after(MatchingEvents.changed, .shown) { $0.concerns(.reviews, .people) },
        .after(MateEvents.changed, .status, .people, .reviews) { $0.concernsNames }
    ) { [weak self] in try await self?.ask($0) }

    /// The wait for the reviews of a person, who may have gone without a word.
    private struct Wait {
        /// The time at which they were asked for last.
        var since: Duration
        /// The number of times that they are asked for without a press.
        var askedCount = 1

        /// A second more than the node waits, so that it asks the person again.
        static let max = MatchingReviews.answerMax + .seconds(1)
        static let askedMax = 2
    }

    private let node: any NodeConnection
    private let clock: PanelClock
    private var statusAt = Duration.zero

    /// A model that knows nothing before its queries are asked.
    init(node: any NodeConnection, clock: PanelClock) {
        self.node = node
        self.clock = clock
        queries.onSettled = { [weak self] in self?.onChange() }
    }

    // MARK: - What is shown

    /// The upper part of the page as it is now.
    var head: MatchingHead {
        MatchingHead(
            status, pause: countdown(status?.pauseSeconds), acceptance: acceptance,
            now: clock.now, time: clock.nodeTime)
    }

    /// The people as they are now; nil while the user does not look. During a match there may be
    /// some who asked before.
    var peopleScreen: PeopleScreen? {
        guard let state = status?.state else { return nil }
        switch state {
        case .seeking, .accepted: break
        case .confirming, .matched: if people?.people.isEmpty ?? true { return nil }
        case .idle, .unknown: return nil
        }
        return PeopleScreen(
            people, state: state, sharedOnly: sharedOnly,
            isFiltered: filters.map(FilterDraft.init)?.sentence != nil, acceptance: acceptance,
            now: clock.now)
    }

    /// The reviews as they are now.
    var reviewsScreen: ReviewsScreen {
        ReviewsScreen(reviews, now: clock.nodeTime) { person in
            self.name(of: person)
        }
    }

    /// The user's age and gender, in words.
    var cardLine: String { CardDraft(card ?? MatchingCard()).sentence }

    /// Whom the list shows, in words.
    var filterLine: String {
        FilterDraft(filters ?? MatchingFilters()).sentence ?? localized("Everyone is listed.")
    }

    /// The number of reviews about the user, in words.
    var reviewsLine: String {
        let count = reviews?.received.count ?? 0
        guard count > 0 else { return localized("None about you yet") }
        return localized(
            Sentence(count: count, one: "1 review about you", other: "\(count) reviews about you"))
    }

    /// Returns the reviews that a person shows; nil while they are not open.
    func reviews(of person: Key) -> PersonReviews? {
        shownReviews[person].map {
            PersonReviews($0, isLate: isLate(waits[person]), now: clock.nodeTime)
        }
    }

    private func isLate(_ wait: Wait?) -> Bool {
        guard let wait else { return false }
        return wait.askedCount >= Wait.askedMax && clock.now - wait.since >= Wait.max
    }

    /// The wishes as they are typed, or else as they are saved.
    var wishes: WishDraft { typedWishes ?? WishDraft(savedWishes) }

    /// Whether wishes are typed that are not saved.
    var hasUnsavedWishes: Bool { wishes.differs(from: savedWishes) }

    private var savedWishes: [String] { status?.wishes.map(\.string) ?? [] }

    /// The number of things that wait for the user: requests, reviews that can be written, and a
    /// match that the user has not seen.
    var waitingCount: Int {
        (status?.requestCount.value ?? 0) + (status?.reviewsDue.value ?? 0) + (isMatchNew ? 1 : 0)
    }

    /// The room of the match that stands; nil without one.
    var room: Key? { status?.state == .matched ? status?.partner?.room : nil }

    /// Returns the name by which a person is called on the page.
    func name(of person: Key) -> String {
        let partners = (reviews?.due ?? []) + [status?.partner].compactMap { $0 }
        if let partner = partners.first(where: { $0.person == person }) {
            return PartnerText.name(partner)
        }
        let listed = people?.people.first { $0.person == person }
        let reviewer = reviews?.received.first { $0.by == person }
        return PartnerText.name(listed?.name ?? reviewer?.name, KeySuffix(person))
    }

    private var acceptance: Countdown? { countdown(status?.partner?.secondsLeft) }

    private func countdown(_ seconds: Count?) -> Countdown? {
        seconds.map { Countdown(timeLeft: .seconds($0.value), measuredAt: statusAt) }
    }

    // MARK: - What the user does on the page

    /// Records what is typed as wishes.
    func type(_ text: String) {
        guard text != wishes.text else { return }
        typedWishes = WishDraft(typed: text)
        onChange()
    }

    /// Lists only people who share a wish, or everyone.
    func list(sharedOnly isOn: Bool) {
        guard isOn != sharedOnly else { return }
        sharedOnly = isOn
        onChange()
    }

    /// Expands the card of a person, or folds it and closes their reviews.
    func expand(_ person: Key, _ isOn: Bool) {
        if isOn { expanded.insert(person) } else { expanded.remove(person) }
        if !isOn { shownReviews[person] = nil }
        onChange()
    }

    /// Opens the reviews that a person shows, or closes them.
    func openReviews(of person: Key, _ isOn: Bool) {
        shownReviews[person] = isOn ? .some(nil) : nil
        if isOn { askReviews(of: person) } else { onChange() }
    }

    /// Asks a person for the reviews that did not arrive.
    func askReviews(of person: Key) {
        waits[person] = Wait(since: clock.now)
        queries.askAgain([.shown])
        onChange()
    }

    /// Asks once more for reviews that are late. Called while time passes.
    func followReviews() {
        waits = waits.filter { person, _ in
            shownReviews[person].map { $0?.incomplete ?? true } ?? false
        }
        let late = waits.filter {
            $1.askedCount < Wait.askedMax && clock.now - $1.since >= Wait.max
        }
        guard !late.isEmpty else { return }
        for (person, wait) in late {
            waits[person] = Wait(since: clock.now, askedCount: wait.askedCount + 1)
        }
        queries.askAgain([.shown])
    }

    /// Records that the user has seen the match.
    func markMatchSeen() {
        guard isMatchNew else { return }
        isMatchNew = false
        onChange()
    }

    // MARK: - Actions

    /// Saves the wishes as they are typed.
    /// - Throws: the rule that they break, else the node's fault; they then stay as they are typed.
    func saveWishes() async throws {
        guard let typed = typedWishes else { return }
        receive(
            try await node.call(MatchingCommands.wishes, SetWishes(wish: try typed.list())))
        if typedWishes == typed { typedWishes = nil }
        onChange()
    }

    /// Adds a wish of others to the user's own, or removes it, and saves.
    func toggle(_ wish: String) async throws {
        var draft = wishes
        draft.toggle(wish)
        let (list, typed) = (try draft.list(), typedWishes)
        receive(try await node.call(MatchingCommands.wishes, SetWishes(wish: list)))
        if typedWishes == typed { typedWishes = nil }
        onChange()
    }

    /// Looks for people, with the wishes as they are typed.
    func look() async throws {
        try await saveWishes()
        try await perform(MatchingCommands.look)
    }

    /// Stops looking.
    func stop() async throws { try await perform(MatchingCommands.stop) }

    /// Performs what the user can do about a person.
    func perform(_ action: PersonEntry.Action, _ person: Key) async throws {
        let named = NameMatchingPerson(person: NameOrKey(person))
        switch action {
        case .ask: try await perform(MatchingCommands.request, named)
        case .accept: try await perform(MatchingCommands.accept, named)
        case .decline: try await perform(MatchingCommands.decline, named)
        case .takeBack:
            try await perform(
                MatchingCommands.cancel, CancelMatching(person: NameOrKey(person)))
        case .cancel: try await cancel()
        case .openChat: break
        }
    }

    /// Ends the match, or takes back the acceptance.
    func cancel() async throws { try await perform(MatchingCommands.cancel, CancelMatching()) }

    /// Saves the age and the gender.
    func save(_ draft: CardDraft) async throws {
        card = try await node.call(MatchingCommands.editCard, draft.request)
        onChange()
    }

    /// Saves the filters.
    func save(_ draft: FilterDraft) async throws {
        filters = try await node.call(MatchingCommands.editFilters, draft.request)
        queries.askAgain([.people])
        onChange()
    }

    /// Sends a review.
    func send(_ draft: ReviewDraft, to person: Key) async throws {
        _ = try await node.call(MatchingCommands.review, try draft.request(for: person))
        queries.askAgain([.status, .reviews])
    }

    /// Takes a match off the list of those to review.
    func skipReview(of person: Key) async throws {
        reviews = try await node.call(
            MatchingCommands.skipReview, SkipReview(person: NameOrKey(person)))
        queries.askAgain([.status])
        onChange()
    }

    /// Shows a received review on the card, or hides it.
    func show(_ review: RecordKey, _ isShown: Bool) async throws {
        reviews = try await node.call(
            MatchingCommands.show, ShowReview(id: RecordPrefix(review), shown: isShown))
        onChange()
    }

    private func perform<Request>(
        _ command: Command<Request, MatchingStatus>, _ request: Request
    ) async throws {
        receive(try await node.call(command, request))
        queries.askAgain([.people])
        onChange()
    }

    private func perform(_ command: Command<NoParameters, MatchingStatus>) async throws {
        try await perform(command, NoParameters())
    }

    // MARK: - Answers

    private func ask(_ query: Query) async throws {
        switch query {
        case .status: receive(try await node.call(MatchingCommands.status))
        case .people:
            let answer = try await node.call(MatchingCommands.people, ListMatchingPeople())
            people = answer
            let listed = Set(answer.people.map(\.person))
            expanded.formIntersection(listed)
            shownReviews = shownReviews.filter { listed.contains($0.key) }
        case .reviews:
            reviews = try await node.call(MatchingCommands.reviews, ListReviews())
        case .choice:
            card = try await node.call(MatchingCommands.card)
            filters = try await node.call(MatchingCommands.filters)
        case .shown:
            for person in shownReviews.keys.sorted(by: { $0.string < $1.string }) {
                let answer = try await node.call(
                    MatchingCommands.reviews, ListReviews(person: NameOrKey(person)))
                if shownReviews[person] != nil { shownReviews[person] = .some(answer) }
            }
        }
    }

    private func receive(_ answer: MatchingStatus) {
        let before = status
        status = answer
        statusAt = clock.now
        guard answer.state == .matched else {
            isMatchNew = false
            return
        }
        // A match that stood when the window was opened is not news.
        guard let before, before.state != .matched else { return }
        isMatchNew = true
        onMatch()
    }
}

extension MatchingChange {
    /// Whether one of the parts may have changed.
    func concerns(_ parts: Part...) -> Bool {
        part.map { $0 == .unknown || parts.contains($0) } ?? true
    }
}
