internal import Records

/// The rules for a declaration of a collection, which its table and its merging rely on.
struct DeclarationCheck {
    private let collection: RecordCollection

    init(_ collection: RecordCollection) { self.collection = collection }

    /// - Throws: ``ReplicaFault/declaration(_:)`` with the first mistake found.
    func run() throws(ReplicaFault) {
        guard DeclarationCheck.isName(collection.table) else {
            throw mistake("\(collection.table) is not a valid table name")
        }
        guard collection.id != .control else { throw mistake("its number is the control number") }
        var numbers: Set<UInt64> = []
        var names: Set<String> = DeclarationCheck.columnNames
        for field in collection.fields {
            guard DeclarationCheck.isName(field.name), names.insert(field.name).inserted else {
                throw mistake("\(field.name) is not a valid column name, or is used twice")
            }
            guard (1...Limits.fieldNumberMax).contains(field.number),
                numbers.insert(field.number).inserted
            else { throw mistake("\(field.number) is not a valid field number, or is used twice") }
            try check(field)
        }
        try checkIndexes()
        try checkSearch()
        try checkLocation()
        if collection.spaces.contains(.open) { try checkOpen() }
    }

    /// In an open space each edit writes its record anew, and what is older expires.
    private func checkOpen() throws(ReplicaFault) {
        guard collection.isErasable else {
            throw mistake("its records may be in open spaces, so they must be erasable")
        }
        for field in collection.fields {
            guard field.writer == .creator else {
                throw mistake(
                    "\(field.name) may be in open spaces, so its creator alone must write it")
            }
            guard field.merge != .counter else {
                throw mistake("\(field.name) counts, so it cannot be in open spaces")
            }
        }
    }

    private func check(_ field: RecordCollection.Field) throws(ReplicaFault) {
        guard field.type.fitsTheFormat else {
            throw mistake("\(field.name) allows more than the format does")
        }
        if field.merge == .counter {
            guard case .integer = field.type else {
                throw mistake("\(field.name) counts, so it must be an integer")
            }
        }
        if field.type.isBlob {
            guard field.writer == .creator, field.merge != .addWinsSet else {
                throw mistake(
                    "\(field.name) is a blob, so it must have one value that its creator writes")
            }
        }
        if field.fetched == .withRecord {
            guard case .blob(_, let bytesMax) = field.type, collection.spaces == [.open],
                bytesMax <= Limits.smallContentBytesMax
            else {
                throw mistake(
                    "\(field.name) is fetched with its record, so it must be a blob of at most "
                        + "\(Limits.smallContentBytesMax) bytes, for open spaces only")
            }
        }
        if case .named(let name) = field.writer {
            guard let namer = collection.field(named: name), namer.merge == .firstWriter,
                namer.type == .key, !namer.writer.isNamed
            else {
                throw mistake("\(field.name) needs \(name) to be a key that merges as first writer")
            }
        }
    }

    private func checkIndexes() throws(ReplicaFault) {
        let columns = collection.fields.filter { $0.merge != .addWinsSet }.map(\.name)
        let known = DeclarationCheck.columnNames.union(columns)
        for index in collection.indexes {
            guard !index.isEmpty, known.isSuperset(of: index) else {
                throw mistake("an index names a column that does not exist")
            }
        }
    }

    private func checkSearch() throws(ReplicaFault) {
        guard Set(collection.searched).count == collection.searched.count else {
            throw mistake("a field is searched twice")
        }
        for name in collection.searched {
            guard let field = collection.field(named: name), case .text = field.type,
                field.merge != .addWinsSet
            else { throw mistake("\(name) is not a text field, so it cannot be searched") }
            guard !DeclarationCheck.searchNames.contains(name) else {
                throw mistake("\(name) is reserved by the full-text index")
            }
        }
    }

    private func checkLocation() throws(ReplicaFault) {
        guard let fields = collection.located else { return }
        guard fields.latitude != fields.longitude else {
            throw mistake("its latitude and its longitude are one field")
        }
        for name in [fields.latitude, fields.longitude] {
            guard let field = collection.field(named: name), field.type == .real,
                field.merge != .addWinsSet
            else { throw mistake("\(name) is not a field of one number, so it locates nothing") }
        }
    }

    /// Columns that every table of FTS5 has.
    private static let searchNames: Set<String> = ["rank", "rowid"]

    private func mistake(_ sentence: String) -> ReplicaFault {
        .declaration("\(collection.name): \(sentence)")
    }

    /// The columns that every table has.
    static let columnNames: Set<String> = [
        "space", "entity", "creator", "stamp", "log", "number",
    ]

    /// Whether a name consists of lower-case letters, digits and underscores, begins with a letter,
    /// and is not reserved for SQLite or the core's views.
    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (0x61...0x7a).contains(first) else { return false }
        let isPlain = name.utf8.allSatisfy {
            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f
        }
        return isPlain && !name.hasPrefix("waggle_") && !name.hasPrefix("sqlite_")
            && !name.hasPrefix("grdb_")
    }
}

extension FieldType {
    /// Whether every value that the type admits can be encoded.
    fileprivate var fitsTheFormat: Bool {
        switch self {
        case .boolean, .integer, .real, .key: true
        case .text(let limit), .bytes(let limit): (1...Limits.valueBytesMax).contains(limit)
        case .texts(let count, let limit):
            (1...Limits.listElementsMax).contains(count)
                && (1...Limits.valueBytesMax).contains(limit)
        case .blob(let kinds, let limit):
            !kinds.isEmpty && kinds.allSatisfy(Blob.isKind)
                && (1...Limits.blobBytesMax).contains(limit)
        }
    }
}

extension WriterRule {
    /// Whether another field names the writer.
    var isNamed: Bool {
        if case .named = self { true } else { false }
    }
}
