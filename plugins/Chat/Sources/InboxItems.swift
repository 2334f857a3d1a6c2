internal import PluginKit

/// Rooms with something unread, in the inbox.
extension Chat {
    /// Puts rooms with unread messages into the inbox, each once, and takes those without out of
    /// it. The inbox says nothing of what was written, so that what its author deletes stands
    /// nowhere.
    /// - Parameter changes: what came just now; a room that was dealt with there comes back only
    ///   with news.
    func settleInbox(of rooms: [Room], after changes: [RecordChange] = []) async throws {
        let references = try await context.core.inboxReferences(ofKind: Self.topic)
        let dealtWith = rooms.filter { $0.unreadCount > 0 && references[$0.reference] == true }
        let news = try await news(of: changes, in: dealtWith)
        for room in rooms {
            let isHandled = references[room.reference]
            if room.unreadCount > 0 {
                if isHandled == nil || news.contains(room.space) { try await post(room) }
            } else if isHandled == false {
                try await context.core.settleInbox(reference: room.reference)
            }
        }
    }

    private func post(_ room: Room) async throws {
        try await context.core.postToInbox(
            InboxItem(
                kind: Self.topic, reference: room.reference, title: "New messages",
                body: "\(room.title): somebody wrote to you.", actions: [], from: room.person))
    }

    /// Which of these rooms hold a message of somebody else that changed and is shown: a deleted
    /// one has changed too. A rebuild tells of all there are, so they are asked for by the hundred,
    /// and no more of a room once one is found.
    private func news(of changes: [RecordChange], in rooms: [Room]) async throws -> Set<Int64> {
        let spaces = Dictionary(
            rooms.map { ($0.descriptor, $0.space) }, uniquingKeysWith: { first, _ in first })
        var (asked, found): ([(space: Int64, entity: EntityID)], Set<Int64>) = ([], [])
        for change in changes
        where change.collection == Self.message.name && change.author != context.me {
            guard let space = spaces[change.space], !found.contains(space) else { continue }
            asked.append((space, change.entity))
            if asked.count == ChatLimits.askedCountMax {
                found.formUnion(try await shown(asked))
                asked = []
            }
        }
        return asked.isEmpty ? found : found.union(try await shown(asked))
    }

    /// The spaces of those of some messages that are shown.
    private func shown(
        _ messages: [(space: Int64, entity: EntityID)]
    ) async throws -> Set<Int64> {
        let rows = try await context.replica.rows(
            """
            WITH asked (space, entity) AS (
                VALUES \(messages.map { _ in "(?, ?)" }.joined(separator: ", ")))
            SELECT DISTINCT m.space AS space FROM asked a
            CROSS JOIN chat_shown m ON m.space = a.space AND m.entity = a.entity
            """,
            messages.flatMap { [.integer($0.space), .bytes($0.entity.bytes)] })
        return Set(rows.compactMap { $0.integer("space") })
    }
}

extension Room {
    /// By what the inbox knows it.
    fileprivate var reference: String { "chat-\(id)" }
}
