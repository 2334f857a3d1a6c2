internal import PluginKit

/// Finding messages by what they say.
extension Chat {
    /// Answers `chat search`: messages of all rooms, or of one, that hold every word of a question,
    /// the newest first.
    func search(_ arguments: Arguments) async throws -> JSONValue {
        let question = try ChatLimits.question.check(arguments.text("text"), field: "text")
        let count = try Self.checked(arguments["limit"]?.integer.map(Int.init(clamping:)))
        var place = Int64.max
        if let before = arguments["before"]?.string {
            guard let number = Int64(before) else {
                throw CommandFault.usage(
                    "'before' is what an answer to a search gave.", field: "before")
            }
            place = number
        }
        var space: Int64?
        if let name = arguments["room"]?.string { space = try await room(named: name).space }
        let rows = try await context.replica.rows(
            Self.foundSQL,
            [
                .text(question), .integer(place), space.map { .integer($0) } ?? .null,
                .integer(Int64(count) + 1),
            ])
        return try await json(Array(rows.prefix(count)), hasMore: rows.count > count)
    }

    /// The index numbers messages by their time, so its own order is the newest first.
    private static let foundSQL = """
        SELECT f.id AS place, s.descriptor AS descriptor, m.*
        FROM chat_message_search
        JOIN chat_message_found f ON f.id = chat_message_search.rowid
        JOIN chat_shown m ON m.space = f.space AND m.entity = f.entity
        JOIN waggle_space s ON s.space = f.space
        WHERE chat_message_search MATCH waggle_terms(?1) AND chat_message_search.rowid < ?2
            AND (?3 IS NULL OR f.space = ?3)
            AND (s.kind <> 'pair' OR s.person NOT IN (SELECT person FROM host_blocked))
        ORDER BY chat_message_search.rowid DESC LIMIT ?4
        """

    /// The shape of an answer to a search in JSON.
    static let searchShape = Shape.object([
        "messages": .list(
            .object([
                "id": .text, "room": .text, "roomId": .text, "from": .text, "name?": .text,
                "isMine": .boolean, "text": .text, "atMs": .integer, "cursor": .text,
            ])),
        "before?": .text,
    ])

    private func json(_ rows: [Row], hasMore: Bool) async throws -> JSONValue {
        var rooms: [SpaceDescriptor: (Room, [PersonID: String])] = [:]
        var messages: [JSONValue] = []
        for row in rows {
            guard let message = Message(row), let space = row.descriptor("descriptor") else {
                continue
            }
            if rooms[space] == nil, let room = try await room(space.id) {
                rooms[space] = (room, try await names(in: room))
            }
            guard let (room, names) = rooms[space] else { continue }
            messages.append(
                .record([
                    "id": .string(message.id.description), "room": .string(room.title),
                    "roomId": .string(room.id.description),
                    "from": .string(message.author.description),
                    "name": names[message.author].map { .string($0) },
                    "isMine": .boolean(message.author == context.me),
                    "text": .string(message.text), "atMs": .integer(message.place.milliseconds),
                    "cursor": .string(message.place.cursor),
                ]))
        }
        let last = rows.last?.integer("place")
        return .record([
            "messages": .array(messages),
            "before": hasMore ? last.map { .string(String($0)) } : nil,
        ])
    }
}
