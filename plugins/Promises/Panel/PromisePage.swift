import GtkKit

/// The page of promises: those to come, the open one with its people, the past ones, the ledger.
@MainActor
final class PromisePage: Box {
    var onMake: @MainActor () -> Void = {}
    var onOpen: @MainActor (String) -> Void = { _ in }
    var onAction: @MainActor (PromiseAction, PromiseSummary) -> Void = { _, _ in }
    var onMorePast: @MainActor () -> Void = {}

    private let today = Label().styled("dim").centred().width(characters: 30)
    private let list = Box(.down).role(.list).named("Promises")
    private let people = Box(.down).role(.list).named("People of the promise")
    private let actions = Box(.across, spacing: 8)
    private let question = Label().width(characters: 34).role(.alert)
    private let fault = Label().styled("fault").width(characters: 34).hidden()
    private let more = Button("Past promises")
    private let past = Box(.down).role(.list).named("Past promises")
    private let ledger = Label().styled("dim").width(characters: 34)
    private var rows: [String: PromiseRow] = [:]
    private var personRows: [String: PromisePersonRow] = [:]
    private var shownActions: [PromiseAction] = []
    /// What was pressed and is done once it is pressed again.
    private var questioned: PromiseAction?
    private weak var keep: Button?
    private var shownPromise: PromiseSummary?

    init() {
        super.init(.down, spacing: 6)
        let make = Button("Make a promise") { [weak self] in self?.onMake() }.suggested()
        fault.role(.alert)
        for view in [
            make.margin(12), today, list, people,
            question.hidden().margin(across: 12, down: 0), actions.margin(across: 12, down: 4),
            fault, Separator(.across), ledger.margin(across: 12, down: 6), more.margin(12), past,
        ] { append(view) }
        more.onClick { [weak self] in self?.onMorePast() }
    }

    /// Shows what is to come and what is past.
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

    private func show(_ promises: [PromiseSummary], in box: Box, selected: String?) {
        let shown = promises.map { promise in
            let row = rows[promise.id] ?? PromiseRow { [weak self] in self?.onOpen(promise.id) }
            rows[promise.id] = row
            row.update(promise, isOpen: promise.id == selected)
            return row
        }
        box.replaceChildren(with: shown)
    }

    /// Shows the people of the open promise, so many seconds after the node told of them.
    func show(_ shown: [PromisePerson], of promise: PromiseSummary?, passed: Int64, nowMs: Int64) {
        people.replaceChildren(
            with: shown.map { person in
                let row = personRows[person.person] ?? PromisePersonRow()
                personRows[person.person] = row
                row.update(person, ageSeconds: person.position.map { $0.ageSeconds + passed })
                return row
            })
        let keys = Set(shown.map(\.person))
        personRows = personRows.filter { keys.contains($0.key) }
        showActions(promise, shown, nowMs: nowMs)
    }

    private func showActions(
        _ promise: PromiseSummary?, _ people: [PromisePerson], nowMs: Int64
    ) {
        let wanted =
            promise.map { PromiseAction.all(for: $0, people: people, nowMs: nowMs) } ?? []
        guard wanted != shownActions || promise != shownPromise else { return }
        if promise?.id != shownPromise?.id || !wanted.contains(where: { $0 == questioned }) {
            questioned = nil
        }
        shownActions = wanted
        shownPromise = promise
        placeActions()
    }

    private func placeActions() {
        question.text = questioned?.question ?? ""
        question.isVisible = questioned != nil
        guard let promise = shownPromise else { return actions.replaceChildren(with: []) }
        if let questioned {
            let keep = Button("Keep it") { [weak self] in self?.ask(nil) }
            self.keep = keep
            let end = Button(questioned.rawValue) { [weak self] in
                self?.ask(nil)
                self?.onAction(questioned, promise)
            }
            return actions.replaceChildren(with: [keep, end.destructive()])
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

    /// Asks whether something is to end, or asks no more.
    private func ask(_ action: PromiseAction?) {
        questioned = action
        placeActions()
        if action != nil { keep?.takeFocus() }
    }

    /// Says what went wrong, or nothing.
    func setFault(_ sentence: String?) {
        fault.text = sentence.map { "⚠ \($0)" } ?? ""
        fault.isVisible = sentence != nil
    }
}
