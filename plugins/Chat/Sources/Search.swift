internal import ChatAPI
internal import PluginKit

/// Full-text search of messages.
extension Chat {
    /// Answers `chat search`: messages from all rooms, or from one, that contain every word of the
    /// query, the newest first.
    func search(_ request: SearchMessages) async throws -> FoundMessages {
        let count = Self.count(request.limit)
        var place = Int64.max
        if let before = request.before {
            guard let number = Int64(before.string) else {
                throw CommandFault.notFound("'before' must be the cursor of an earlier search.")
            }
            place = number
        }
        var space: Int64?
        if let name = request.room { space = try await room(named: name).space }
        let rows = try await context.replica.rows(
            Self.foundSQL,
            [
                .text(request.text.string), .integer(place),
                space.map { .integer($0) } ?? .null, .integer(Int64(count) + 1),
            ])
        return try await answer(Array(rows.prefix(count)), hasMore: rows.count > count)
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

    private func answer(_ rows: [Row], hasMore: Bool) async throws -> FoundMessages {
        let messages = rows.compactMap(PlacedMessage.init)
        let names = try await names(in: Set(messages.map(\.space)))
        let last = rows.last?.integer("place")
        return FoundMessages(
            messages: messages.map { $0.answer(to: context.me, names) },
            before: hasMore ? last.map { Cursor(computed: String($0)) } : nil)
    }
}
