import GtkKit

/// A page with one statement and at most one action.
@MainActor
final class StatusPage: Box {
    private let title = Label().styled("page-title").centred()
    private let sentence = Label().styled("dim").centred().width(characters: 50)
    private let spinner = Spinner().minimum(width: 32, height: 32)
    private let action = Button("").suggested().aligned(.centre)
    private var onAction: @MainActor () -> Void = {}

    /// Creates a page under an icon of the theme.
    init(icon: String) {
        super.init(.down, spacing: 12)
        aligned(.centre, .centre).margin(24)
        for view in [Icon(icon, pixels: 72), title, sentence, spinner, action] { append(view) }
        action.onClick { [weak self] in self?.onAction() }
    }

    /// Shows the current work, with a turning wheel.
    func wait(_ title: String, _ sentence: String) {
        say(title, sentence, action: nil)
        spinner.isVisible = true
    }

    /// Shows a state, and the action that the user can take.
    func say(
        _ title: String, _ sentence: String, action text: String?,
        _ action: @escaping @MainActor () -> Void = {}
    ) {
        self.title.text = title
        self.sentence.text = sentence
        spinner.isVisible = false
        self.action.isVisible = text != nil
        self.action.text = text ?? ""
        onAction = action
    }
}
