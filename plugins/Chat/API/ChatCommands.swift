public import Contract

/// The commands of the chat.
public enum ChatCommands {
    /// Lists rooms.
    public static let rooms = Command<NoParameters, ChatRooms>(
        .query, "chat", "rooms", help: "Lists chat rooms, the most recent first.")
    /// Shows the newest page of a room.
    public static let open = Command<OpenRoom, ChatPage>(
        .action, "chat", "open",
        help: "Shows the newest messages of a room and marks them as read.",
        topics: [
            .example(
                .people, command: "waggle chat open Ann",
                effect: "opens the room of your mate Ann"),
            .example(
                .people, command: "waggle chat open 3fa2c1",
                effect: "opens the room of the mate whose key begins with 3fa2c1"),
        ])
    /// Shows any page of a room.
    public static let page = Command<ShowPage, ChatPage>(
        .query, "chat", "page", help: "Shows a page of a room; unread messages stay unread.")
    /// Writes a message.
    public static let send = Command<SendMessage, ChatMessage>(
        .action, "chat", "send", help: "Writes a message to a room, or sends a photo.",
        topics: [
            .example(
                .people, command: "waggle chat send Ann --photo pond.jpg",
                effect: "sends Ann a photo, without its metadata")
        ])
    /// Shows or saves a photo.
    public static let photo = Command<ShowPhoto, PhotoContent>(
        .action, "chat", "photo",
        help: "Shows which file has the photo of a message, or saves a copy of it.")
    /// Returns the thumbnails of messages.
    public static let thumbnails = Command<ListThumbnails, MessageThumbnails>(
        .query, "chat", "thumbnails",
        help: "Returns the thumbnails of messages with photos, for programs.")
    /// Deletes a message.
    public static let delete = Command<DeleteMessage, Done>(
        .action, "chat", "delete",
        help: "Deletes a message for yourself, or one of your own for everyone.")
    /// Finds messages.
    public static let search = Command<SearchMessages, FoundMessages>(
        .query, "chat", "search",
        help: "Finds messages with all these words or parts of words, the newest first.")
    /// Shows messages when they arrive.
    public static let follow = Command<FollowMessages, NewMessages>(
        .query, "chat", "follow", help: "Shows messages as they arrive, from one room or all.",
        follows: [ChatEvents.changed.declaration], isEndless: true)
}

/// The events of the chat.
public enum ChatEvents {
    /// A room changed.
    public static let changed = Event<ChatChange>(
        "chat", help: "A room changed: its messages, or the state of one.")
}

/// The body of ``ChatEvents/changed``: the shown part of a room must be queried again.
public struct ChatChange: EventBody {
    /// The id of the room that has changed; nil if any may have.
    public var room: Key?

    /// Names the room.
    public init(room: Key? = nil) { self.room = room }
}
