internal import ChatAPI
internal import PluginKit

/// Pages of a room, from any position in it.
extension Chat {
    /// The part of a room that a request names.
    enum Wanted: Hashable, Sendable {
        case newest
        case before(MessagePlace)
        case after(MessagePlace)
        /// Half of the page at a position and before it, the rest after it.
        case around(MessagePlace)
    }

    /// Messages in the order of the room, and whether there are more at either end.
    struct Page: Hashable, Sendable {
        let messages: [Message]
        let hasOlder: Bool
        let hasNewer: Bool
    }

    /// Reads one page. The cost does not depend on the position in the room.
    func page(_ wanted: Wanted, of room: Room, count: Int) async throws -> Page {
        switch wanted {
        case .newest:
            let older = try await read(.older, from: nil, of: room, count)
            return Page(messages: older.messages, hasOlder: older.hasMore, hasNewer: false)
        case .before(let place):
            let older = try await read(.older, from: place, of: room, count)
            return Page(messages: older.messages, hasOlder: older.hasMore, hasNewer: true)
        case .after(let place):
            let newer = try await read(.newer, from: place, of: room, count)
            return Page(messages: newer.messages, hasOlder: true, hasNewer: newer.hasMore)
        case .around(let place):
            let older = try await read(.olderOrSame, from: place, of: room, (count + 1) / 2)
            // A page is empty only if the room is, so it has a message from which to continue.
            let newer = try await read(
                .newer, from: place, of: room, count - older.messages.count)
            return Page(
                messages: older.messages + newer.messages, hasOlder: older.hasMore,
                hasNewer: newer.hasMore)
        }
    }

    /// The direction of a page from its position.
    private enum Direction: String {
        case older = "<"
        case olderOrSame = "<="
        case newer = ">"

        var order: String { self == .newer ? "ASC" : "DESC" }
    }

    /// The positions beyond the last message and before the first: a page without a position begins
    /// there.
    private static let beyond: [Value] = [
        .integer(.max), .bytes([]), .bytes([]),
    ]

    private func read(
        _ direction: Direction, from place: MessagePlace?, of room: Room, _ count: Int
    ) async throws -> (messages: [Message], hasMore: Bool) {
        let rows = try await context.replica.rows(
            Self.pageSQL(direction),
            [.integer(room.space)] + (place?.arguments ?? Self.beyond)
                + [.integer(Int64(count) + 1)])
        let messages = rows.prefix(count).compactMap(Message.init)
        return (direction == .newer ? messages : messages.reversed(), rows.count > count)
    }

    /// Returns the statement that reads a space from a position, in the order of the position
    /// index.
    private static func pageSQL(_ direction: Direction) -> String {
        let order = ["stamp", "creator", "entity"].map { "\($0) \(direction.order)" }
        return """
            SELECT * FROM chat_shown WHERE space = ?
                AND (stamp, creator, entity) \(direction.rawValue) (?, ?, ?)
            ORDER BY \(order.joined(separator: ", ")) LIMIT ?
            """
    }

    // MARK: Answers

    /// Performs `chat open`: shows the newest page, with the divider above the unread messages, and
    /// marks them as read.
    func open(_ request: OpenRoom) async throws -> ChatPage {
        let room = try await room(named: request.room)
        // A message that arrives between these two is shown and stays unread until the next time.
        let reach = try await unreadReach(in: room)
        let divider = try await firstUnread(in: room)
        let page = try await page(.newest, of: room, count: Self.count(request.limit))
        if request.mark ?? true { try await mark(reach, in: room) }
        return try await answer(page, room, divider: divider)
    }

    /// Answers `chat page`.
    func showPage(_ request: ShowPage) async throws -> ChatPage {
        let wanted = try Wanted(request)
        let room = try await room(named: request.room)
        let page = try await page(wanted, of: room, count: Self.count(request.limit))
        return try await answer(page, room, divider: try await firstUnread(in: room))
    }

    /// Returns the most messages that an answer may have.
    static func count(_ limit: MessageCount?) -> Int { limit?.value ?? ChatLimits.pageCount }

    private func answer(
        _ page: Page, _ room: Room, divider: MessagePlace?
    ) async throws -> ChatPage {
        let names = try await names(in: [room.space])
        let receipts = try await receipts(in: room)
        let messages = page.messages.map {
            $0.answer(
                to: context.me, name: names.name(of: $0.author, in: room.space),
                receipts: receipts)
        }
        return ChatPage(
            room: room.answer(to: context.me), messages: messages,
            before: page.hasOlder ? messages.first?.cursor : nil,
            after: page.hasNewer ? messages.last?.cursor : nil,
            firstUnread: divider.map { RecordKey($0.entity) },
            firstUnreadCursor: divider.map { Cursor(computed: $0.cursor) },
            queued: try await queuedCount(in: room, receipts))
    }
}

extension Chat.Wanted {
    /// Reads the part of the room that a request names.
    /// - Throws: ``CommandFault/refused(_:)`` if there are several cursors,
    ///   ``CommandFault/notFound(_:)`` if the cursor is not from a page.
    fileprivate init(_ request: ShowPage) throws(CommandFault) {
        switch (request.before?.string, request.after?.string, request.around?.string) {
        case (nil, nil, nil): self = .newest
        case (let cursor?, nil, nil):
            self = .before(try MessagePlace(cursor: cursor, field: "before"))
        case (nil, let cursor?, nil):
            self = .after(try MessagePlace(cursor: cursor, field: "after"))
        case (nil, nil, let cursor?):
            self = .around(try MessagePlace(cursor: cursor, field: "around"))
        default: throw .refused("A page is before, after or around one cursor.")
        }
    }
}
