/// A record type, declared as data. The engine merges, checks and materialises it. The rules of a
/// collection never change under the same name.
///
/// ```swift
/// let notes = RecordCollection(
///     "notes.note/1", table: "notes_note", spaces: [.own, .group], searched: ["title"],
///     fields: [
///         .init(1, "title", .text(bytesMax: 200)),
///         .init(2, "done", .boolean, writer: .anyMember),
///         .init(3, "tags", .text(bytesMax: 40), merge: .addWinsSet, writer: .anyMember),
///     ])
/// ```
/// This makes the table `notes_note`, the table `notes_note_tags` for the set, and the full-text
/// index of the titles. A later rule for the title needs a new name, `notes.note/2`.
public struct RecordCollection: Hashable, Sendable {
    /// The name with its version, as in `neighbours.edge/1`. Its hash identifies the collection on
    /// the wire.
    public let name: String
    /// The SQL table it is materialised into.
    public let table: String
    /// The kinds of space it may be written in.
    public let spaces: Set<SpaceKind>
    /// The declared fields. Undeclared fields are stored and forwarded, but not materialised.
    public let fields: [Field]
    /// The columns of ordinary SQL indexes, one index per element.
    public let indexes: [[String]]
    /// Whether each entity can be erased alone. A batch that writes such an entity has a salt and
    /// writes nothing else.
    public let isErasable: Bool
    /// Whether each person has at most one record per space: the one written by
    /// ``Edit/own(collection:fields:)``, whose id follows from space, collection and person. A
    /// record that a changed program creates under another id is in its log and not in the table.
    public let isOnePerPerson: Bool
    /// Whether its records are stored in reserved room if a quota is used up, because they end
    /// something.
    public let hasReservedRoom: Bool
    /// The number of records that each person may begin per UTC day in an open space; nil if only
    /// the bytes are limited. It limits nothing in other spaces.
    public let dailyRecordsMax: Int?
    /// The text fields with full-text search. A search finds any letters within a word, in any
    /// script.
    public let searched: [String]
    /// The fields of each record's location, if records are found by an area.
    public let located: LocationFields?

    /// Declares a collection.
    public init(
        _ name: String, table: String, spaces: Set<SpaceKind>, indexes: [[String]] = [],
        isErasable: Bool = false, isOnePerPerson: Bool = false,
        hasReservedRoom: Bool = false, dailyRecordsMax: Int? = nil, searched: [String] = [],
        located: LocationFields? = nil, fields: [Field]
    ) {
        self.name = name
        self.table = table
        self.spaces = spaces
        self.indexes = indexes
        self.isErasable = isErasable
        self.isOnePerPerson = isOnePerPerson
        self.hasReservedRoom = hasReservedRoom
        self.dailyRecordsMax = dailyRecordsMax
        self.searched = searched
        self.located = located
        self.fields = fields
    }

    /// The identifier on the wire.
    public var id: CollectionID { CollectionID(name: name) }

    /// The name of the FTS5 table of the searched fields.
    public var searchTable: String { "\(table)_search" }

    /// The name of the R-Tree over the locations: `id`, `south`, `north`, `west`, `east`.
    public var nearTable: String { "\(table)_near" }

    /// The name of the table that maps rows of these two indexes to records: `id`, `space`,
    /// `entity`.
    public var foundTable: String { "\(table)_found" }

    /// The names of all SQL tables of the collection.
    public var tables: [String] {
        [table]
            + fields.filter { $0.merge == .addWinsSet }.map { "\(table)_\($0.name)" }
            + (searched.isEmpty ? [] : [searchTable])
            + (located == nil ? [] : [nearTable])
            + (searched.isEmpty && located == nil ? [] : [foundTable])
    }

    /// The two fields that are a record's location, in degrees. A record is found by an area if
    /// both are set and within -90 to 90 and -180 to 180. Write both in one edit, so that they are
    /// merged together.
    public struct LocationFields: Hashable, Sendable {
        /// The field of degrees north, a ``FieldType/real``.
        public let latitude: String
        /// The field of degrees east, a ``FieldType/real``.
        public let longitude: String

        /// Names the two fields.
        public init(latitude: String, longitude: String) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// Returns the declared field with this name, or nil.
    public func field(named name: String) -> Field? { fields.first { $0.name == name } }

    /// A field: its type, its merge rule and its writers.
    public struct Field: Hashable, Sendable {
        /// The number on the wire, 1 to ``Limits/fieldNumberMax``; a number is never reused.
        public let number: UInt64
        /// The SQL column. A set has a separate table, `<table>_<name>`.
        public let name: String
        /// The type and limits of its values.
        public let type: FieldType
        /// The rule by which concurrent writes become one value.
        public let merge: MergeRule
        /// The rule for who may write it.
        public let writer: WriterRule
        /// When the content that a blob field names is fetched.
        public let fetched: ContentFetch

        /// Declares a field.
        public init(
            _ number: UInt64, _ name: String, _ type: FieldType, merge: MergeRule = .lastWriter,
            writer: WriterRule = .creator, fetched: ContentFetch = .whenWanted
        ) {
            self.number = number
            self.name = name
            self.type = type
            self.merge = merge
            self.writer = writer
            self.fetched = fetched
        }
    }
}

/// The type of a field's values. A write with another type or over the limit is void.
public enum FieldType: Hashable, Sendable {
    /// True or false.
    case boolean
    /// Whole numbers within a range.
    case integer(ClosedRange<Int64>)
    /// Finite numbers.
    case real
    /// Text up to a number of bytes of UTF-8. The limit is not in characters, because the
    /// definition of a character changes with Unicode versions, and replicas must always agree.
    case text(bytesMax: Int)
    /// Bytes up to a number.
    case bytes(countMax: Int)
    /// The key of a person or device, 32 bytes.
    case key
    /// A list of texts, limited in number, and in bytes per text.
    case texts(countMax: Int, bytesMax: Int)
    /// A ``Blob`` of one of these media types, with up to a number of bytes of content. Its creator
    /// alone writes it, so that it is clear who shows the content to whom.
    case blob(kinds: [String], bytesMax: Int)

    /// Whether the field accepts a value. Null is always accepted and clears the field.
    public func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (_, .null), (.boolean, .boolean), (.real, .real): true
        case (.integer(let range), .integer(let number)): range.contains(number)
        case (.text(let limit), .text(let text)): text.utf8.count <= limit
        case (.bytes(let limit), .bytes(let bytes)): bytes.count <= limit
        case (.key, .bytes(let bytes)): bytes.count == 32
        case (.texts(let countMax, let bytesMax), .list(let elements)):
            elements.count <= countMax
                && elements.allSatisfy {
                    if case .text(let text) = $0 { text.utf8.count <= bytesMax } else { false }
                }
        case (.blob(let kinds, let bytesMax), .bytes(let bytes)):
            (try? Blob(decoding: bytes)).map {
                kinds.contains($0.kind) && $0.bytesCount <= bytesMax
            } ?? false
        default: false
        }
    }

    /// Whether its values name content that is stored beside the records.
    public var isBlob: Bool {
        if case .blob = self { true } else { false }
    }
}

/// The rule by which several writes of a field become one value, in any order of arrival.
public enum MergeRule: Hashable, Sendable {
    /// The write with the highest stamp, then author key, batch hash and operation index wins.
    case lastWriter
    /// The write with the lowest stamp, then author key, batch hash and operation index wins.
    case firstWriter
    /// A set. A removal removes only the additions its author has seen, so a concurrent addition
    /// wins.
    case addWinsSet
    /// Only the value written by the creating batch counts: an immutable row.
    case append
    /// The sum of all increments.
    case counter
}

/// The rule for who may write a field. Writes by others are void on every replica.
public enum WriterRule: Hashable, Sendable {
    /// The person whose device created the entity.
    case creator
    /// The owner of the space.
    case owner
    /// Any member of the space with a writing role.
    case anyMember
    /// The person whose key is in the given field, which must merge as first writer.
    case named(inField: String)
}
