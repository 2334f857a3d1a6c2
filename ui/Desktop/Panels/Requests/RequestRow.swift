import GtkKit

/// One walk request, or another item of the inbox.
@MainActor
final class RequestRow: Box {
    private let title = Label().styled("row-title").width(characters: sideCharacters)
    private let detail = Label().width(characters: sideCharacters)
    private let state = Label().styled("dim").width(characters: sideCharacters)
    private let buttons = Box(.across, spacing: 6)
    private var shownAnswers: [RequestAnswer] = []

    private let onAnswer: @MainActor (RequestAnswer) -> Void

    init(_ onAnswer: @escaping @MainActor (RequestAnswer) -> Void) {
        self.onAnswer = onAnswer
        super.init(.down, spacing: 2)
        styled("row").role(.listItem)
        for view in [title, detail, state, buttons.margin(across: 0, down: 4)] { append(view) }
    }

    /// Shows the request or item with its answers.
    func update(title: String, detail: String, state: String, answers: [RequestAnswer]) {
        self.title.text = title
        self.detail.text = detail
        self.state.text = state
        self.state.isVisible = !state.isEmpty
        named("\(title). \(state)")
        guard answers != shownAnswers else { return }
        shownAnswers = answers
        buttons.isVisible = !answers.isEmpty
        buttons.replaceChildren(
            with: answers.map { answer in
                let button = Button(answer.rawValue) { [weak self] in self?.onAnswer(answer) }
                return button.named("\(answer.rawValue): \(title)")
            })
    }
}
