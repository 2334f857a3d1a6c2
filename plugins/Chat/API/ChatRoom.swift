public import Contract

/// The title of a room: the name of the mate, or the title of the group.
public typealias RoomTitle = ShownText<40>
/// The name of an author: a mate's name, or the name that the author uses in the group, which has
/// at most as many characters as a ``RoomTitle``, with a ``KeySuffix`` after it.
public typealias AuthorName = ShownText<49>
/// The id of a plugin.
public typealias FeatureName = ShownText<64>

/// The answer of `chat rooms`.
public struct ChatRooms: Codable, Hashable, Sendable {
    /// The room with the newest message first.
    public var rooms: [ChatRoom]
    /// Unread messages of all rooms.
    public var unread: Count

    /// Creates the value.
    public init(rooms: [ChatRoom], unread: Int) {
        self.rooms = rooms
        self.unread = Count(clamping: unread)
    }
}

/// A room: the chat of two mates, or of the people in a group.
public struct ChatRoom: Codable, Hashable, Sendable {
    /// The people of a room. A kind that a newer node adds is read as ``unknown``.
    public enum Kind: String, OpenChoice {
        case pair, group, unknown
    }

    /// The id.
    public var id: Key
    /// Whether it belongs to two people or to a group.
    public var kind: Kind
    /// The name of the mate or of the group.
    public var title: RoomTitle
    /// The other person, in a room of two.
    public var person: Key?
    /// The id of the plugin that owns the group.
    public var feature: FeatureName?
    /// Whether it is there because of a match: the person is not a mate.
    public var studyMatch: Bool
    /// Whether it is there because one of the two wrote about a post of the other.
    public var aboutPost: Bool
    /// Whether I may write in it.
    public var canSend: Bool
    /// A sentence that says why I may not.
    public var reason: ShownSentence?
    /// Messages of others that I have not read, at most 1000.
    public var unread: Count
    /// The time of the last message.
    public var lastMs: Timestamp?
    /// The text of the last message.
    public var lastText: MessageText.Shown?
    /// The size of the photo of the last message, if it has one.
    public var lastPhoto: PhotoSides?
    /// Whether I wrote the last message.
    public var lastIsMine: Bool?

    /// Creates the value.
    public init(
        id: Key, kind: Kind, title: String, person: Key? = nil, feature: String? = nil,
        isMatch: Bool = false, isAboutPost: Bool = false, canSend: Bool, reason: Sentence? = nil,
        unread: Int,
        lastMs: Timestamp? = nil,
        lastText: String? = nil, lastPhoto: PhotoSides? = nil,
        lastIsMine: Bool? = nil
    ) {
        self.id = id
        self.kind = kind
        self.title = RoomTitle(clipping: title)
        self.person = person
        self.feature = feature.map(FeatureName.init(clipping:))
        studyMatch = isMatch
        aboutPost = isAboutPost
        self.canSend = canSend
        self.reason = reason.map(ShownSentence.init(_:))
        self.unread = Count(clamping: unread)
        self.lastMs = lastMs
        self.lastText = lastText.map(MessageText.Shown.init(clipping:))
        self.lastPhoto = lastPhoto
        self.lastIsMine = lastIsMine
    }
}

extension ChatRoom: DetailMembers {
    /// Members that the title and the last message tell too.
    public static let detailMembers = [
        "canSend", "lastIsMine", "person", "feature", "reason", "studyMatch",
        "aboutPost",
    ]
}

/// The answer of `chat open` and `chat page`.
public struct ChatPage: Codable, Hashable, Sendable {
    /// The room.
    public var room: ChatRoom
    /// Messages in the order of the room, the oldest first.
    public var messages: [ChatMessage]
    /// The cursor for older messages, if there are any.
    public var before: Cursor?
    /// The cursor for newer messages, if there are any.
    public var after: Cursor?
    /// The first message of the room that I have not read.
    public var firstUnread: RecordKey?
    /// The cursor of that message, for `chat page`: it may be on an older page.
    public var firstUnreadCursor: Cursor?
    /// All messages of mine in the room that are ``MessageState/queued``, at most 1000.
    public var queued: Count

    /// Creates the value.
    public init(
        room: ChatRoom, messages: [ChatMessage], before: Cursor? = nil, after: Cursor? = nil,
        firstUnread: RecordKey? = nil, firstUnreadCursor: Cursor? = nil, queued: Int = 0
    ) {
        self.room = room
        self.messages = messages
        self.before = before
        self.after = after
        self.firstUnread = firstUnread
        self.firstUnreadCursor = firstUnreadCursor
        self.queued = Count(clamping: queued)
    }
}
