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
    private let peopleTitle = Label().styled("heading")
    private let people = Box(.down).styled("list-box").role(.list).named(
        localized("People of the promise"))
    private let standings = StandingList()
    private lazy var standing = PageSection(localized("Your record"), standings)
    private lazy var others = PromiseSection(localized("Later today")) { [weak self] in
        self?.onOpen($0)
    }
    private var rows: [Key: PromisePersonRow] = [:]
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
            header, Box(.down, spacing: 4, [time, detail]), sentence, buttons, peopleTitle, people,
            standing, others,
        ] { append(view) }
        back.onClick { [weak self] in self?.onBack() }
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
        more.isVisible = !wanted.menu.isEmpty
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
        return actions.menu.map { action in
            PanelAction(action.title) { [weak self] in self?.onAction(action, promise) }
        }
    }

    private func show(_ shown: [PromisePerson], of promise: PromiseSummary, passed: Duration) {
        peopleTitle.text =
            promise.phase == .tracking ? localized("On the way") : localized("People")
        let lines = shown.map { person in
            PromisePersonRow.Content(
                person: person.person,
                name: PromiseText.name(person.name, of: person.person), isMe: person.me,
                line: PromiseText.line(
                    of: person, age: person.age(after: passed), sharing: promise.sharing),
                progress: person.rank == nil ? person.progress?.value : nil, medal: person.medal)
        }
        show(lines)
    }

    private func show(_ result: PromiseResult?) {
        peopleTitle.text = localized("Result")
        let mine = context.people.me?.person
        let lines = (result?.people ?? []).map { person in
            PromisePersonRow.Content(
                person: person.person,
                name: PromiseText.name(person.name, of: person.person),
                isMe: person.person == mine,
                line: PromiseText.result(of: person), progress: nil, medal: person.medal)
        }
        show(lines)
    }

    private func show(_ lines: [PromisePersonRow.Content]) {
        let keys = Set(lines.map(\.person))
        rows = rows.filter { keys.contains($0.key) }
        people.replaceChildren(
            with: lines.map { line in
                let row = rows[line.person] ?? PromisePersonRow(line.person)
                rows[line.person] = row
                row.show(line)
                return row
            })
        peopleTitle.isVisible = !lines.isEmpty
        people.isVisible = !lines.isEmpty
    }
}

/// One person of a promise: on the way, or with their result.
@MainActor
final class PromisePersonRow: Box {
    /// The texts of a row now.
    struct Content: Equatable {
        var person: Key
        var name: String
        var isMe: Bool
        var line: String
        /// The part of the way that is done; nil shows no bar.
        var progress: Double?
        var medal: PromiseMedal?
    }

    private let avatar: Avatar
    private let name = Label().styled("row-title").width(characters: 24)
    private let line = Label().styled("dim").width(characters: 24)
    private let progress = ProgressBar()
    private let medal = Icon("starred-symbolic", pixels: 24).aligned(.end, .centre).hidden()

    init(_ person: Key) {
        avatar = Avatar(key: person.string)
        super.init(.across, spacing: 12)
        styled("item").role(.listItem)
        append(avatar.aligned(.centre, .start))
        append(
            Box(.down, spacing: 2, [name, line, progress.margin(across: 0, down: 4)])
                .expanding(across: true).aligned(.fill, .centre))
        append(medal)
    }

    /// Shows a person as they are now.
    func show(_ content: Content) {
        avatar.show(name: content.name)
        name.text = content.isMe ? localized("\(content.name) (you)") : content.name
        line.text = content.line
        progress.isVisible = content.progress != nil
        progress.fraction = content.progress ?? 0
        progress.named(localized("\(content.name): how much of the way is done"))
        medal.isVisible = content.medal != nil
        for each in [PromiseMedal.gold, .silver, .bronze] {
            medal.setStyle(each.rawValue, on: each == content.medal)
        }
        named("\(name.text). \(content.line)")
    }
}

extension PromisePerson {
    /// Returns the age of the person's location; nil if it is not known.
    /// - Parameter passed: the time since the node reported it.
    fileprivate func age(after passed: Duration) -> Duration? {
        location.map { .seconds($0.ageSeconds.value) + passed }
    }
}
