import Contract
import GtkKit
import PanelKit
import PromisesAPI

/// One promise in the list: a press opens it.
@MainActor
final class PromiseRow: Box {
    private let button = Button("")
    private let detail = Label().styled("dim").width(characters: 34)
    private let state = Label().styled("hint").width(characters: 34)

    /// A row that calls `onOpen` when it is pressed.
    init(onOpen: @escaping @MainActor () -> Void) {
        super.init(.down, spacing: 2)
        margin(across: 12, down: 6)
        button.onClick(onOpen)
        append(button.aligned(.fill))
        append(detail)
        append(state)
    }

    /// Shows a promise; the open one is emphasised.
    func update(_ promise: PromiseSummary, isOpen: Bool) {
        button.text = promise.title.string
        button.setStyle("suggested-action", on: isOpen)
        button.described("Shows who is on the way, and the location on the map.")
        detail.text = PromiseText.detail(of: promise, when: PromiseText.when(promise.atMs))
        state.text = PromiseText.state(of: promise)
    }
}

/// One person of the open promise.
@MainActor
final class PromisePersonRow: Box {
    private let name = Label().styled("bar-title")
    private let line = Label().styled("dim").width(characters: 30)
    private let progress = ProgressBar()

    init() {
        super.init(.down, spacing: 2)
        margin(across: 12, down: 4)
        for view in [name, line, progress] { append(view) }
    }

    /// Shows the state of a person, with a location of this age.
    func update(_ person: PromisePerson, age: Duration?) {
        name.text = person.me ? "\(person.name) (you)" : person.name.string
        line.text = PromiseText.line(of: person, age: age)
        progress.isVisible = person.rank == nil && person.progress != nil
        progress.fraction = person.progress?.value ?? 0
        progress.named("\(person.name): how much of the way is done")
        setStyle("dim", on: age.map { $0 > MapMarker.freshMax } ?? false)
    }
}
