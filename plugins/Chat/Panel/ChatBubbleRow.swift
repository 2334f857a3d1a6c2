import ChatAPI
import Contract
import GtkKit

/// One message: its photo and its bubble, with the author above and the time and delivery state
/// under a group of bubbles, and a menu that shows while the pointer or the keyboard focus is
/// there. The photo and the menu's button are its only stops of the Tab key; the text can be
/// selected with the pointer.
@MainActor
final class ChatBubbleRow: HoverBox {
    private let author = Label().styled("hint").hidden()
    private let text = Label().selectable().skippedByTab().width(characters: 44).styled("bubble")
    private let caption = Label().styled("hint").hidden()
    private let more = Button(icon: "view-more-symbolic", name: localized("More")).styled(
        "flat", "bubble-menu")
    private let photo: ChatPhotoButton?
    private let actions: @MainActor () -> [PopupMenu.Entry]
    private lazy var menu = PopupMenu(over: more)

    /// Creates a row for a message.
    /// - Parameters:
    ///   - onPhoto: opens its photo, if it has one.
    ///   - actions: the entries of its menu.
    init(
        _ bubble: ChatBubble, onPhoto: @escaping @MainActor () -> Void,
        actions: @escaping @MainActor () -> [PopupMenu.Entry]
    ) {
        self.actions = actions
        let isMine = bubble.message.isMine
        let side = isMine ? Alignment.end : .start
        photo = bubble.message.photo.map { _ in
            ChatPhotoButton(bubble.message, onOpen: onPhoto)
        }
        let content: Widget =
            if let photo {
                Box(.down, spacing: 4, [photo.aligned(side), text.aligned(side)])
            } else {
                text
            }
        let button = more.aligned(.centre, .centre)
        let line = Box(.across, spacing: 2, isMine ? [button, content] : [content, button])
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
        let message = bubble.message
        text.text = message.shownText ?? ""
        text.isVisible = message.shownText != nil
        author.text = bubble.author ?? ""
        author.isVisible = bubble.author != nil
        caption.text = bubble.caption ?? ""
        caption.isVisible = bubble.caption != nil
        setStyle("first", on: bubble.isFirst)
        setStyle("found", on: bubble.isFound)
        let name = localized("More for this message: \(message.line)")
        more.named(name).tooltip(localized("More for this message"))
        named("\(message.authorText): \(message.spokenText)")
    }

    /// Shows the thumbnail of its photo.
    func show(_ thumbnail: Picture) { photo?.picture = thumbnail }

    private func openMenu() {
        let shown = text.text
        let copy = PopupMenu.Entry(localized("Copy")) { Clipboard.copy(shown) }
        menu.open((shown.isEmpty ? [] : [copy]) + actions())
    }
}
