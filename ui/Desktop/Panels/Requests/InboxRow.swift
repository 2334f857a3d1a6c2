import Contract
import GtkKit
import PanelKit

/// One row of the inbox, with the buttons that answer it beside its age, or below it if they need
/// more room.
@MainActor
final class InboxRow: Box {
    /// The texts and actions of a row now.
    struct Content {
        var entry: InboxEntry
        var title: String
        var detail: String
        var state: String
        /// The name for the initials, which may be empty, and the key for the colour; nil shows the
        /// symbol.
        var person: (key: Key, name: String)?
        /// The icon of what it is about.
        var symbol: String
        var actions: [PanelAction]
        /// Begins to make the file as which the row is dragged out of the window.
        var fileToDrag: (@MainActor () -> String?)?

        /// All that the row shows. A row where it stays the same is not touched.
        var shown: [String] {
            [title, detail, state, person?.name ?? "", "\(entry.standing)"] + actions.map(\.title)
        }
    }

    /// Whether there is room for several buttons beside the text.
    var isWide: Bool {
        didSet { layOut() }
    }

    private let title = Label().styled("row-title").width(characters: 28)
    private let detail = Label().styled("row-detail").width(characters: 28)
    private let state = Label().styled("dim").width(characters: 28).expanding(across: true)
    private let buttons = Box(.across, spacing: 6).aligned(.end, .centre)
    private let line: Box
    private let avatar: Avatar?
    private let view: FileDragBox
    private var actions: [PanelAction] = []
    private var shown: [String] = []

    init(_ content: Content, isWide: Bool) {
        self.isWide = isWide
        avatar = content.person.map { Avatar(key: $0.key.string) }
        line = Box(.across, spacing: 6, [state, buttons])
        let picture = avatar ?? Icon(content.symbol, pixels: 20).minimum(width: 40)
        let texts = Box(.down, spacing: 2, [title, detail, line]).expanding(across: true)
        view = FileDragBox(
            Box(.across, spacing: 12, [picture.aligned(.centre, .start), texts]))
        super.init(.across)
        styled("item").role(.listItem)
        append(view.expanding(across: true))
    }

    /// Shows the entry with its answers. Only what has changed is touched.
    func show(_ content: Content) {
        let isSame = content.actions.map(\.title) == actions.map(\.title)
        actions = content.actions
        view.fileToDrag = content.fileToDrag
        guard content.shown != shown else { return }
        shown = content.shown
        if let name = content.person?.name { avatar?.show(name: name) }
        title.text = content.title
        detail.text = content.detail
        detail.isVisible = !content.detail.isEmpty
        state.text = content.state
        setStyle("dim", on: content.entry.standing == .handled)
        named("\(content.title). \(content.state)")
        buttons.isVisible = !actions.isEmpty
        guard !isSame else { return }
        buttons.replaceChildren(with: actions.indices.map { makeButton(at: $0, content.title) })
        layOut()
    }

    private func makeButton(at index: Int, _ title: String) -> Button {
        let perform: @MainActor () -> Void = { [weak self] in
            guard let self, actions.indices.contains(index) else { return }
            actions[index].perform()
        }
        let action = actions[index]
        let name = "\(action.title): \(title)"
        guard let icon = action.icon else { return Button(action.title, perform).named(name) }
        return Button(icon: icon, name: name, perform).flat()
    }

    /// Two words are too wide to stand beside a text in a column.
    private func layOut() {
        let wordsCount = actions.count { $0.icon == nil }
        let hasRoom = !TextScale.isLarge && (isWide || wordsCount < 2)
        line.axis = hasRoom ? .across : .down
        buttons.aligned(hasRoom ? .end : .start, .centre)
    }
}
