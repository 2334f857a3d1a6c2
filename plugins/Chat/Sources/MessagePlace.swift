internal import PluginKit

/// The position of a message in its room: by the hybrid time, then by author and id. The hybrid
/// time puts a message after all messages that its author had received. The order is the same on
/// every replica, so a page that is requested from a position stays the same, even if other
/// messages arrive.
struct MessagePlace: Hashable, Comparable, Sendable {
    let stamp: Int64
    let author: PersonID
    let entity: EntityID

    /// Creates a position.
    init(stamp: Int64, author: PersonID, entity: EntityID) {
        self.stamp = stamp
        self.author = author
        self.entity = entity
    }

    /// Reads the position in a row of messages; nil if the row has none.
    init?(_ row: Row) {
        guard let stamp = row.integer("stamp"), let author = row.person("creator"),
            let entity = row.entity("entity")
        else { return nil }
        self.init(stamp: stamp, author: author, entity: entity)
    }

    /// Reads the position that a cursor names.
    /// - Throws: ``CommandFault/notFound(_:)`` for a text that is not a cursor of a page.
    init(cursor: String, field: String) throws(CommandFault) {
        let wrong = CommandFault.notFound(
            "'\(field)' must be a cursor from a page of a room; see 'chat page'.")
        guard let bytes = Hexadecimal.bytes(cursor) else { throw wrong }
        var reader = ByteReader(bytes)
        do {
            let stamp = Int64(clamping: try reader.integer(UInt64.self))
            guard let author = PersonID(bytes: try reader.bytes(Bytes32.bytesCount)),
                let entity = EntityID(bytes: try reader.bytes(Bytes16.bytesCount))
            else { throw wrong }
            try reader.finish()
            self.init(stamp: stamp, author: author, entity: entity)
        } catch {
            throw wrong
        }
    }

    /// The position as a text, which a person or a program sends back.
    var cursor: String {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(clamping: stamp))
        return Hexadecimal.text(bytes + author.bytes + entity.bytes)
    }

    /// The time by the author's clock.
    var time: Timestamp { Timestamp(milliseconds: stamp >> 16) }

    /// The position as a statement's arguments, in the order of its parts.
    var arguments: [Value] {
        [.integer(stamp), .bytes(author.bytes), .bytes(entity.bytes)]
    }

    static func < (one: MessagePlace, other: MessagePlace) -> Bool {
        (one.stamp, one.author, one.entity) < (other.stamp, other.author, other.entity)
    }
}
