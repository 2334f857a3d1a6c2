internal import PluginKit

/// A message as it stands in this replica.
struct Message: Hashable, Sendable {
    let place: MessagePlace
    /// The text, cut to its limits; empty where nothing of it can be shown.
    let text: String
    /// The log of this replica, and the number in it, of the batch that brought it.
    let log: Int64
    let number: Int64

    var id: EntityID { place.entity }
    var author: PersonID { place.author }

    /// Reads a row of `chat_shown`; nil where it is none.
    init?(_ row: Row) {
        guard let place = MessagePlace(row), let log = row.integer("log"),
            let number = row.integer("number"),
            let text = row.text("text")
        else { return nil }
        self.place = place
        self.text = ChatLimits.text.clip(text) ?? ""
        self.log = log
        self.number = number
    }

    /// The shape of a message in JSON. `state` and the counts are told of one's own messages.
    static let shape = Shape.object([
        "id": .text, "from": .text, "name?": .text, "isMine": .boolean, "text": .text,
        "atMs": .integer, "cursor": .text, "state?": .text, "delivered?": .integer,
        "read?": .integer, "receivers?": .integer,
    ])

    /// The message as JSON.
    /// - Parameter receipts: what is known of one's own messages in the room.
    func json(me: PersonID, name: String?, receipts: Receipts?) -> JSONValue {
        let isMine = author == me
        let known = isMine ? receipts : nil
        let count = { (count: Int) in JSONValue.integer(Int64(count)) }
        return .record([
            "id": .string(id.description), "from": .string(author.description),
            "name": name.map { .string($0) }, "isMine": .boolean(isMine),
            "text": .string(text), "atMs": .integer(place.milliseconds),
            "cursor": .string(place.cursor),
            "state": known.map { .string($0.state(log: log, number: number).rawValue) },
            "delivered": known.map { count($0.deliveredCount(log: log, number: number)) },
            "read": known.map { count($0.readCount(log: log, number: number)) },
            "receivers": known.map { count($0.receivers.count) },
        ])
    }
}
