internal import PluginKit

/// Where a message stands in its room: by the hybrid time, which puts what was written knowing of
/// another after it, then by author and id. It is the same on every replica, and a page that is
/// asked for from a place stays the same page, whatever arrives meanwhile.
struct MessagePlace: Hashable, Comparable, Sendable {
    let stamp: Int64
    let author: PersonID
    let entity: EntityID

    /// Names a place.
    init(stamp: Int64, author: PersonID, entity: EntityID) {
        self.stamp = stamp
        self.author = author
        self.entity = entity
    }

    /// Reads the place of a row of messages; nil where it is none.
    init?(_ row: Row) {
        guard let stamp = row.integer("stamp"), let author = row.person("creator"),
            let entity = row.entity("entity")
        else { return nil }
        self.init(stamp: stamp, author: author, entity: entity)
    }

    /// The place that a cursor names.
    /// - Throws: ``CommandFault/usage(_:field:)`` for a text that no page gave.
    init(cursor: String, field: String) throws(CommandFault) {
        let wrong = CommandFault.usage(
            "'\(field)' is a place that a page of a room gave; see 'chat page'.", field: field)
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

    /// The place as a text that a person or program gives back.
    var cursor: String {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(clamping: stamp))
        return Hexadecimal.text(bytes + author.bytes + entity.bytes)
    }

    /// Milliseconds since 1970, by the author's clock.
    var milliseconds: Int64 { stamp >> 16 }

    /// The place as a statement's arguments, in the order of its parts.
    var arguments: [Value] {
        [.integer(stamp), .bytes(author.bytes), .bytes(entity.bytes)]
    }

    static func < (one: MessagePlace, other: MessagePlace) -> Bool {
        (one.stamp, one.author, one.entity) < (other.stamp, other.author, other.entity)
    }
}
