import ChatAPI
import Contract
import GtkKit

/// One message: its bubble, with the author above and the time and delivery state under a group of
/// bubbles, and a menu that shows while the pointer or the keyboard focus is there. The menu's
/// button is its only stop of the Tab key; the text can be selected with the pointer.
@MainActor
final class ChatBubbleRow: HoverBox {
    private let author = Label().styled("hint").hidden()
    private let text = Label().selectable().skippedByTab().width(characters: 44).styled("bubble")
    private let caption = Label().styled("hint").hidden()
    private let more = Button(icon: "view-more-symbolic", name: localized("More")).styled(
        "flat", "bubble-menu")
    private let actions: @MainActor () -> [PopupMenu.Entry]
    private lazy var menu = PopupMenu(over: more)

    /// Creates a row for a message.
    /// - Parameter actions: the entries of its menu.
    init(_ bubble: ChatBubble, actions: @escaping @MainActor () -> [PopupMenu.Entry]) {
        self.actions = actions
        let isMine = bubble.message.isMine
        let button = more.aligned(.centre, .centre)
        let line = Box(.across, spacing: 2, isMine ? [button, text] : [text, button])
        let side = isMine ? Alignment.end : .start
        super.init(
            Box(
                .down, spacing: 2,
                [author.aligned(.start), line.aligned(side), caption.aligned(side)]))
        styled("bubble-row").role(.listItem)
        setStyle("mine", on: isMine)
        more.onClick { [weak self] in self?.openMenu() }
        onMenu = { [weak self] in self?.openMenu() }
        text.onMenu { [weak self] in self?.openMenu() }
        update(bubble)
    }

    /// Shows the message in its current state.
    func update(_ bubble: ChatBubble) {
        let shown = ChatText.shown(bubble.message.text.string)
        text.text = shown
        author.text = bubble.author ?? ""
        author.isVisible = bubble.author != nil
        caption.text = bubble.caption ?? ""
        caption.isVisible = bubble.caption != nil
        setStyle("first", on: bubble.isFirst)
        setStyle("found", on: bubble.isFound)
        let name = localized("More for this message: \(ChatText.oneLine(shown))")
        more.named(name).tooltip(localized("More for this message"))
        named("\(bubble.message.authorText): \(shown)")
    }

    private func openMenu() {
        let shown = text.text
        menu.open([PopupMenu.Entry(localized("Copy")) { Clipboard.copy(shown) }] + actions())
    }
}
