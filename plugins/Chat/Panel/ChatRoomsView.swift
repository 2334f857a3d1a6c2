import ChatAPI
import Contract
import GtkKit

/// The list of rooms, and above it the line that searches all of them.
@MainActor
final class ChatRoomsView: Box {
    /// Called with the room to open.
    var onOpen: @MainActor (ChatRoom) -> Void = { _ in }
    /// Called with a found message to show among the messages around it.
    var onShow: @MainActor (MessageInRoom) -> Void = { _ in }
    /// Called with the text to search for, or with an empty text when the search ends.
    var onSearch: @MainActor (String) -> Void = { _ in }

    private let search = SearchEntry(placeholder: localized("Search all chats")).named(
        localized("Search all messages"))
    private let titles = Box(.down)
    private lazy var list = makeList()
    private let hitList = Box(.down)
    private lazy var hits = makeHits()
    private var messages: [RecordKey: MessageInRoom] = [:]
    private var chosenHit: RecordKey?
    private let none = Label(localized("Nothing found")).styled("dim").centred().hidden()
    private let empty: Box
    private var rooms: [Key: ChatRoom] = [:]
    private var opened: Key?
    private var chosen: Key?
    private var now = Timestamp.min
    private var hasHits = false

    init() {
        empty = Box(
            .down, spacing: 8,
            [
                Icon("user-available-symbolic", pixels: 48),
                Label(localized("No chats yet")).styled("heading").centred(),
                Label(localized("Become mates with someone you meet, and write to each other."))
                    .styled("dim").centred().width(characters: 28),
            ])
        titles.role(.list).named(localized("Chats"))
        hitList.role(.list).named(localized("Found messages"))
        super.init(.down)
        styled("chat-rooms")
        append(search.margin(8))
        append(
            Scroller(Box(.down, [none.margin(12), hits, empty.margin(across: 12, down: 28), list]))
                .expanding(across: true, down: true))
        search.onSearch { [weak self] in
            guard let self else { return }
            onSearch(search.text)
        }
        search.onStop { [weak self] in _ = self?.endSearch() }
    }

    /// Moves the keyboard focus to the search.
    func focusSearch() { search.grabFocus() }

    /// Shows the rooms in place of the found messages.
    /// - Returns: false if nothing was searched for.
    func endSearch() -> Bool {
        guard !search.text.isEmpty else { return false }
        search.text = ""
        return true
    }

    /// Moves the keyboard focus to the room that was open last.
    func focusRoom() { if let opened { list.focus(opened) } }

    /// Marks the room that is open; nil marks none.
    func mark(_ id: Key?) {
        if let id { opened = id }
        chosen = id
        list.show(list.ids)
    }

    /// Shows the rooms; rows that stay keep their position and focus.
    func show(_ rooms: [ChatRoom], opened: Key?, now: Timestamp) {
        self.rooms = Dictionary(
            rooms.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.now = now
        list.show(rooms.map(\.id))
        mark(opened)
        empty.isVisible = rooms.isEmpty && !hasHits
    }

    /// Shows the times as they are now.
    func update(now: Timestamp) {
        self.now = now
        list.show(list.ids)
    }

    /// Shows the found messages in place of the rooms; nil shows the rooms again.
    func show(_ found: FoundMessages?, now: Timestamp) {
        hasHits = found != nil
        self.now = now
        chosenHit = nil
        list.isVisible = !hasHits
        empty.isVisible = !hasHits && rooms.isEmpty
        none.isVisible = found?.messages.isEmpty ?? false
        hits.isVisible = hasHits
        messages = Dictionary(
            (found?.messages ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        hits.show((found?.messages ?? []).map(\.id))
    }

    private func makeHits() -> VirtualList<RecordKey, ChatHitRow> {
        VirtualList(hitList, place: hitList.replaceChildren) { [weak self] id in
            ChatHitRow {
                guard let self, let message = self.messages[id] else { return }
                self.chosenHit = id
                self.hits.show(self.hits.ids)
                self.onShow(message)
            }
        } show: { [weak self] row, id in
            guard let self, let message = messages[id] else { return }
            row.show(message, now: now)
            row.isChosen = id == chosenHit
        }
    }

    private func makeList() -> VirtualList<Key, ChatRoomRow> {
        VirtualList(titles, place: titles.replaceChildren) { [weak self] id in
            ChatRoomRow(key: self?.rooms[id]?.avatarKey ?? id.string) {
                guard let self, let room = self.rooms[id] else { return }
                self.onOpen(room)
            }
        } show: { [weak self] row, id in
            guard let self, let room = rooms[id] else { return }
            row.update(room, now: now)
            row.isChosen = id == chosen
        }
    }
}
