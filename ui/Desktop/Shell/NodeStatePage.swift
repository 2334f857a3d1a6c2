import GtkKit

/// The page in place of all others while there is no node: its state, and at most one action.
@MainActor
final class NodeStatePage: Box {
    private let page: StatusPage
    private let spinner = Spinner().minimum(width: 32, height: 32)
    private let action = Button("").suggested().aligned(.centre)
    private var onAction: @MainActor () -> Void = {}

    /// Creates a page under an icon of the theme.
    init(icon: String) {
        page = StatusPage(icon: icon, content: Box(.down, spacing: 12, [spinner, action]))
        super.init(.down, [page.expanding(across: true, down: true)])
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
        page.show(title: title, sentence: sentence)
        spinner.isVisible = false
        self.action.isVisible = text != nil
        self.action.text = text ?? ""
        onAction = action
    }
}
