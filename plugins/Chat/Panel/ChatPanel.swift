import ChatAPI
import Contract
import ControlAPI
import FeaturesAPI
public import GtkKit
public import PanelKit

/// The window's part of the chat: a page with the rooms, and beside them or in front of them the
/// one that is open.
@MainActor
public final class ChatPanel: Panel {
    /// The name of the plugin.
    public static let id = "chat"
    /// The title of the page.
    public static let title = localized("Chat")
    /// A person who can be talked to.
    public static let icon = "user-available-symbolic"
    /// A mate can be written to, and a group.
    public static let accepts: [Offer.Kind: String] = [
        .person: localized("Message"), .group: localized("Open its chat"),
        .room: localized("Open the chat"),
    ]
    /// Over the whole width.
    public static let layout = PanelLayout.wide

    let context: PanelContext
    private let split: ChatSplitView
    private let roomsView = ChatRoomsView()
    private let roomView: ChatRoomView
    private let hidden: HiddenMessages
    private let search: ChatSearch
    private let thumbnails: ChatThumbnails
    private let photos: ChatPhotos
    private let viewer: PhotoViewer
    private var asked: StaleQueries<ChatQuery>?
    private(set) var rooms = ChatRooms(rooms: [], unread: 0)
    /// The room of each mate.
    private(set) var roomIDs: [Key: Key] = [:]
    /// The id of the room that is open.
    private var opened: Key?
    private var timeline = ChatTimeline()
    /// Texts that were typed in rooms and not sent.
    private var drafts: [Key: String] = [:]
    /// Whether a found message is being loaded, and not the newest ones.
    private var isFinding = false
    /// The day that the texts show as today.
    private var today: ChatDay?
    /// The current task. Tasks run in order, so that no answer overtakes another.
    private var work: Task<Void, Never>?

    /// Messages in a request for more rows, and in one for the newest, which overlaps the last one.
    private static let (pageCount, newestCount) = (15, 50)

    /// Creates a panel that shows nothing until the window is connected.
    public init(context: PanelContext) {
        self.context = context
        thumbnails = ChatThumbnails(context)
        photos = ChatPhotos(context)
        viewer = PhotoViewer(context)
        roomView = ChatRoomView(thumbnails: thumbnails) { context.actions(for: .person($0)) }
        split = ChatSplitView(rooms: roomsView, room: roomView)
        hidden = HiddenMessages(context)
        search = ChatSearch(context, in: roomsView, without: hidden)
        asked = ChatQuery.queries(opened: { [weak self] in self?.opened }) { [weak self] in
            try await self?.ask($0)
        }
        roomsView.onOpen = { [weak self] in self?.open($0.id) }
        roomsView.onShow = { [weak self] in self?.show($0) }
        roomsView.onSearch = { [weak self] in self?.search.search($0) }
        hidden.onChange = { [weak self] in self?.showHidden() }
        roomView.onWish = { [weak self] in self?.fulfil($0) }
        split.onSplit = { [weak self] in self?.divided() }
        // Messages that arrived while another page was in front are read when this page is shown
        // again.
        roomView.onMap { [weak self] in self?.asked?.askAgain([.newest]) }
    }

    /// The page.
    public var page: Widget? { split }
    /// Unread messages of all rooms.
    public var badge: Int { rooms.unread.value }
    /// The queries to the node.
    public var queries: (any PanelQueries)? { asked }
    /// Ctrl+F searches all messages.
    public var shortcuts: [Shortcut] {
        [
            Shortcut(KeyPress(.character("f"), isControl: true), localized("Search all messages")) {
                [weak self] in self?.find()
            }
        ]
    }

    /// Queries the rooms again: that of a promise which is over may be listed no longer.
    public func didShow() { asked?.askAgain([.rooms]) }

    private var now: Timestamp { context.clock.nodeTime }

    private func ask(_ query: ChatQuery) async throws {
        switch query {
        case .rooms:
            rooms = try await context.node.call(ChatCommands.rooms)
            roomIDs = rooms.roomIDs
            roomsView.show(rooms.rooms, opened: opened, now: now)
            context.changed()
        case .newest:
            viewer.loadAgain()
            guard let id = opened, timeline.after == nil, !isFinding else { return }
            begin { await $0.askNewest(id) }
            await work?.value
        }
    }

    /// Shows presence, and once a day what the days are called.
    public func update() {
        roomView.update(context.people, now: now)
        let day = ChatDay(now)
        guard day != today else { return }
        today = day
        roomsView.update(now: now)
        roomView.updateDays(now: now)
    }

    /// Leaves the open room of a narrow page, else the search.
    public func back() -> Bool {
        guard opened != nil, !split.isSplit else { return roomsView.endSearch() }
        close()
        return true
    }

    private func find() {
        context.showPage()
        if !split.isSplit { close() }
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

    /// Opens a room.
    func open(_ id: Key) {
        turn(to: id)
        roomView.focusEntry()
        asked?.askAgain([.newest])
    }

    private func turn(to id: Key) {
        keepDraft()
        opened = id
        isFinding = false
        timeline = ChatTimeline(hidden: hidden.ids)
        thumbnails.beginRoom(id)
        roomView.beginRoom()
        showPhotos(id)
        roomView.draft = drafts[id] ?? ""
        if let room = rooms[id] {
            roomView.announce(room, context.people, now: now)
        }
        split.show(isOpen: true)
        roomsView.mark(id)
    }

    private func close() {
        keepDraft()
        opened = nil
        split.show(isOpen: false)
        roomsView.focusRoom()
        roomsView.mark(nil)
    }

    private func keepDraft() {
        guard let opened else { return }
        drafts[opened] = roomView.draft.isEmpty ? nil : roomView.draft
    }

    private func divided() { roomView.hasBack = !split.isSplit }

    /// Shows a found message among the messages around it.
    private func show(_ message: MessageInRoom) {
        let id = message.roomId
        turn(to: id)
        isFinding = true
        begin { panel in
            await panel.ask(id, around: message.cursor) { $0.replace(with: $1, found: message.id) }
            guard panel.opened == id else { return }
            panel.isFinding = false
            if panel.timeline.after == nil { await panel.askNewest(id) }
        }
    }

    /// Shows the newest messages of a room, or those around the first unread one if it was just
    /// opened and that one is further up. The messages are marked as read only if they are visible
    /// and the newest ones are among them.
    private func askNewest(_ id: Key) async {
        let isFirst = timeline.room == nil
        let unread = rooms[id]?.unread.value ?? 0
        let isFar = isFirst && unread > Self.pageCount
        let isRead = roomView.isMapped && !isFar
        var first: Cursor?
        await receive(id, isShown: !isFirst) { timeline, page in
            timeline.add(newest: page, isRead: isRead)
            let isLoaded = page.messages.contains { $0.id == page.firstUnread }
            first = isFirst && !isLoaded ? page.firstUnreadCursor : nil
            if roomView.isAtEnd { timeline.dropOldest() }
        } asking: { node in
            let limit = try MessageCount(isFirst ? Self.pageCount : Self.newestCount)
            return try await node.call(
                ChatCommands.open, OpenRoom(room: NameOrKey(id), limit: limit, mark: isRead))
        }
        guard isFirst, opened == id, timeline.room != nil else { return }
        if let first {
            await ask(id, around: first) { $0.replace(with: $1) }
        } else if isFar {
            await askNewest(id)
        } else {
            showRoom()
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
        _ id: Key, isShown: Bool = true, _ add: (inout ChatTimeline, ChatPage) -> Void,
        asking: (any NodeConnection) async throws -> ChatPage
    ) async {
        guard opened == id else { return }
        do {
            let page = try await asking(context.node)
            guard opened == id else { return }
            add(&timeline, page)
            if isShown { showRoom() }
        } catch {
            if opened == id { roomView.say(CommandFault(error).shown()) }
        }
    }

    private func showRoom() { roomView.show(timeline, context.people, now: now) }

    /// Shows the room and the found messages without those that are hidden now.
    private func showHidden() {
        search.searchAgain()
        timeline.hidden = hidden.ids
        guard timeline.room != nil else { return }
        showRoom()
        // The message or its menu had the focus.
        if roomView.isMapped { roomView.focusEntry() }
    }

    // MARK: What the user decides

    private func fulfil(_ wish: ChatRoomView.Wish) {
        guard let id = opened else { return }
        switch wish {
        case .back: close()
        case .map: toggleMap()
        case .older(let cursor):
            begin { panel in
                // Scrolling asks again until the answer is here.
                guard panel.timeline.before == cursor else { return }
                await panel.ask(id, before: cursor) { $0.add(older: $1) }
            }
        case .newer(let cursor):
            begin { panel in
                guard panel.timeline.after == cursor else { return }
                await panel.ask(id, after: cursor) { $0.add(newer: $1) }
                if panel.timeline.after == nil { await panel.askNewest(id) }
            }
        case .newest: begin { await $0.goToNewest(id) }
        case .send(let text): send(text, in: id)
        case .choosePhotos: photos.choose { [weak self] in self?.send($0, in: id) }
        case .sendPhotos(let picks): send(picks, in: id)
        case .photo(let id):
            if let message = timeline.messages.first(where: { $0.id == id }) {
                viewer.open(
                    message.viewedPhoto { [context] in
                        try await context.node.call(ChatCommands.photo, $0)
                    }, over: split.size)
            }
        case .hide(let message): hidden.hide(message)
        case .erase(let message): askToErase(message, in: id)
        }
    }

    private func goToNewest(_ id: Key) async {
        if timeline.after != nil { await askNewest(id) }
        if opened == id { roomView.goToEnd() }
    }

    /// Shows the map with the other person of the room, or hides it.
    private func toggleMap() {
        guard !context.map.isMapped else { return context.showMap(false) }
        context.showMap(true)
        if let person = timeline.room?.person { context.map.select(id: person.string) }
    }

    /// Sends a text. If that fails, the text is back in the text field.
    private func send(_ text: String, in id: Key) {
        perform(in: id) { node in
            let text = try MessageText(text, field: "text")
            _ = try await node.call(
                ChatCommands.send, SendMessage(room: NameOrKey(id), text: text))
        } then: {
            await $0.goToNewest(id)
        } otherwise: {
            $0.restore(text, in: id)
        }
    }

    /// Sends pictures, each in a message of its own, in their order.
    private func send(_ picks: [ChatPhotoPick], in id: Key) {
        let chosen = photos.begin(picks, in: id)
        showPhotos(id)
        for pick in chosen {
            begin { panel in
                await panel.photos.send(pick, in: id)
                panel.showPhotos(id)
                await panel.askNewest(id)
                if panel.opened == id { panel.roomView.goToEnd() }
            }
        }
    }

    /// Shows how far the sending of photos to the open room is.
    private func showPhotos(_ id: Key) {
        guard opened == id else { return }
        roomView.show(progress: photos.progress(in: id))
        roomView.say(photos.faults(in: id))
    }

    private func restore(_ text: String, in id: Key) {
        let typed = opened == id ? roomView.draft : drafts[id] ?? ""
        let all = typed.isEmpty ? text : "\(text)\n\(typed)"
        if opened == id { roomView.draft = all } else { drafts[id] = all }
    }

    private func askToErase(_ message: RecordKey, in id: Key) {
        guard let line = timeline.messages.first(where: { $0.id == message })?.line else { return }
        context.confirm(
            localized("Delete for everyone?"),
            localized(
                "“\(line)” is removed from every device. Someone may have read it already."),
            button: localized("Delete for everyone")
        ) { [weak self] in self?.erase(message, in: id) }
    }

    private func erase(_ message: RecordKey, in id: Key) {
        perform(in: id) { node in
            _ = try await node.call(
                ChatCommands.delete, DeleteMessage(id: RecordPrefix(message), forEveryone: true))
        } then: {
            $0.search.searchAgain()
            guard $0.opened == id else { return }
            $0.timeline.remove(message)
            $0.showRoom()
            // The message had the focus.
            $0.roomView.focusEntry()
        }
    }

    private func perform(
        in id: Key, _ action: @escaping @MainActor (any NodeConnection) async throws -> Void,
        then done: @escaping @MainActor (ChatPanel) async -> Void,
        otherwise failed: @escaping @MainActor (ChatPanel) -> Void = { _ in }
    ) {
        begin { panel in
            do {
                try await action(panel.context.node)
                if panel.opened == id { panel.roomView.say(nil) }
                if panel.timeline.after == nil { await panel.askNewest(id) }
                await done(panel)
            } catch {
                if panel.opened == id { panel.roomView.say(CommandFault(error).shown()) }
                failed(panel)
            }
        }
    }
}
