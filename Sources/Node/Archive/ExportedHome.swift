internal import PluginKit

/// The document that an export is, with the members in the order in which they are written.
/// `docs/export.md` explains them.
///
/// A reader may decode a whole document as this value. ``HomeExport`` writes it element by element,
/// so that no export has to fit in memory.
struct ExportedHome: Codable, Sendable {
    /// The version of the document's layout.
    static let version = 1

    var waggleExport = version
    var person: Key
    var device: Key
    var people: [Person] = []
    var spaces: [Space] = []
    var blobs: [Content] = []

    enum CodingKeys: String, CodingKey, CaseIterable {
        case waggleExport, person, device, people, spaces, blobs
    }

    /// The content that records name by its SHA-256, in Base64.
    struct Content: Codable, Sendable {
        var sha256: Key
        var content: String
    }

    /// A person whose record is stored, and their devices.
    struct Person: Codable, Sendable {
        var person: Key
        var devices: [Key]
    }

    /// A space and the records in it, by their collection's name.
    struct Space: Codable, Sendable {
        var id: Key
        var kind: String
        /// The name of a neighbourhood; nil for other spaces.
        var name: String?
        var batches: Int
        var members: [Member]
        var collections: [String: [Record]] = [:]

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id, kind, name, batches, members, collections
        }
    }

    /// A person's role in a space and their state.
    struct Member: Codable, Sendable {
        var person: Key
        var role: String
        var state: String
    }

    /// A record, its creator, the time at which it began, and its fields by name.
    struct Record: Codable, Sendable {
        var entity: RecordKey
        var creator: Key
        var beganMs: Timestamp
        var fields: [String: JSONValue]
    }
}
