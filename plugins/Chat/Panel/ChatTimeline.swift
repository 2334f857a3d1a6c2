import ChatAPI
import Contract

/// The loaded messages of one room. It is a value, so that it can be tested alone.
struct ChatTimeline: Equatable, Sendable {
    private(set) var room: ChatRoom?
    /// The messages in the order of the room, without a gap.
    private(set) var messages: [ChatMessage] = []
    /// The cursor for older messages; nil if there are none.
    private(set) var before: Cursor?
    /// The cursor for newer messages; nil if the newest are shown.
    private(set) var after: Cursor?
    /// The first message that was unread when the room was opened or shown again: the divider is
    /// above it.
    private(set) var divider: RecordKey?
    /// The message that was searched for, which is marked among those around it.
    private(set) var found: RecordKey?
    /// Whether the newest page was marked as read when it was last added.
    private var wasRead = false

    /// One line of the room.
    enum Row: Equatable, Sendable {
        /// "You read up to here."
        case divider
        case message(ChatMessage)
    }

    /// The lines, the oldest first.
    var rows: [Row] {
        messages.flatMap { message -> [Row] in
            (message.id == divider ? [.divider] : []) + [.message(message)]
        }
    }

    /// Adds the newest page. Older messages stay if the two pages overlap; a message that is
    /// missing from the new page was deleted.
    /// - Parameter isRead: whether showing the messages marks them as read. A message that arrives
    ///   while the user is watching needs no divider.
    mutating func add(newest page: ChatPage, isRead: Bool = true) {
        let start = page.messages.first?.cursor.string ?? ""
        let older = messages.filter { $0.cursor.string < start }
        let hangsTogether = after == nil && messages.contains { $0.cursor.string >= start }
        if page.before != nil, hangsTogether, !older.isEmpty {
            messages = older + page.messages
        } else {
            messages = page.messages
            before = page.before
        }
        after = nil
        settle(page, hasDivider: !(isRead && wasRead))
        wasRead = isRead
    }

    /// Adds the page before the first message.
    mutating func add(older page: ChatPage) {
        messages = page.messages + messages
        before = page.before
        settle(page)
    }

    /// Adds the page after the last message.
    mutating func add(newer page: ChatPage) {
        messages += page.messages
        after = page.after
        settle(page)
    }

    /// Shows a page from the middle of the room in place of all other messages.
    mutating func replace(with page: ChatPage, found: RecordKey? = nil) {
        messages = page.messages
        self.found = found
        (before, after) = (page.before, page.after)
        settle(page)
    }

    /// Removes a message that was deleted.
    mutating func remove(_ id: RecordKey) { messages.removeAll { $0.id == id } }

    private mutating func settle(_ page: ChatPage, hasDivider: Bool = true) {
        room = page.room
        guard hasDivider, let unread = page.firstUnread else { return }
        divider = unread
    }
}
