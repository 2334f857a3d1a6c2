internal import ChatAPI
internal import PluginKit

/// A message together with its room, for answers over several rooms.
struct PlacedMessage: Sendable {
    let message: Message
    let space: Int64
    let room: SpaceID
    /// The other person of a pair, or nil.
    let mate: PersonID?

    /// Reads a row of `chat_shown` with `descriptor` and `other` of its space; nil if it is not
    /// such a row.
    init?(_ row: Row) {
        guard let message = Message(row), let space = row.integer("space"),
            let descriptor = row.descriptor("descriptor")
        else { return nil }
        self.message = message
        self.space = space
        room = descriptor.id
        mate = descriptor.kind == .pair ? row.person("other") : nil
    }

    /// Returns the message as an answer shows it.
    func answer(to me: PersonID, _ names: RoomNames) -> MessageInRoom {
        MessageInRoom(
            room: names.title(of: space, with: mate), roomId: Key(room),
            id: RecordKey(message.id), from: Key(message.author),
            name: names.name(of: message.author, in: space), isMine: message.author == me,
            text: message.text, photo: message.photo?.sides, atMs: message.place.time,
            cursor: Cursor(computed: message.place.cursor))
    }
}
