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
        SELECT f.id AS place, s.descriptor AS descriptor, s.person AS other, m.*
        FROM chat_message_search
        JOIN chat_message_found f ON f.id = chat_message_search.rowid
        JOIN chat_shown m ON m.space = f.space AND m.entity = f.entity
        JOIN waggle_space s ON s.space = f.space
        WHERE chat_message_search MATCH waggle_terms(?1) AND chat_message_search.rowid < ?2
            AND (?3 IS NULL OR f.space = ?3)
            AND CASE s.kind WHEN 'pair' THEN s.person NOT IN (SELECT person FROM host_blocked)
                ELSE s.space IN (SELECT space FROM host_group) END
        ORDER BY chat_message_search.rowid DESC LIMIT ?4
        """

    /// The shape of an answer to a search in JSON.
    static let searchShape = Shape.object([
        "messages": .list(PlacedMessage.shape), "before?": .text,
    ])

    private func json(_ rows: [Row], hasMore: Bool) async throws -> JSONValue {
        let messages = rows.compactMap(PlacedMessage.init)
        let names = try await names(in: Set(messages.map(\.space)))
        let last = rows.last?.integer("place")
        return .record([
            "messages": .array(messages.map { $0.json(me: context.me, names) }),
            "before": hasMore ? last.map { .string(String($0)) } : nil,
        ])
    }
}
