public import Contract

/// The text of a message.
public typealias MessageText = Lines<1, 2000>
/// The words that a search looks for.
public typealias SearchText = Text<1, 100>
/// The number of messages that an answer may have.
public typealias MessageCount = Whole<1, 100>

private let roomHelp = "A mate's name or key, or a group's title; six digits of a key are enough."
private let oneRoomHelp = "One room; all by default."
private let limitHelp = "The number of messages, 1 to 100; 50 by default."

/// The request of `chat open`.
public struct OpenRoom: CommandRequest {
    /// The room: the key of its mate, or its own id.
    public var room: NameOrKey
    /// The most messages; 50 without it.
    public var limit: MessageCount?
    /// Whether the messages are marked as read; they are unless this is false.
    public var mark: Bool?

    /// Opens a room.
    public init(room: NameOrKey, limit: MessageCount? = nil, mark: Bool? = nil) {
        self.room = room
        self.limit = limit
        self.mark = mark
    }

    /// The help of each property.
    public static let help = [
        "room": roomHelp, "limit": limitHelp,
        "mark": "Whether to mark them as read; yes by default.",
    ]
    /// The properties that are given by position.
    public static let positional = ["room"]
}

/// The request of `chat page`. It names at most one of the three cursors; without one, the page is
/// the newest.
public struct ShowPage: CommandRequest {
    /// The room: the key of its mate, or its own id.
    public var room: NameOrKey
    /// Shows messages before this one.
    public var before: Cursor?
    /// Shows messages after this one.
    public var after: Cursor?
    /// Shows this message, and messages on both sides of it.
    public var around: Cursor?
    /// The most messages; 50 without it.
    public var limit: MessageCount?

    /// Requests a page.
    public init(
        room: NameOrKey, before: Cursor? = nil, after: Cursor? = nil, around: Cursor? = nil,
        limit: MessageCount? = nil
    ) {
        self.room = room
        self.before = before
        self.after = after
        self.around = around
        self.limit = limit
    }

    /// The help of each property.
    public static let help = [
        "room": roomHelp, "limit": limitHelp,
        "before": "Messages before this cursor of a page.",
        "after": "Messages after this cursor of a page.",
        "around": "The message at this cursor, and messages on both sides of it.",
    ]
    /// The properties that are given by position.
    public static let positional = ["room"]
}

/// The request of `chat send`.
public struct SendMessage: CommandRequest {
    /// The room: the key of its mate, or its own id.
    public var room: NameOrKey
    /// The text; nil for a photo without words.
    public var text: MessageText?
    /// The file of a picture to send.
    public var photo: FilePath?

    /// Writes a text to a room, a photo, or a photo with words.
    public init(room: NameOrKey, text: MessageText? = nil, photo: FilePath? = nil) {
        self.room = room
        self.text = text
        self.photo = photo
    }

    /// The help of each property.
    public static let help = [
        "room": roomHelp, "text": "1 to 2000 characters; may be left out with a photo.",
        "photo": "A JPEG or PNG picture to send. Its metadata, such as where it was taken, is not "
            + "sent.",
    ]
    /// The properties that are given by position.
    public static let positional = ["room", "text"]
    /// The room, and a text or a photo.
    public static let memberCountMin = 2
}

/// The request of `chat photo`.
public struct ShowPhoto: CommandRequest {
    /// The message's id; its first six digits are enough.
    public var id: RecordPrefix
    /// A path at which there is no file yet, to which the photo is copied.
    public var save: FilePath?

    /// Names a message.
    public init(id: RecordPrefix, save: FilePath? = nil) {
        self.id = id
        self.save = save
    }

    /// The help of each property.
    public static let help = [
        "id": "The message's id; six digits are enough.",
        "save": "The file to create with the photo.",
    ]
    /// The properties that are given by position.
    public static let positional = ["id"]
}

/// The request of `chat thumbnails`.
public struct ListThumbnails: CommandRequest {
    /// The room: the key of its mate, or its own id.
    public var room: NameOrKey
    /// At most 100 messages of the room.
    public var ids: [RecordKey]

    /// Names messages of a room.
    public init(room: NameOrKey, ids: [RecordKey]) {
        self.room = room
        self.ids = ids
    }

    /// The help of each property.
    public static let help = ["room": roomHelp, "ids": "At most 100 messages of the room."]
    /// The properties that are given by position.
    public static let positional = ["room", "ids"]
}

/// The request of `chat delete`.
public struct DeleteMessage: CommandRequest {
    /// The message's id; its first six digits are enough.
    public var id: RecordPrefix
    /// Whether it is deleted for everybody; only its author can do that.
    public var forEveryone: Bool?

    /// Names a message.
    public init(id: RecordPrefix, forEveryone: Bool? = nil) {
        self.id = id
        self.forEveryone = forEveryone
    }

    /// The help of each property.
    public static let help = [
        "id": "The message's id; six digits are enough.",
        "forEveryone": "Whether to delete it for everyone.",
    ]
    /// The properties that are given by position.
    public static let positional = ["id"]
}

/// The request of `chat search`.
public struct SearchMessages: CommandRequest {
    /// Words or parts of words; a message is found if it has all of them.
    public var text: SearchText
    /// One room; nil for all.
    public var room: NameOrKey?
    /// The `before` of the answer that this request continues.
    public var before: Cursor?
    /// The most messages; 50 without it.
    public var limit: MessageCount?

    /// Looks for words.
    public init(
        text: SearchText, room: NameOrKey? = nil, before: Cursor? = nil,
        limit: MessageCount? = nil
    ) {
        self.text = text
        self.room = room
        self.before = before
        self.limit = limit
    }

    /// The help of each property.
    public static let help = [
        "text": "1 to 100 characters.", "room": oneRoomHelp,
        "before": "The cursor of an earlier answer.", "limit": limitHelp,
    ]
    /// The properties that are given by position.
    public static let positional = ["text"]
}

/// The request of `chat follow`.
public struct FollowMessages: CommandRequest {
    /// One room; nil for all.
    public var room: NameOrKey?
    /// The `after` of the answer that this request continues; without it, following begins now.
    public var after: Cursor?

    /// Follows messages.
    public init(room: NameOrKey? = nil, after: Cursor? = nil) {
        self.room = room
        self.after = after
    }

    /// The help of each property.
    public static let help = ["room": oneRoomHelp, "after": "The cursor of an earlier answer."]
    /// The properties that are given by position.
    public static let positional = ["room"]
}
