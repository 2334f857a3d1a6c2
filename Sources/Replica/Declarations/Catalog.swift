internal import Records

/// The declared collections, checked once, and their tables.
struct Catalog {
    private let tables: [CollectionID: MaterialisedTable]
    private let idsByName: [String: CollectionID]
    /// Whether any collection has a blob field.
    let hasBlobs: Bool
    /// Whether a collection for open spaces has one.
    let hasOpenBlobs: Bool
    /// The number of records that each person may begin per day in an open space, by collection.
    let dailyRecordsMax: [CollectionID: Int]

    /// Checks declarations.
    /// - Throws: ``ReplicaFault/declaration(_:)`` with the first mistake found.
    init(_ collections: [RecordCollection]) throws(ReplicaFault) {
        var tables: [CollectionID: MaterialisedTable] = [:]
        var names: [String: CollectionID] = [:]
        var usedNames = Catalog.reservedNames
        for collection in collections {
            let table = MaterialisedTable(collection)
            try DeclarationCheck(collection).run()
            for name in table.allNames where !usedNames.insert(name).inserted {
                throw .declaration("\(collection.name): the table name \(name) is used already")
            }
            guard tables.updateValue(table, forKey: collection.id) == nil else {
                throw .declaration("\(collection.name): its number on the wire is used already")
            }
            names[collection.name] = collection.id
        }
        self.tables = tables
        idsByName = names
        dailyRecordsMax = tables.compactMapValues(\.collection.dailyRecordsMax)
        hasBlobs = tables.values.contains { !$0.blobs.isEmpty }
        hasOpenBlobs = tables.values.contains { !$0.blobs.isEmpty && $0.isFor(.open) }
    }

    /// The table of a collection, or nil if the collection is not declared here.
    subscript(id: CollectionID) -> MaterialisedTable? { tables[id] }

    /// Returns the table of a collection by its declared name.
    func table(named name: String) -> MaterialisedTable? {
        idsByName[name].flatMap { tables[$0] }
    }

    /// All tables, ordered by name.
    var all: [MaterialisedTable] { tables.values.sorted { $0.name < $1.name } }

    /// Names of the core's own tables.
    static let reservedNames: Set<String> = [
        "space", "person", "device", "log", "batch", "held", "register", "element", "removed",
        "waiting", "void", "acknowledged", "collection", "start", "control", "member", "epoch",
        "missing_body", "scrub", "backup", "erasure", "mention", "doubted",
        "reserve", "blob", "blob_access", "blob_reference", "backup_blob", "allowance",
        "own_end", "small_content", "small_day", "withdrawn_content",
    ]
}
