import ChatAPI
import Contract
import GtkKit

/// One message: its author, text, time and delivery state, and the buttons to delete it.
@MainActor
final class ChatMessageRow: Box {
    private let name = Label().styled("row-title").width(characters: 16)
    private let text = Label().selectable().width(characters: 34)
    private let detail = Label().styled("hint").width(characters: 24)
    private let choice: Box

    /// Creates a row for a message; the two actions delete it for me, and for everybody.
    init(
        _ message: ChatMessage, onHide: @escaping @MainActor () -> Void,
        onErase: @escaping @MainActor () -> Void
    ) {
        choice = Box(.across, spacing: 6, [Button("Delete for me", onHide)])
        super.init(.down, spacing: 2)
        styled("row").role(.listItem)
        setStyle("mine", on: message.isMine)
        if message.isMine { choice.append(Button("Delete for everyone", onErase).destructive()) }
        let delete = Button(
            icon: "edit-delete-symbolic",
            name: "Delete this message: \(ChatText.oneLine(ChatText.shown(message.text.string)))")
        delete.onClick { [weak choice] in choice?.isVisible.toggle() }
        append(
            Box(.across, spacing: 8, [name, detail.expanding(across: true), delete.styled("flat")]))
        append(text)
        append(choice.hidden().stayingInSight())
        update(message)
    }

    /// Shows the message in its current state.
    func update(_ message: ChatMessage) {
        name.text = message.isMine ? "You" : message.name?.string ?? "Someone"
        text.text = ChatText.shown(message.text.string)
        detail.text = [ChatText.time(message.atMs), message.stateText]
            .compactMap { $0 }.joined(separator: " · ")
        named("\(name.text): \(ChatText.shown(message.text.string))")
    }
}
