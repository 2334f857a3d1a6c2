internal import ChatAPI
internal import PluginKit

/// A message as this replica holds it.
struct Message: Hashable, Sendable {
    let place: MessagePlace
    /// The text, cut to its limits; empty if no part of it can be shown, or if the message is a
    /// photo without words.
    let text: String
    let photo: MessagePhoto?
    /// The log, and the number in it, of the batch that brought the message to this replica.
    let log: Int64
    let number: Int64

    var id: EntityID { place.entity }
    var author: PersonID { place.author }

    /// Reads a row of `chat_shown`; nil if the row is not a message.
    init?(_ row: Row) {
        guard let place = MessagePlace(row), let log = row.integer("log"),
            let number = row.integer("number"),
            let text = row.text("text")
        else { return nil }
        self.place = place
        photo = MessagePhoto(row)
        let isPhotoAlone = photo != nil && text == ChatLimits.photoText
        self.text = isPhotoAlone ? "" : ChatLimits.text.clip(text) ?? ""
        self.log = log
        self.number = number
    }

    /// The message on one line, for a notice.
    var summary: Sentence {
        guard photo != nil else { return Sentence(verbatim: text) }
        return text.isEmpty ? "Photo" : "Photo: \(text)"
    }

    /// Returns the message as a page shows it.
    /// - Parameter receipts: the receipts for my own messages in the room.
    func answer(to me: PersonID, name: String?, receipts: Receipts?) -> ChatMessage {
        let receipts = author == me ? receipts : nil
        return ChatMessage(
            id: RecordKey(id), from: Key(author), name: name, isMine: author == me, text: text,
            photo: photo?.sides, atMs: place.time, cursor: Cursor(computed: place.cursor),
            state: receipts?.state(log: log, number: number),
            delivered: receipts?.deliveredCount(log: log, number: number),
            read: receipts?.readCount(log: log, number: number),
            receivers: receipts?.receivers.count)
    }
}
