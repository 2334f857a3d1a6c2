internal import PluginKit

/// Pages of a room, from any place in it.
extension Chat {
    /// Which messages of a room are asked for.
    enum Wanted: Hashable, Sendable {
        case newest
        case before(MessagePlace)
        case after(MessagePlace)
        /// Half of the page at a place and before it, the rest after it.
        case around(MessagePlace)
    }

    /// Messages in the order of the room, and whether there are more at either end.
    struct Page: Hashable, Sendable {
        let messages: [Message]
        let hasOlder: Bool
        let hasNewer: Bool
    }

    /// Reads one page. It costs the same wherever in the room it is.
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
            // A page is empty only where the room is: what it goes on from is a message of it.
            let newer = try await read(
                .newer, from: place, of: room, count - older.messages.count)
            return Page(
                messages: older.messages + newer.messages, hasOlder: older.hasMore,
                hasNewer: newer.hasMore)
        }
    }

    /// Which way a page goes from its place.
    private enum Direction: String {
        case older = "<"
        case olderOrSame = "<="
        case newer = ">"

        var order: String { self == .newer ? "ASC" : "DESC" }
    }

    /// The first places there are, and the last: a page without a place begins beyond them.
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

    /// The messages of a space from a place on, which the index of places gives in their order.
    private static func pageSQL(_ direction: Direction) -> String {
        let order = ["stamp", "creator", "entity"].map { "\($0) \(direction.order)" }
        return """
            SELECT * FROM chat_shown WHERE space = ?
                AND (stamp, creator, entity) \(direction.rawValue) (?, ?, ?)
            ORDER BY \(order.joined(separator: ", ")) LIMIT ?
            """
    }

    // MARK: Answers

    /// Does `chat open`: the newest page, with the divider above what was unread, which is read
    /// from then on.
    func open(_ text: String, count: Int?, marks: Bool) async throws -> JSONValue {
        let room = try await room(named: text)
        // What arrives between these two is shown and stays unread until the next time.
        let reach = try await unreadReach(in: room)
        let divider = try await firstUnread(in: room)
        let page = try await page(.newest, of: room, count: try Self.checked(count))
        if marks { try await mark(reach, in: room) }
        return try await json(page, room, divider: divider)
    }

    /// Answers `chat page`.
    func showPage(_ arguments: Arguments) async throws -> JSONValue {
        let room = try await room(named: arguments.text("room"))
        let page = try await page(
            try Self.wanted(arguments), of: room,
            count: try Self.checked(arguments["limit"]?.integer.map(Int.init(clamping:))))
        return try await json(page, room, divider: try await firstUnread(in: room))
    }

    private static func wanted(_ arguments: Arguments) throws(CommandFault) -> Wanted {
        let given = ["before", "after", "around"].filter(arguments.has)
        guard let field = given.first else { return .newest }
        guard given.count == 1 else {
            throw .usage("A page is before, after or around one place.", field: given[1])
        }
        let place = try MessagePlace(cursor: try arguments.text(field), field: field)
        switch field {
        case "before": return .before(place)
        case "after": return .after(place)
        default: return .around(place)
        }
    }

    /// How many messages are asked for.
    static func checked(_ count: Int?) throws(CommandFault) -> Int {
        guard let count else { return ChatLimits.pageCount }
        guard ChatLimits.pageCounts.contains(count) else {
            throw .usage(
                "A page has \(ChatLimits.pageCounts.lowerBound) to "
                    + "\(ChatLimits.pageCounts.upperBound) messages.", field: "limit")
        }
        return count
    }

    /// The shape of a page in JSON.
    static let pageShape = Shape.object([
        "room": Room.shape, "messages": .list(Message.shape), "before?": .text, "after?": .text,
        "firstUnread?": .text,
    ])

    private func json(_ page: Page, _ room: Room, divider: EntityID?) async throws -> JSONValue {
        let names = try await names(in: [room.space])
        let receipts = try await receipts(in: room)
        return .record([
            "room": room.json(me: context.me),
            "messages": .array(
                page.messages.map {
                    $0.json(me: context.me, name: names.name(of: $0.author, in: room.space),
                        receipts: receipts)
                }),
            "before": page.hasOlder ? page.messages.first.map { .string($0.place.cursor) } : nil,
            "after": page.hasNewer ? page.messages.last.map { .string($0.place.cursor) } : nil,
            "firstUnread": divider.map { .string($0.description) },
        ])
    }
}
