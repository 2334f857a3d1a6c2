/// A room as "chat rooms" tells it.
struct ChatRoom: Decodable, Equatable, Sendable {
    var id: String
    var title: String
    /// Whether something can be sent, and if not, why.
    var canSend: Bool
    var reason: String?
    var unread: Int
    var lastMs: Int64?
    var lastText: String?
    var lastIsMine: Bool?

    /// What was said last, on one line.
    var lastLine: String {
        guard let lastText else { return "Nothing was said yet" }
        return (lastIsMine == true ? "You: " : "") + ChatText.oneLine(lastText)
    }

    /// What a screen reader says of the room.
    var spoken: String {
        unread == 0 ? title : "\(title), \(unread) unread"
    }
}

/// What "chat rooms" answers.
struct ChatRooms: Decodable, Equatable, Sendable {
    var rooms: [ChatRoom]
    /// Unread messages of all rooms.
    var unread: Int

    static let none = ChatRooms(rooms: [], unread: 0)

    /// What the page is called.
    var title: String { unread == 0 ? "Chat" : "Chat (\(unread))" }
}
