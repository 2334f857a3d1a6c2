internal import PluginKit

/// A message together with the room it stands in, for answers over several rooms.
struct PlacedMessage: Sendable {
    let message: Message
    let space: Int64
    let room: SpaceID
    /// The other person of a pair, or nil.
    let mate: PersonID?

    /// Reads a row of `chat_shown` with `descriptor` and `other` of its space; nil where it is no
    /// such row.
    init?(_ row: Row) {
        guard let message = Message(row), let space = row.integer("space"),
            let descriptor = row.descriptor("descriptor")
        else { return nil }
        self.message = message
        self.space = space
        room = descriptor.id
        mate = descriptor.kind == .pair ? row.person("other") : nil
    }

    /// The shape of such a message in JSON.
    static let shape = Shape.object([
        "room": .text, "roomId": .text, "id": .text, "from": .text, "name?": .text,
        "isMine": .boolean, "text": .text, "atMs": .integer, "cursor": .text,
    ])

    /// The message as JSON.
    func json(me: PersonID, _ names: RoomNames) -> JSONValue {
        .record([
            "room": .string(names.title(of: space, with: mate)),
            "roomId": .string(room.description), "id": .string(message.id.description),
            "from": .string(message.author.description),
            "name": names.name(of: message.author, in: space).map { .string($0) },
            "isMine": .boolean(message.author == me), "text": .string(message.text),
            "atMs": .integer(message.place.milliseconds),
            "cursor": .string(message.place.cursor),
        ])
    }
}
