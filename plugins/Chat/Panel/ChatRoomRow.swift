import ChatAPI
import Contract
import GtkKit

/// One room in the list: its title, its last message and its unread messages. It opens the room.
@MainActor
final class ChatRoomRow: RowButton {
    private let avatar: Avatar
    private let title = Label().styled("row-title").shortened()
    private let last = Label().styled("dim").shortened()
    private let time = Label().styled("hint").onOneLine()
    private let unread = Label().styled("badge", "waiting").centred().onOneLine()
    private var shown: (room: ChatRoom, time: String)?

    /// Creates a row for a room; `onOpen` opens it.
    /// - Parameter key: the text that decides the colour of its avatar.
    init(key: String, onOpen: @escaping @MainActor () -> Void) {
        avatar = Avatar(key: key)
        let first = Box(
            .across, spacing: 8, [title.expanding(across: true), time.aligned(.end, .centre)])
        let second = Box(
            .across, spacing: 8, [last.expanding(across: true), unread.aligned(.end, .centre)])
        let texts = Box(.down, spacing: 2, [first, second]).expanding(across: true)
        super.init(Box(.across, spacing: 10, [avatar, texts.aligned(.fill, .centre)]), onOpen)
    }

    /// Shows the room.
    func update(_ room: ChatRoom, now: Timestamp) {
        let text = room.lastMs.map { ChatText.brief($0, now: now) } ?? ""
        guard shown?.room != room || shown?.time != text else { return }
        shown = (room, text)
        avatar.show(name: room.title.string)
        title.text = room.title.string
        last.text = room.lastLine
        time.text = text
        let count = room.unread.value
        unread.text = Badge(count: count).text
        unread.isVisible = count > 0
        named(localized("Open the chat with \(room.title)"))
        let unreadText = count == 0 ? "" : localized("\(NumberText.grouped(count)) unread. ")
        described(unreadText + room.lastLine)
    }
}
