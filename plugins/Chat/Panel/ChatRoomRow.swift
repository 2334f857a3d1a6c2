import ChatAPI
import Contract
import GtkKit

/// One room in the list: its title, its last message and its unread messages.
@MainActor
final class ChatRoomRow: Box {
    private let title = Label().styled("row-title").width(characters: 24)
    private let last = Label().styled("dim").width(characters: 30)
    private let time = Label().styled("hint").onOneLine()
    private let unread = Label().styled("present").onOneLine()
    private let open: Button

    /// Creates a row; `onOpen` opens the room.
    init(onOpen: @escaping @MainActor () -> Void) {
        open = Button("Open", onOpen)
        super.init(.across, spacing: 12)
        styled("row").role(.listItem)
        append(
            Box(
                .down, spacing: 2, [title, last, Box(.across, spacing: 8, [time, unread])]
            ).expanding(across: true))
        append(open.aligned(.end, .centre))
    }

    /// Shows the room.
    func update(_ room: ChatRoom) {
        title.text = room.title.string
        last.text = room.lastLine
        time.text = room.lastMs.map(ChatText.time) ?? ""
        unread.text = room.unread == 0 ? "" : "\(room.unread) unread"
        open.named("Open the chat with \(room.title)")
        named(room.spoken)
    }
}
