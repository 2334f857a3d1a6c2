internal import PluginKit

/// Rooms with unread messages, in the inbox.
extension Chat {
    /// The kind of these inbox items.
    static let inboxKind: InboxKind = "chat"

    /// Adds an inbox item for each room with unread messages, and settles the items of the other
    /// rooms. An item has no text of a message, so a deleted message leaves no copy there.
    /// - Parameter changes: the latest changes; the item of a handled room comes back only if they
    ///   bring a new message to it.
    func settleInbox(of rooms: [Room], after changes: [RecordChange] = []) async throws {
        let references = try await context.core.inboxReferences(
            ofKind: Self.inboxKind, among: Set(rooms.map(\.reference)))
        let unread = rooms.filter { $0.unreadCount > 0 }
        let read = rooms.filter { $0.unreadCount == 0 }
        let news = try await news(of: changes, in: unread)
        for room in unread {
            let isHandled = references[room.reference]
            let isNew = isHandled == nil || news.contains(room.space)
            if isNew, isHandled != false { try await post(room) }
            if isNew { try await notify(of: room, as: room.subject) }
        }
        let isOpen = { (room: Room) in references[room.reference] == false }
        try await context.core.updateInbox(
            ofKind: Self.inboxKind, isTrue: Set(unread.map(\.reference)),
            isOver: Set(read.filter(isOpen).map(\.reference)))
    }

    private func post(_ room: Room) async throws {
        let name = room.titleInSentence
        let title: Sentence =
            room.person == nil ? "New messages in \(name)" : "New messages from \(name)"
        try await context.core.postToInbox(
            InboxItem(
                kind: Self.inboxKind, reference: room.reference, title: title,
                body: "", actions: [], from: room.person))
    }

    /// Returns those of the given rooms to which a message of another person was added that is
    /// shown; a deleted message is also a change. A rebuild reports all messages, so they are
    /// looked up in batches of ``ChatLimits/askedCountMax``, and a room is skipped once one is
    /// found.
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

    /// Returns the spaces of the given messages that are shown.
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
    /// The title for a sentence; words if no name of the mate is known.
    var titleInSentence: Sentence {
        title == person?.suffix ? "a mate without a name" : Sentence(verbatim: title)
    }

    /// The key of the room's item in the inbox.
    var reference: String { "chat-\(id)" }

    /// The room's item in the inbox.
    fileprivate var subject: InboxSubject { InboxSubject(Chat.inboxKind, reference) }
}
