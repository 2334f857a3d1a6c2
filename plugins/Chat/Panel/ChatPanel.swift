import ChatAPI
import Contract
import ControlAPI
public import GtkKit
public import PanelKit

/// The window's part of the chat: a page with the rooms, and in front of it the one that is open.
@MainActor
public final class ChatPanel: Panel {
    /// The name of the plugin.
    public static let id = "chat"
    /// The title of the page.
    public static let title = "Chat"
    /// A person who can be talked to.
    public static let icon = "user-available-symbolic"
    /// A mate can be written to.
    public static let accepts: [Offer.Kind: String] = [.person: "Write…"]

    private let context: PanelContext
    private let stack = Stack()
    private let roomsView = ChatRoomsView()
    private let roomView = ChatRoomView()
    private var asked: StaleQueries<ChatQuery>?
    private var rooms = ChatRooms(rooms: [], unread: 0)
    /// The room of each mate.
    private var roomIDs: [Key: Key] = [:]
    /// The id of the room that is open.
    private var opened: Key?
    private var timeline = ChatTimeline()
    /// The current task. Tasks run in order, so that no answer overtakes another.
    private var work: Task<Void, Never>?

    /// Messages in one request.
    private static let pageCount = 50

    /// Creates a panel that shows nothing until the window is connected.
    public init(context: PanelContext) {
        self.context = context
        asked = ChatQuery.queries(opened: { [weak self] in self?.opened }) { [weak self] in
            try await self?.ask($0)
        }
        stack.add(roomsView, named: "rooms")
        stack.add(roomView, named: "room")
        stack.show("rooms")
        roomsView.onOpen = { [weak self] in self?.open($0.id) }
        roomsView.onShow = { [weak self] in self?.show($0) }
        roomsView.onSearch = { [weak self] in self?.search($0) }
        roomView.onWish = { [weak self] in self?.fulfil($0) }
        // Messages that arrived while another page was in front are read when this page is shown
        // again.
        roomView.onMap { [weak self] in self?.asked?.askAgain([.newest]) }
    }

    /// The page.
    public var page: Widget? { stack }
    /// Unread messages of all rooms.
    public var badge: Int { rooms.unread.value }
    /// The queries to the node.
    public var queries: (any PanelQueries)? { asked }
    /// Ctrl+F searches all messages.
    public var shortcuts: [Shortcut] {
        [
            Shortcut(KeyPress(.character("f"), isControl: true), "Search all messages") {
                [weak self] in self?.find()
            }
        ]
    }

    private func ask(_ query: ChatQuery) async throws {
        switch query {
        case .rooms:
            rooms = try await context.node.call(ChatCommands.rooms)
            roomIDs = rooms.roomIDs
            roomsView.show(rooms.rooms)
            context.changed()
        case .newest:
            guard let id = opened, timeline.after == nil else { return }
            begin { await $0.askNewest(id) }
            await work?.value
        }
    }

    /// Whether there is a room with this person.
    public func canAccept(_ offer: Offer) -> Bool { room(for: offer) != nil }

    /// Opens the room with a person.
    public func accept(_ offer: Offer) {
        guard let room = room(for: offer) else { return }
        context.showPage()
        open(room)
    }

    private func room(for offer: Offer) -> Key? {
        guard case .person(let person) = offer else { return nil }
        return roomIDs[person]
    }

    private func find() {
        context.showPage()
        close()
        roomsView.focusSearch()
    }

    private func begin(_ action: @escaping @MainActor (ChatPanel) async -> Void) {
        let before = work
        work = Task { [weak self] in
            await before?.value
            if let self { await action(self) }
        }
    }

    // MARK: Rooms

    private func open(_ id: Key) {
        turn(to: id)
        roomView.focusEntry()
        asked?.askAgain([.newest])
    }

    private func turn(to id: Key) {
        opened = id
        timeline = ChatTimeline()
        roomView.show(timeline)
        roomView.say(nil)
        stack.show("room")
    }

    private func close() {
        opened = nil
        stack.show("rooms")
    }

    /// Shows a found message among the messages around it.
    private func show(_ message: MessageInRoom) {
        let id = message.roomId
        turn(to: id)
        // The page that comes to the front asks for the newest messages. Those around the found one
        // are requested after that, so that they are shown in the end.
        Task { [weak self] in
            await self?.asked?.settle()
            self?.begin { panel in
                await panel.ask(id, around: message.cursor) {
                    $0.replace(with: $1, found: message.id)
                }
            }
        }
    }

    /// Shows the newest messages, and marks them as read only if they are visible.
    private func askNewest(_ id: Key) async {
        let isRead = roomView.isMapped
        await receive(id, { $0.add(newest: $1, isRead: isRead) }) { node in
            let limit = try MessageCount(Self.pageCount)
            return try await node.call(
                ChatCommands.open, OpenRoom(room: NameOrKey(id), limit: limit, mark: isRead))
        }
    }

    /// Requests the page on one side of a cursor, or on both.
    private func ask(
        _ id: Key, before: Cursor? = nil, after: Cursor? = nil, around: Cursor? = nil,
        _ add: (inout ChatTimeline, ChatPage) -> Void
    ) async {
        await receive(id, add) { node in
            let page = ShowPage(
                room: NameOrKey(id), before: before, after: after, around: around,
                limit: try MessageCount(Self.pageCount))
            return try await node.call(ChatCommands.page, page)
        }
    }

    private func receive(
        _ id: Key, _ add: (inout ChatTimeline, ChatPage) -> Void,
        _ asking: (any NodeConnection) async throws -> ChatPage
    ) async {
        do {
            let page = try await asking(context.node)
            guard opened == id else { return }
            add(&timeline, page)
            roomView.show(timeline)
        } catch {
            if opened == id { roomView.say(CommandFault(error).sentence) }
        }
    }

    // MARK: What the user decides

    private func fulfil(_ wish: ChatRoomView.Wish) {
        guard let id = opened else { return }
        switch wish {
        case .back: close()
        case .older(let cursor):
            begin { await $0.ask(id, before: cursor) { $0.add(older: $1) } }
        case .newer(let cursor):
            begin { await $0.ask(id, after: cursor) { $0.add(newer: $1) } }
        case .newest: begin { await $0.askNewest(id) }
        case .send(let text):
            perform(in: id) { node in
                let text = try MessageText(text, field: "text")
                _ = try await node.call(
                    ChatCommands.send, SendMessage(room: NameOrKey(id), text: text))
            } then: {
                $0.roomView.clearEntry()
            }
        case .hide(let message):
            delete(message, forEveryone: false, in: id)
        case .erase(let message):
            delete(message, forEveryone: true, in: id)
        }
    }

    private func delete(_ message: RecordKey, forEveryone: Bool, in id: Key) {
        perform(in: id) { node in
            _ = try await node.call(
                ChatCommands.delete,
                DeleteMessage(id: RecordPrefix(message), forEveryone: forEveryone))
        } then: {
            $0.timeline.remove(message)
        }
    }

    private func perform(
        in id: Key, _ action: @escaping @MainActor (any NodeConnection) async throws -> Void,
        then done: @escaping @MainActor (ChatPanel) -> Void
    ) {
        begin { panel in
            do {
                try await action(panel.context.node)
                panel.roomView.say(nil)
                done(panel)
            } catch {
                panel.roomView.say(CommandFault(error).sentence)
            }
            if panel.timeline.after == nil {
                await panel.askNewest(id)
            } else {
                panel.roomView.show(panel.timeline)
            }
        }
    }

    private func search(_ text: String) {
        guard text.contains(where: { !$0.isWhitespace }) else {
            return roomsView.show(FoundMessages?.none)
        }
        begin { panel in
            let found = try? await panel.context.node.call(
                ChatCommands.search, SearchMessages(text: SearchText(text)))
            panel.roomsView.show(found ?? FoundMessages(messages: []))
        }
    }
}

extension ChatRooms {
    /// The ids of the rooms with one other person in which this user can write, by person.
    var roomIDs: [Key: Key] {
        let pairs = rooms.filter(\.canSend).compactMap { room in
            room.person.map { ($0, room.id) }
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
