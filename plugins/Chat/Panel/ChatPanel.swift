public import ControlAPI
public import GtkKit

/// The window's part of the chat: a page with the rooms, and in front of it the one that is open.
@MainActor
public final class ChatPanel {
    /// The page.
    public var page: Widget { stack }
    /// What the page is called now, with what is unread.
    public private(set) var title = ChatRooms.none.title
    /// Called when ``title`` has changed.
    public var onTitleChange: @MainActor () -> Void = {}

    private let node: any NodeConnection
    private let stack = Stack()
    private let roomsView = ChatRoomsView()
    private let roomView = ChatRoomView()
    private var rooms = ChatRooms.none
    /// The id of the room that is open, and what is shown of it.
    private var opened: String?
    private var timeline = ChatTimeline()
    /// Work is done one after the other, so that no answer overtakes another.
    private var work: Task<Void, Never>?

    /// Messages that are asked for at a time.
    private static let pageCount = 50

    /// A panel that talks to `node`; it shows nothing before ``refresh()``.
    public init(node: any NodeConnection) {
        self.node = node
        stack.add(roomsView, named: "rooms")
        stack.add(roomView, named: "room")
        stack.show("rooms")
        roomsView.onOpen = { [weak self] in self?.open($0.id) }
        roomsView.onShow = { [weak self] in self?.show($0) }
        roomsView.onSearch = { [weak self] in self?.search($0) }
        roomView.onWish = { [weak self] in self?.fulfil($0) }
        // What came while another page was in front is read when this one is again.
        roomView.onMap { [weak self] in self?.begin { await $0.refresh() } }
    }

    /// Asks for the rooms again, and for what is new in the one that is open.
    public func refresh() async {
        guard let rooms = try? await node.get("chat/rooms", as: ChatRooms.self) else { return }
        self.rooms = rooms
        roomsView.show(rooms.rooms)
        if let opened, timeline.after == nil { await askNewest(opened) }
        guard title != rooms.title else { return }
        title = rooms.title
        onTitleChange()
    }

    /// Asks again what an event says has changed.
    public func receive(_ event: NodeEvent) async {
        switch event.topic {
        case "chat", "mates", "group", "open", "lost": begin { await $0.refresh() }
        default: break
        }
        await work?.value
    }

    /// Puts the keyboard to the search.
    public func find() {
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

    private func open(_ id: String) {
        turn(to: id)
        roomView.focusEntry()
        begin { await $0.askNewest(id) }
    }

    private func turn(to id: String) {
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

    /// A found message, with what stands around it.
    private func show(_ message: ChatMessage) {
        guard let id = message.roomId else { return }
        turn(to: id)
        begin { panel in
            await panel.ask(id, "around", message.cursor) { $0.take(around: $1, found: message.id) }
        }
    }

    /// The newest messages are read by being shown, and only then.
    private func askNewest(_ id: String) async {
        let question = OpenRoom(room: id, limit: Self.pageCount, mark: roomView.isMapped)
        await take(id, { $0.take(newest: $1, isRead: question.mark) }) { node in
            try await node.post("chat/open", question, as: ChatTimeline.Page.self)
        }
    }

    private func ask(
        _ id: String, _ direction: String, _ cursor: String,
        _ takes: (inout ChatTimeline, ChatTimeline.Page) -> Void
    ) async {
        let query = ["room": id, direction: cursor, "limit": String(Self.pageCount)]
        await take(id, takes) { node in
            try await node.get("chat/page", query: query, as: ChatTimeline.Page.self)
        }
    }

    private func take(
        _ id: String, _ takes: (inout ChatTimeline, ChatTimeline.Page) -> Void,
        _ asking: (any NodeConnection) async throws -> ChatTimeline.Page
    ) async {
        do {
            let page = try await asking(node)
            guard opened == id else { return }
            takes(&timeline, page)
            roomView.show(timeline)
        } catch {
            if opened == id { roomView.say(String(describing: error)) }
        }
    }

    // MARK: What the user decides

    private func fulfil(_ wish: ChatRoomView.Wish) {
        guard let id = opened else { return }
        switch wish {
        case .back: close()
        case .older(let cursor):
            begin { await $0.ask(id, "before", cursor) { $0.take(older: $1) } }
        case .newer(let cursor):
            begin { await $0.ask(id, "after", cursor) { $0.take(newer: $1) } }
        case .newest: begin { await $0.askNewest(id) }
        case .send(let text):
            perform(id, "chat/send", SendText(room: id, text: text)) { $0.roomView.clearEntry() }
        case .hide(let message):
            delete(message, forEveryone: false, in: id)
        case .erase(let message):
            delete(message, forEveryone: true, in: id)
        }
    }

    private func delete(_ message: String, forEveryone: Bool, in id: String) {
        let body = DeleteMessage(id: message, forEveryone: forEveryone)
        perform(id, "chat/delete", body) { $0.timeline.remove(message) }
    }

    private func perform(
        _ id: String, _ path: String, _ body: some Encodable & Sendable,
        then done: @escaping @MainActor (ChatPanel) -> Void = { _ in }
    ) {
        begin { panel in
            do {
                try await panel.node.post(path, body)
                panel.roomView.say(nil)
                done(panel)
            } catch {
                panel.roomView.say(String(describing: error))
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
            return roomsView.show(ChatHits?.none)
        }
        begin { panel in
            let found = try? await panel.node.get(
                "chat/search", query: ["text": text], as: ChatHits.self)
            panel.roomsView.show(found ?? ChatHits(messages: [], before: nil))
        }
    }
}

/// The body of "chat open".
private struct OpenRoom: Encodable, Sendable {
    let room: String
    let limit: Int
    let mark: Bool
}

/// The body of "chat send".
private struct SendText: Encodable, Sendable {
    let room: String
    let text: String
}

/// The body of "chat delete".
private struct DeleteMessage: Encodable, Sendable {
    let id: String
    let forEveryone: Bool
}
