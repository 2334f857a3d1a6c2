import Contract
import GtkKit
import PromisesAPI

/// The page of promises: the promises to come, the open one with its people, the past ones, the
/// ledger.
@MainActor
final class PromisePage: Box {
    /// Called when a promise is to be made.
    var onMake: @MainActor () -> Void = {}
    /// Called with the id of a promise to open, or to close if it is open.
    var onOpen: @MainActor (Key) -> Void = { _ in }
    /// Called with an action and its promise.
    var onAction: @MainActor (PromiseAction, PromiseSummary) -> Void = { _, _ in }
    /// Called when the next page of past promises is to be shown.
    var onMorePast: @MainActor () -> Void = {}

    private let today = Label().styled("dim").centred().width(characters: 30)
    private let list = Box(.down).role(.list).named("Promises")
    private let people = Box(.down).role(.list).named("People of the promise")
    private let actions = Box(.across, spacing: 8)
    private let question = Label().width(characters: 34).role(.alert)
    private let answers = Box(.across, spacing: 8)
    private let fault = Label().styled("fault").width(characters: 34).hidden()
    private let more = Button("Past promises")
    private let past = Box(.down).role(.list).named("Past promises")
    private let ledger = Label().styled("dim").width(characters: 34)
    private lazy var confirmation = Box(.down, spacing: 6, [question, answers])
    private var rows: [Key: PromiseRow] = [:]
    private var personRows: [Key: PromisePersonRow] = [:]
    private var shownActions: [PromiseAction] = []
    /// The action that was pressed and is performed if it is pressed again.
    private var questioned: PromiseAction?
    private weak var keep: Button?
    private var shownPromise: PromiseSummary?

    init() {
        super.init(.down, spacing: 6)
        let make = Button("Make a promise") { [weak self] in self?.onMake() }.suggested()
        fault.role(.alert)
        confirmation.margin(across: 12, down: 4).hidden().stayingInSight()
        for view in [
            make.margin(12), today, list, people,
            actions.margin(across: 12, down: 4), confirmation,
            fault, Separator(.across), ledger.margin(across: 12, down: 6), more.margin(12), past,
        ] { append(view) }
        more.onClick { [weak self] in self?.onMorePast() }
    }

    /// Shows the promises to come and the past ones.
    func show(_ state: PromisesState) {
        today.text = state.todayText
        show(state.open, in: list, selected: state.selected)
        show(state.past, in: past, selected: state.selected)
        let ids = Set((state.open + state.past).map(\.id))
        rows = rows.filter { ids.contains($0.key) }
        more.isVisible = !state.hasAskedPast || state.nextPast != nil
        more.text = state.hasAskedPast ? "More past promises" : "Past promises"
        ledger.text = state.ledger.map { "\($0.name): \(PromiseText.ledger($0))" }
            .joined(separator: "\n")
    }

    private func show(_ promises: [PromiseSummary], in box: Box, selected: Key?) {
        let shown = promises.map { promise in
            let row = rows[promise.id] ?? PromiseRow { [weak self] in self?.onOpen(promise.id) }
            rows[promise.id] = row
            row.update(promise, isOpen: promise.id == selected)
            return row
        }
        box.replaceChildren(with: shown)
    }

    /// Shows the people of the open promise.
    /// - Parameter passed: the time since the node reported them.
    func show(
        _ shown: [PromisePerson], of promise: PromiseSummary?, passed: Duration, now: Timestamp
    ) {
        people.replaceChildren(
            with: shown.map { person in
                let row = personRows[person.person] ?? PromisePersonRow()
                personRows[person.person] = row
                row.update(
                    person,
                    age: person.location.map { .seconds($0.ageSeconds.value) + passed })
                return row
            })
        let keys = Set(shown.map(\.person))
        personRows = personRows.filter { keys.contains($0.key) }
        showActions(promise, shown, now: now)
    }

    private func showActions(
        _ promise: PromiseSummary?, _ people: [PromisePerson], now: Timestamp
    ) {
        let wanted =
            promise.map { PromiseAction.all(for: $0, people: people, now: now) } ?? []
        guard wanted != shownActions || promise != shownPromise else { return }
        if promise?.id != shownPromise?.id || !wanted.contains(where: { $0 == questioned }) {
            questioned = nil
        }
        shownActions = wanted
        shownPromise = promise
        placeActions()
    }

    private func placeActions() {
        confirmation.isVisible = questioned != nil
        actions.isVisible = questioned == nil
        guard let promise = shownPromise else { return actions.replaceChildren(with: []) }
        if let questioned {
            question.text = questioned.question ?? ""
            let keep = Button("Keep it") { [weak self] in self?.ask(nil) }
            self.keep = keep
            let end = Button(questioned.rawValue) { [weak self] in
                self?.ask(nil)
                self?.onAction(questioned, promise)
            }
            return answers.replaceChildren(with: [keep, end.destructive()])
        }
        actions.replaceChildren(
            with: shownActions.map { action in
                let button = Button(action.rawValue) { [weak self] in
                    if action.question != nil {
                        self?.ask(action)
                    } else {
                        self?.onAction(action, promise)
                    }
                }
                if action.isDestructive { return button.destructive() }
                return action == shownActions.last ? button.suggested() : button
            })
    }

    /// Asks whether to perform an action that ends something; nil removes the question.
    func ask(_ action: PromiseAction?) {
        questioned = action
        placeActions()
        if action != nil { keep?.grabFocus() }
    }

    /// Shows a fault; nil removes it.
    func setFault(_ sentence: String?) {
        fault.text = sentence.map { "⚠ \($0)" } ?? ""
        fault.isVisible = sentence != nil
    }
}
