internal import Records

/// The declared collections, checked once, with what follows from the declarations.
struct Catalog {
    private let tables: [CollectionID: MaterialisedTable]
    private let idsByName: [String: CollectionID]

    /// Checks declarations.
    /// - Throws: ``ReplicaFault/declaration(_:)`` with the first mistake found.
    init(_ collections: [RecordCollection]) throws(ReplicaFault) {
        var tables: [CollectionID: MaterialisedTable] = [:]
        var names: [String: CollectionID] = [:]
        var words = Catalog.reservedWords
        for collection in collections {
            let table = MaterialisedTable(collection)
            try DeclarationCheck(collection).run()
            for name in table.allNames where !words.insert(name).inserted {
                throw .declaration("\(collection.name): the table name \(name) is taken")
            }
            guard tables.updateValue(table, forKey: collection.id) == nil else {
                throw .declaration("\(collection.name): its number on the wire is taken")
            }
            names[collection.name] = collection.id
        }
        self.tables = tables
        idsByName = names
    }

    /// The table of a collection, or nil for one that is not declared here.
    subscript(id: CollectionID) -> MaterialisedTable? { tables[id] }

    /// The table of a collection by its declared name.
    func table(named name: String) -> MaterialisedTable? {
        idsByName[name].flatMap { tables[$0] }
    }

    /// All tables in the order of their names.
    var all: [MaterialisedTable] { tables.values.sorted { $0.name < $1.name } }

    /// Names of the core's own tables.
    static let reservedWords: Set<String> = [
        "space", "person", "device", "log", "batch", "held", "register", "element", "removed",
        "waiting", "void", "acknowledged", "collection", "start", "control", "member", "epoch",
        "missing_body", "scrub", "backup", "erasure", "mention",
    ]
}
