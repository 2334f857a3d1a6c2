import ChatAPI
import Contract
import GtkKit

/// The list of rooms, and above it the field that searches all of them.
@MainActor
final class ChatRoomsView: Box {
    /// Called with the room to open.
    var onOpen: @MainActor (ChatRoom) -> Void = { _ in }
    /// Called with a found message to show among the messages around it.
    var onShow: @MainActor (MessageInRoom) -> Void = { _ in }
    /// Called with the text to search for, or with an empty text when the search ends.
    var onSearch: @MainActor (String) -> Void = { _ in }

    private let search = Entry(width: 20, placeholder: "Search").named("Search all messages")
    private let list = Box(.down)
    private let hits = Box(.down)
    private let none = Label("Nothing was found").styled("dim").centred().hidden()
    private let empty: Box
    private var rows: [Key: ChatRoomRow] = [:]
    private var rooms: [Key: ChatRoom] = [:]

    init() {
        empty = Box(
            .down, spacing: 8,
            [
                Icon("user-available-symbolic", pixels: 48),
                Label("Nobody to talk to yet").styled("row-title").centred(),
                Label("When you meet someone and become mates, you can write to each other.")
                    .styled("dim").centred().width(characters: 28),
            ])
        list.role(.list).named("Rooms")
        hits.role(.list).named("Found messages")
        super.init(.down)
        append(search.margin(8))
        append(
            Scroller(Box(.down, [none.margin(12), hits, empty.margin(across: 12, down: 28), list]))
                .expanding(down: true))
        search.onChange { [weak self] in
            guard let self, search.text.isEmpty else { return }
            onSearch("")
        }
        search.onEnter { [weak self] in
            guard let self else { return }
            onSearch(search.text)
        }
    }

    /// Moves the keyboard focus to the search.
    func focusSearch() { search.grabFocus() }

    /// Shows the rooms; rows that stay keep their position and focus.
    func show(_ rooms: [ChatRoom]) {
        self.rooms = Dictionary(rooms.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        rows = rows.filter { self.rooms[$0.key] != nil }
        for room in rooms { row(for: room.id).update(room) }
        list.replaceChildren(with: rooms.compactMap { rows[$0.id] })
        empty.isVisible = rooms.isEmpty
    }

    /// Shows the found messages in place of the rooms; nil shows the rooms again.
    func show(_ found: FoundMessages?) {
        list.isVisible = found == nil
        empty.isVisible = found == nil && rooms.isEmpty
        none.isVisible = found?.messages.isEmpty ?? false
        hits.isVisible = found != nil
        hits.replaceChildren(with: (found?.messages ?? []).map(hit))
    }

    private func row(for id: Key) -> ChatRoomRow {
        if let row = rows[id] { return row }
        let row = ChatRoomRow { [weak self] in self?.rooms[id].map { self?.onOpen($0) } }
        rows[id] = row
        return row
    }

    private func hit(_ message: MessageInRoom) -> Widget {
        let who = message.isMine ? "You" : message.name?.string ?? "Someone"
        let place = "\(who) in \(message.room), \(ChatText.time(message.atMs))"
        let show = Button("Show") { [weak self] in self?.onShow(message) }
        show.named("Show this message of \(who)")
        return Box(
            .across, spacing: 12,
            [
                Box(
                    .down, spacing: 2,
                    [
                        Label(ChatText.oneLine(ChatText.shown(message.text.string)))
                            .width(characters: 28),
                        Label(place).styled("hint").width(characters: 28),
                    ]
                ).expanding(across: true),
                show.aligned(.end, .centre),
            ]
        ).styled("row").role(.listItem)
    }
}
