internal import ChatAPI
internal import PluginKit

/// The bounds of the chat.
enum ChatLimits {
    /// The text of a message. It is limited in characters as a person counts them, and in bytes by
    /// the field of its record.
    static let text = MessageText.rule
    /// The text of a message with a photo and no words: a version without photos shows it.
    static let photoText = "📷"
    /// The pixels of either side of a photo.
    static let photoSides = 1...Int64(PhotoLimits.chatSizeMax.width)
    /// Thumbnails in one answer.
    static let thumbnailsCountMax = MessageCount.max
    /// The title of a room, as it is shown.
    static let title = TextRule(characters: 1...RoomTitle.max)
    /// Messages on a page, unless the request has another number.
    static let pageCount = 50
    /// Messages in one answer to a follower.
    static let followedCountMax = MessageCount.max
    /// Unread messages that are counted; a larger number is reported as this one.
    static let unreadCountMax = 1000
    /// Messages since the node's start that a follower can still request.
    static let arrivalsCountMax = 1000
    /// The number of logs that one batch marks as read. Each needs up to 130 bytes of a batch's 64
    /// KiB.
    static let markedLogsMax = 256
    /// Messages that one read looks up.
    static let askedCountMax = 100
}
