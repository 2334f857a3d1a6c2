internal import ChatAPI
internal import PluginKit

/// Following new messages.
extension Chat {
    /// Answers `chat follow`: the messages that arrived after a cursor, in order of arrival, from
    /// one room or from all.
    func follow(_ request: FollowMessages) async throws -> NewMessages {
        var wanted: SpaceDescriptor?
        if let name = request.room { wanted = try await room(named: name).descriptor }
        let (news, next) = arrivals.after(
            request.after?.string, limit: ChatLimits.followedCountMax)
        let messages = try await messages(news.filter { wanted == nil || $0.space == wanted })
        let names = try await names(in: Set(messages.map(\.space)))
        return NewMessages(
            messages: messages.map { $0.answer(to: context.me, names) },
            after: Cursor(computed: next))
    }

    /// Returns the messages that arrived, in that order, without those that are no longer shown.
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
