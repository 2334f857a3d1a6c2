internal import PluginKit

/// Following what comes.
extension Chat {
    /// Answers `chat follow`: the messages that came after a cursor, in the order in which they
    /// came, of one room or of all.
    func follow(_ name: String?, after cursor: String?) async throws -> JSONValue {
        var wanted: SpaceDescriptor?
        if let name { wanted = try await room(named: name).descriptor }
        let (news, next) = arrivals.after(cursor, limit: ChatLimits.pageCounts.upperBound)
        let messages = try await messages(news.filter { wanted == nil || $0.space == wanted })
        let names = try await names(in: Set(messages.map(\.space)))
        return [
            "messages": .array(messages.map { $0.json(me: context.me, names) }),
            "after": .string(next),
        ]
    }

    /// The messages that arrived, in that order; those that are not shown any more are left out.
    private func messages(_ arrivals: [Arrivals.Arrival]) async throws -> [PlacedMessage] {
        guard !arrivals.isEmpty else { return [] }
        let rows = try await context.replica.rows(
            """
            WITH arrival (place, id, entity) AS (
                VALUES \(arrivals.indices.map { "(\($0), ?, ?)" }.joined(separator: ", ")))
            SELECT m.*, s.descriptor AS descriptor, s.person AS other
            FROM arrival a CROSS JOIN waggle_space s ON s.id = a.id
            CROSS JOIN chat_shown m ON m.space = s.space AND m.entity = a.entity
            WHERE s.kind = 'pair' OR s.space IN (SELECT space FROM host_group)
            ORDER BY a.place
            """,
            arrivals.flatMap { [.bytes($0.space.id.bytes), .bytes($0.entity.bytes)] })
        return rows.compactMap(PlacedMessage.init)
    }
}
