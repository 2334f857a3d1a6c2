public import Contract

/// The delivery progress of a message of mine. A state that a newer node adds is read as
/// ``unknown``.
public enum MessageState: String, OpenChoice {
    /// It is only on this device.
    case queued
    /// It has left this device: another device holds it, or a receiver is linked right now.
    case sent
    /// A device of every receiver has stored it on disk.
    case delivered
    /// Every receiver has read it.
    case read
    case unknown
}

/// A message on a page of its room. Its state and counts are present if I wrote it.
public struct ChatMessage: Codable, Hashable, Sendable {
    /// The id.
    public var id: RecordKey
    /// The author.
    public var from: Key
    /// The author's name, if it is known.
    public var name: AuthorName?
    /// Whether I wrote it.
    public var isMine: Bool
    /// The text, cut to its limits; empty if no part of it can be shown, and for a photo without
    /// words.
    public var text: MessageText.Shown
    /// The size of its photo, if it has one; see `chat photo`.
    public var photo: PhotoSides?
    /// The time by the author's clock.
    public var atMs: Timestamp
    /// The position in the room, for `chat page`. Cursors sort in the order of the room.
    public var cursor: Cursor
    /// The delivery progress.
    public var state: MessageState?
    /// The number of receivers who have it.
    public var delivered: Count?
    /// The number of receivers who have read it.
    public var read: Count?
    /// The number of receivers.
    public var receivers: Count?

    /// Creates the value.
    public init(
        id: RecordKey, from: Key, name: String? = nil, isMine: Bool, text: String,
        photo: PhotoSides? = nil, atMs: Timestamp, cursor: Cursor,
        state: MessageState? = nil, delivered: Int? = nil, read: Int? = nil,
        receivers: Int? = nil
    ) {
        self.id = id
        self.from = from
        self.name = name.map(AuthorName.init(clipping:))
        self.isMine = isMine
        self.text = MessageText.Shown(clipping: text)
        self.photo = photo
        self.atMs = atMs
        self.cursor = cursor
        self.state = state
        self.delivered = delivered.map { Count(clamping: $0) }
        self.read = read.map { Count(clamping: $0) }
        self.receivers = receivers.map { Count(clamping: $0) }
    }
}

/// A message together with its room, for answers over several rooms.
public struct MessageInRoom: Codable, Hashable, Sendable {
    /// The title of the room.
    public var room: RoomTitle
    /// The id of the room.
    public var roomId: Key
    /// The id.
    public var id: RecordKey
    /// The author.
    public var from: Key
    /// The author's name, if it is known.
    public var name: AuthorName?
    /// Whether I wrote it.
    public var isMine: Bool
    /// The text, cut to its limits; empty if no part of it can be shown, and for a photo without
    /// words.
    public var text: MessageText.Shown
    /// The size of its photo, if it has one; see `chat photo`.
    public var photo: PhotoSides?
    /// The time by the author's clock.
    public var atMs: Timestamp
    /// The position in the room, for `chat page`.
    public var cursor: Cursor

    /// Creates the value.
    public init(
        room: String, roomId: Key, id: RecordKey, from: Key, name: String? = nil, isMine: Bool,
        text: String, photo: PhotoSides? = nil, atMs: Timestamp, cursor: Cursor
    ) {
        self.room = RoomTitle(clipping: room)
        self.roomId = roomId
        self.id = id
        self.from = from
        self.name = name.map(AuthorName.init(clipping:))
        self.isMine = isMine
        self.text = MessageText.Shown(clipping: text)
        self.photo = photo
        self.atMs = atMs
        self.cursor = cursor
    }
}

/// The answer of `chat thumbnails`.
public struct MessageThumbnails: Codable, Hashable, Sendable {
    /// The thumbnail of one message.
    public struct Thumbnail: Codable, Hashable, Sendable {
        /// The message.
        public var id: RecordKey
        /// A JPEG of 100 × 100 pixels, the middle of the photo.
        public var jpeg: ThumbnailDigits

        /// Creates the value.
        public init(id: RecordKey, jpeg: ThumbnailDigits) {
            self.id = id
            self.jpeg = jpeg
        }
    }

    /// Those of the messages that have a photo, in no order.
    public var thumbnails: [Thumbnail]

    /// Creates the value.
    public init(thumbnails: [Thumbnail]) { self.thumbnails = thumbnails }
}

/// The answer of `chat search`.
public struct FoundMessages: Codable, Hashable, Sendable {
    /// The newest first.
    public var messages: [MessageInRoom]
    /// The cursor for older ones, if there are any.
    public var before: Cursor?

    /// Creates the value.
    public init(messages: [MessageInRoom], before: Cursor? = nil) {
        self.messages = messages
        self.before = before
    }
}

/// The answer of `chat follow`.
public struct NewMessages: Codable, Hashable, Sendable {
    /// The messages that arrived, in order of arrival.
    public var messages: [MessageInRoom]
    /// The cursor at which the next request continues.
    public var after: Cursor

    /// Creates the value.
    public init(messages: [MessageInRoom], after: Cursor) {
        self.messages = messages
        self.after = after
    }
}
