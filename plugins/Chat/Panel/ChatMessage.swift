/// A message as a page of a room, or an answer to a search, tells it.
struct ChatMessage: Decodable, Equatable, Sendable {
    var id: String
    /// What its writer is called; nil where nobody knows.
    var name: String?
    var isMine: Bool
    var text: String
    /// Milliseconds since 1970.
    var atMs: Int64
    /// Its place in the room; such texts stand in the order of the places.
    var cursor: String
    /// How far a message of mine has come.
    var state: String?
    var read: Int?
    var receivers: Int?
    /// The room of a message that was found.
    var room: String?
    var roomId: String?

    /// How far it has come, in words; nil for a message of somebody else.
    var stateText: String? {
        switch state {
        case "queued": "waits for them"
        case "sent": "sent"
        case "delivered": (read ?? 0) > 0 ? "read by \(read ?? 0) of \(receivers ?? 0)" : "delivered"
        case "read": "read"
        default: nil
        }
    }

    /// What is shown instead of a text of which nothing can be shown.
    var shownText: String { text.isEmpty ? "(nothing that can be shown)" : text }
}

/// What "chat search" answers.
struct ChatHits: Decodable, Equatable, Sendable {
    var messages: [ChatMessage]
    /// Goes on where this answer ended.
    var before: String?
}
