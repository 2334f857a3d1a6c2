/// A record type, declared as data. The engine merges, checks and materialises it; a plugin only
/// names what it wants. The rules of a collection never change within its name.
public struct RecordCollection: Hashable, Sendable {
    /// The name with its version, as in `neighbours.edge/1`; its hash is the number on the wire.
    public let name: String
    /// The SQL table it is materialised into.
    public let table: String
    /// The kinds of space it may be written in.
    public let spaces: Set<SpaceKind>
    /// The declared fields. Undeclared ones are kept and passed on, but not materialised.
    public let fields: [Field]
    /// Columns an ordinary index is kept on, one index per element.
    public let indexes: [[String]]
    /// Whether its entities can be erased, each alone. A batch that writes one is salted and
    /// writes nothing else.
    public let isErasable: Bool
    /// Text fields that can be searched: each word by any letters within it, in any script.
    public let searched: [String]

    /// Declares a collection.
    public init(
        _ name: String, table: String, spaces: Set<SpaceKind>, indexes: [[String]] = [],
        isErasable: Bool = false, searched: [String] = [], fields: [Field]
    ) {
        self.name = name
        self.table = table
        self.spaces = spaces
        self.indexes = indexes
        self.isErasable = isErasable
        self.searched = searched
        self.fields = fields
    }

    /// The number on the wire.
    public var id: CollectionID { CollectionID(name: name) }

    /// The full-text index that is kept where fields are searched: a table of FTS5.
    public var searchTable: String { "\(table)_search" }

    /// The table that names the record of each row of the full-text index: `id`, `space`, `entity`.
    public var foundTable: String { "\(table)_found" }

    /// The names of all tables the collection is materialised into.
    public var tables: [String] {
        [table]
            + fields.filter { $0.merge == .addWinsSet }.map { "\(table)_\($0.name)" }
            + (searched.isEmpty ? [] : [searchTable, foundTable])
    }

    /// The declared field of this name, or nil.
    public func field(named name: String) -> Field? { fields.first { $0.name == name } }

    /// One field: what it may hold, how writes merge, and who may write it.
    public struct Field: Hashable, Sendable {
        /// The number on the wire, 1 to ``Limits/fieldNumberMax``; never used twice.
        public let number: UInt64
        /// The SQL column. A set becomes a table of its own, `<table>_<name>`.
        public let name: String
        public let type: FieldType
        public let merge: MergeRule
        public let writer: WriterRule

        /// Declares a field.
        public init(
            _ number: UInt64, _ name: String, _ type: FieldType, merge: MergeRule = .lastWriter,
            writer: WriterRule = .creator
        ) {
            self.number = number
            self.name = name
            self.type = type
            self.merge = merge
            self.writer = writer
        }
    }
}

/// What a field may hold. A value of another type or over its limit makes the write void.
public enum FieldType: Hashable, Sendable {
    case boolean
    /// Whole numbers within the range.
    case integer(ClosedRange<Int64>)
    case real
    /// Text up to a number of bytes of UTF-8. Not characters: what a character is changes with
    /// Unicode's versions, and this verdict must be the same on every replica for ever.
    case text(bytesMax: Int)
    /// Bytes up to a count.
    case bytes(countMax: Int)
    /// A person's or device's key.
    case key
    /// A list of texts, each and all within limits.
    case texts(countMax: Int, bytesMax: Int)

    /// Whether a value may stand in such a field. Null always may: it clears the field.
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
        default: false
        }
    }
}

/// How several writes of one field become one value, whatever order they arrive in.
public enum MergeRule: Hashable, Sendable {
    /// The write with the highest stamp, then author key, batch hash and operation index.
    case lastWriter
    /// The write with the lowest of the same.
    case firstWriter
    /// Each addition is a dot; a removal takes the dots it has seen, so an addition wins.
    case addWinsSet
    /// Only what the creating batch wrote counts: an immutable row.
    case append
    /// The sum of all increments.
    case counter
}

/// Who may write a field. What another writes is void: the same verdict on every replica.
public enum WriterRule: Hashable, Sendable {
    /// The person whose device created the entity.
    case creator
    /// The owner of the space.
    case owner
    /// Any member of the space who may write at all.
    case anyMember
    /// The person whose key stands in the named field, which must merge as first writer.
    case named(inField: String)
}
