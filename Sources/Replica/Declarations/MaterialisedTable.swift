internal import Records

/// The SQL of one collection: its table, one more table per set, and the statements on them.
///
/// A collection has few statements, whatever combination of fields a batch writes: each stays
/// prepared, and no peer's batches can fill the statement cache.
final class MaterialisedTable: Sendable {
    let collection: RecordCollection
    /// The fields that are columns, in the order of declaration.
    let columns: [RecordCollection.Field]
    /// The columns that name content beside the records.
    let blobs: [RecordCollection.Field]
    /// The fields that have separate tables.
    let sets: [RecordCollection.Field]
    /// One bit per kind of space that the collection may be written in.
    private let kinds: UInt64
    /// The indexes of searched fields and of locations, if any are declared.
    let indexes: DeclaredIndexes?
    /// Every field at the index that is its number.
    private let fieldsByNumber: [MaterialisedField?]
    let selectSQL: String
    let insertSQL: String
    let updateSQL: String

    init(_ collection: RecordCollection) {
        self.collection = collection
        kinds = collection.spaces.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
        columns = collection.fields.filter { $0.merge != .addWinsSet }
        blobs = columns.filter(\.type.isBlob)
        sets = collection.fields.filter { $0.merge == .addWinsSet }
        indexes = DeclaredIndexes(collection)
        fieldsByNumber = MaterialisedField.byNumber(of: collection, columns: columns)
        let table = "\"\(collection.table)\""
        let names = columns.map { "\"\($0.name)\"" }
        let all = ["space", "entity", "creator", "stamp", "log", "number"] + names
        let marks = all.map { _ in "?" }.joined(separator: ", ")
        selectSQL = """
            SELECT creator, stamp, log, number FROM \(table) WHERE space = ? AND entity = ?
            """
        insertSQL = "INSERT INTO \(table) (\(all.joined(separator: ", "))) VALUES (\(marks))"
        let changes = names.map { ", \($0) = CASE ? WHEN 1 THEN ? ELSE \($0) END" }.joined()
        updateSQL = """
            UPDATE \(table) SET stamp = ?, log = ?, number = ?\(changes)
            WHERE space = ? AND entity = ?
            """
    }

    /// The table's name.
    var name: String { collection.table }

    /// Returns the name of a set's table.
    func name(of set: RecordCollection.Field) -> String { "\(collection.table)_\(set.name)" }

    /// Whether the collection may be written in spaces of a kind.
    func isFor(_ kind: SpaceKind) -> Bool { kinds & 1 << UInt64(kind.rawValue) != 0 }

    /// The names of the tables with rows of a space: the collection's and its sets'.
    var rowNames: [String] { [name] + sets.map(name(of:)) }

    /// The names of all tables that the collection needs.
    var allNames: [String] { collection.tables }

    /// Returns a declared field by its number on the wire.
    func field(_ number: UInt64) -> RecordCollection.Field? { materialised(number)?.field }

    /// Returns a declared field, with the facts that its merging needs, by its number on the wire.
    func materialised(_ number: UInt64) -> MaterialisedField? {
        number < UInt64(fieldsByNumber.count) ? fieldsByNumber[Int(number)] : nil
    }

    /// The statements that create the tables and indexes. The tables need no rebuild while these
    /// and the rules stay equal; see ``declaration``.
    var createSQL: [String] {
        let body = columns.map { ", \"\($0.name)\" \($0.sqlType)" }.joined()
        var result = [
            """
            CREATE TABLE "\(name)" (space INTEGER NOT NULL, entity BLOB NOT NULL, \
            creator BLOB NOT NULL, stamp INTEGER NOT NULL, log INTEGER NOT NULL, \
            number INTEGER NOT NULL\(body), PRIMARY KEY (space, entity)) WITHOUT ROWID
            """
        ]
        for set in sets {
            result.append(
                """
                CREATE TABLE "\(self.name(of: set))" (space INTEGER NOT NULL, \
                entity BLOB NOT NULL, element \(set.sqlType) NOT NULL, \
                PRIMARY KEY (space, entity, element)) WITHOUT ROWID
                """)
        }
        for (number, index) in collection.indexes.enumerated() {
            let columns = index.map { "\"\($0)\"" }.joined(separator: ", ")
            result.append("CREATE INDEX \"\(name)_index\(number)\" ON \"\(name)\" (\(columns))")
        }
        return result
            + blobs.flatMap {
                BlobTable.triggers(of: $0, in: collection)
                    + SmallContentTable.triggers(of: $0, in: collection)
            }
            + (indexes?.createSQL ?? [])
    }

    /// Everything that the materialised rows depend on, as one text.
    var declaration: String {
        let fields = collection.fields.map {
            "\($0.number) \($0.name) \($0.type) \(String(reflecting: $0.merge)) \($0.writer)"
        }
        let kinds = collection.spaces.map(\.name).sorted().joined(separator: " ")
        let rules =
            (collection.isErasable ? ["erasable"] : [])
            + (collection.isOnePerPerson ? ["one per person"] : [])
        let terms = indexes?.search == nil ? [] : ["terms \(SearchText.version)"]
        return ([collection.name, kinds] + rules + fields + createSQL + terms)
            .joined(separator: "\n")
    }
}

extension RecordCollection.Field {
    /// The column's type, for its affinity.
    fileprivate var sqlType: String {
        switch type {
        case .boolean, .integer: "INTEGER"
        case .real: "REAL"
        case .text, .texts: "TEXT"
        case .bytes, .key, .blob: "BLOB"
        }
    }
}
