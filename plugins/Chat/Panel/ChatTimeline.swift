/// The messages of one room as far as they were asked for: a value, so that every course can be
/// looked at alone.
struct ChatTimeline: Equatable, Sendable {
    private(set) var room: ChatRoom?
    /// In the order of the room, without a gap.
    private(set) var messages: [ChatMessage] = []
    /// Where older ones are asked for; nil where there are none.
    private(set) var before: String?
    /// Where newer ones are asked for; nil where the newest are shown.
    private(set) var after: String?
    /// The first message that was not read when the room was opened, or looked at again: the
    /// divider stands above it.
    private(set) var divider: String?
    /// The message that was searched for and is marked among those around it.
    private(set) var found: String?
    /// Whether the newest page was read when it was taken last.
    private var wasRead = false

    /// A page as "chat open" and "chat page" answer it.
    struct Page: Decodable, Equatable, Sendable {
        var room: ChatRoom
        var messages: [ChatMessage]
        var before: String?
        var after: String?
        var firstUnread: String?
    }

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

    /// Takes the newest page. What was shown before it stays where the two hang together; what is
    /// not in it any more was deleted.
    /// - Parameter isRead: whether the messages are read by being shown. What comes while somebody
    ///   looks on needs no divider.
    mutating func take(newest page: Page, isRead: Bool = true) {
        let start = page.messages.first?.cursor ?? ""
        let older = messages.filter { $0.cursor < start }
        let hangsTogether = after == nil && messages.contains { $0.cursor >= start }
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

    /// Takes the page before the first message.
    mutating func take(older page: Page) {
        messages = page.messages + messages
        before = page.before
        settle(page)
    }

    /// Takes the page after the last message.
    mutating func take(newer page: Page) {
        messages += page.messages
        after = page.after
        settle(page)
    }

    /// Takes a page from the middle of the room, in place of all that is shown.
    mutating func take(around page: Page, found: String? = nil) {
        messages = page.messages
        self.found = found
        (before, after) = (page.before, page.after)
        settle(page)
    }

    /// Takes out a message that was deleted.
    mutating func remove(_ id: String) { messages.removeAll { $0.id == id } }

    private mutating func settle(_ page: Page, hasDivider: Bool = true) {
        room = page.room
        guard hasDivider, let unread = page.firstUnread else { return }
        divider = unread
    }
}
