import Contract
import FeaturesAPI
import GtkKit
import PanelKit
import PromisesAPI

/// The page of one promise: its time, its people on the way or its result, and what can be done.
@MainActor
final class PromiseView: Box {
    /// Called when the page is to be left.
    var onBack: @MainActor () -> Void = {}
    /// Called with the id of another promise to open.
    var onOpen: @MainActor (Key) -> Void = { _ in }
    /// Called when the list of who owes whom is to be shown.
    var onLedger: @MainActor () -> Void = {}
    /// Begins to make the file as which a promise is dragged out of the window; returns its path.
    var onDrag: @MainActor (PromiseSummary) -> String? = { _ in nil }
    /// Called with a promise to save for a calendar.
    var onSave: @MainActor (PromiseSummary) -> Void = { _ in }
    /// Called with an action.
    var onAction: @MainActor (PromiseAction, PromiseSummary) -> Void = { _, _ in }

    private let context: PanelContext
    private let back = Button(icon: "go-previous-symbolic", name: localized("All promises"))
        .styled("flat").aligned(.start, .centre)
    private let title = Label().styled("page-title").width(characters: 18)
        .expanding(across: true).aligned(.fill, .centre)
    private let links = Box(.across, spacing: 4).aligned(.end, .centre)
    private lazy var more = MenuButton { [weak self] in self?.menu() ?? [] }
    private let time = Label().styled("heading").width(characters: 34)
    private let detail = Label().styled("dim").width(characters: 34)
    private let sentence = Label().width(characters: 34).role(.status)
    private let buttons = Box(.across, spacing: 8)
    private let arrived = PromisePeopleSection()
    private let people = PromisePeopleSection()
    private let standings = StandingList()
    private lazy var standing = PageSection(localized("Your record"), standings)
    private lazy var others = PromiseSection(localized("Later today")) { [weak self] in
        self?.onOpen($0)
    } onDrag: { [weak self] in
        self?.onDrag($0)
    }
    private var promise: PromiseSummary?
    private var actions: PromiseActions?
    private var linkTitles: [String] = []

    /// Creates a page that shows nothing yet.
    init(_ context: PanelContext) {
        self.context = context
        super.init(.down, spacing: 12)
        styled("page")
        let header = Box(.across, spacing: 8, [back, title, links, more.aligned(.end, .centre)])
        for view in [
            header, Box(.down, spacing: 4, [time, detail]), sentence, buttons, arrived, people,
            others, standing,
        ] { append(view) }
        back.onClick { [weak self] in self?.onBack() }
        standings.onOpen = { [weak self] in self?.onLedger() }
    }

    /// Moves the keyboard focus to the button that leaves the page.
    func focusBack() { back.grabFocus() }

    /// Shows a promise with its people, or with its result if it is past.
    /// - Parameter passed: the time since the node reported them.
    func show(_ promise: PromiseSummary, _ state: PromisesState, passed: Duration, now: Timestamp) {
        title.text = promise.title.string
        time.text = PromiseText.countdown(to: promise.atMs, now: now)
        detail.text = PromiseText.detail(of: promise)
        let sentence = PromiseText.sentence(about: promise, now: now)
        self.sentence.text = sentence ?? ""
        self.sentence.isVisible = sentence != nil
        showLinks(to: promise)
        showActions(promise, state.people, now: now)
        if promise.phase == .past {
            show(state.result)
        } else {
            show(state.people, of: promise, passed: passed)
        }
        let mine = state.ledger.filter(\.me)
        standings.show(mine)
        standing.isVisible = !mine.isEmpty
        others.show(promise.phase == .past ? [] : state.othersOfToday, now: now)
    }

    /// Shows the buttons with which other pages open this promise's group, such as its chat.
    private func showLinks(to promise: PromiseSummary) {
        let wanted = context.actions(for: .group(promise.id))
        let titles = wanted.map(\.title) + [promise.id.string]
        guard titles != linkTitles else { return }
        linkTitles = titles
        links.replaceChildren(
            with: wanted.map { action in
                Button(icon: action.icon ?? "go-next-symbolic", name: action.title, action.perform)
                    .styled("flat")
            })
    }

    private func showActions(
        _ promise: PromiseSummary, _ people: [PromisePerson], now: Timestamp
    ) {
        let wanted = PromiseActions(for: promise, people: people, now: now)
        more.flat().titled(localized("More for \(promise.title)"))
        guard wanted != actions || promise != self.promise else { return }
        actions = wanted
        self.promise = promise
        more.update()
        more.isVisible = !wanted.menu.isEmpty || promise.phase != .deleted
        buttons.isVisible = !wanted.buttons.isEmpty
        let last = wanted.buttons.last
        buttons.replaceChildren(
            with: wanted.buttons.map { action in
                let button = Button(action.title) { [weak self] in self?.onAction(action, promise) }
                return action == last && action != .decline ? button.suggested() : button
            })
    }

    private func menu() -> [PanelAction] {
        guard let promise, let actions else { return [] }
        let save = PanelAction(localized("Save for a calendar…")) { [weak self] in
            self?.onSave(promise)
        }
        return actions.menu.map { action in
            PanelAction(action.title) { [weak self] in self?.onAction(action, promise) }
        } + (promise.phase == .deleted ? [] : [save])
    }

    private func show(_ shown: [PromisePerson], of promise: PromiseSummary, passed: Duration) {
        func lines(of people: [PromisePerson]) -> [PromisePersonRow.Content] {
            people.map { person in
                PromisePersonRow.Content(
                    person: person.person,
                    name: PromiseText.name(person.name, of: person.person), isMe: person.me,
                    line: PromiseText.line(
                        of: person, age: person.age(after: passed), sharing: promise.sharing),
                    progress: person.rank == nil ? person.progress?.value : nil,
                    medal: person.medal)
            }
        }
        let isTracked = promise.phase == .tracking
        let groups = shown.dividedByArrival
        arrived.show(localized("Arrived"), lines(of: isTracked ? groups.arrived : []))
        people.show(
            isTracked ? localized("On the way") : localized("People"),
            lines(of: isTracked ? groups.others : shown))
    }

    private func show(_ result: PromiseResult?) {
        let mine = context.people.me?.person
        let lines = (result?.people ?? []).map { person in
            PromisePersonRow.Content(
                person: person.person,
                name: PromiseText.name(person.name, of: person.person),
                isMe: person.person == mine,
                line: PromiseText.result(of: person), progress: nil, medal: person.medal)
        }
        arrived.show(localized("Arrived"), [])
        people.show(localized("Result"), lines)
    }
}

extension [PromisePerson] {
    /// Those who have arrived, and the others, each in their order.
    var dividedByArrival: (arrived: [PromisePerson], others: [PromisePerson]) {
        (filter { $0.rank != nil }, filter { $0.rank == nil })
    }
}

extension PromisePerson {
    /// Returns the age of the person's location; nil if it is not known.
    /// - Parameter passed: the time since the node reported it.
    fileprivate func age(after passed: Duration) -> Duration? {
        location.map { .seconds($0.ageSeconds.value) + passed }
    }
}
