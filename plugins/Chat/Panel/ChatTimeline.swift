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
    /// Messages that are shown no longer because the user is deleting them.
    var hidden: Set<RecordKey>
    /// The loaded messages without those that are hidden.
    var shown: [ChatMessage] {
        hidden.isEmpty ? messages : messages.filter { !hidden.contains($0.id) }
    }
    /// The message below the divider: the first unread one that is not hidden.
    var shownDivider: RecordKey? {
        guard let divider, hidden.contains(divider) else { return divider }
        return messages.drop { $0.id != divider }.first { !hidden.contains($0.id) }?.id
    }
    /// Whether the newest page was marked as read when it was last added.
    private var wasRead = false

    /// The most messages that are loaded at once; those at the far end are dropped, and loaded
    /// again when they are scrolled to.
    static let countMax = 200

    /// The number of messages of mine in the whole room that have not left this device.
    private(set) var waitingCount = 0

    /// Creates an empty timeline in which these messages will be hidden.
    init(hidden: Set<RecordKey> = []) {
        self.hidden = hidden
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

    /// Adds the page before the first message, and drops the newest ones if there are too many.
    mutating func add(older page: ChatPage) {
        messages = page.messages + messages
        before = page.before
        if messages.count > Self.countMax {
            messages.removeLast(messages.count - Self.countMax)
            after = messages.last?.cursor
        }
        settle(page)
    }

    /// Adds the page after the last message, and drops the oldest ones if there are too many.
    mutating func add(newer page: ChatPage) {
        messages += page.messages
        after = page.after
        dropOldest()
        settle(page)
    }

    /// Drops the oldest messages if there are too many.
    mutating func dropOldest() {
        guard messages.count > Self.countMax else { return }
        messages.removeFirst(messages.count - Self.countMax)
        before = messages.first?.cursor
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
        waitingCount = page.queued.value
        guard hasDivider, let unread = page.firstUnread else { return }
        divider = unread
    }
}
