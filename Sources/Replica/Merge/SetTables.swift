internal import GRDB
internal import Records

/// The add-wins sets of one space within a transaction.
///
/// A set consists of dots: each addition is one, and a removal removes the dots its author had
/// seen. A removal that arrives before its addition is stored, so that the order makes no
/// difference.
struct SetTables {
    private let database: Database
    private let space: Int64
    private var changed: Set<SetID> = []

    /// One set of one entity.
    struct SetID: Hashable {
        let collection: CollectionID
        let entity: EntityID
        let field: UInt64
    }

    init(database: Database, space: Int64) {
        self.database = database
        self.space = space
    }

    /// Merges an addition or a removal.
    mutating func merge(
        _ action: Operation.Action, dot: Dot, into set: SetID, slot: PersonID?
    ) throws {
        switch action {
        case .add(_, let value): try add(value, dot, set, slot)
        case .remove(_, let dots): for dot in dots { try remove(dot, set, slot) }
        case .create, .createOwn, .set, .count, .grant, .accept, .cut, .erase: return
        }
        changed.insert(set)
    }

    private func add(_ value: Value, _ dot: Dot, _ set: SetID, _ slot: PersonID?) throws {
        let removed = try database.cachedStatement(
            sql: """
                SELECT 1 FROM removed
                WHERE space = ? AND entity = ? AND field = ? AND slot = ? AND dot = ?
                """)
        let key = arguments(set, slot) + [dot.sql]
        guard try GRDB.Row.fetchOne(removed, arguments: key) == nil else { return }
        let insert = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO element VALUES (?, ?, ?, ?, ?, ?)")
        try insert.execute(arguments: key + [value.sql])
    }

    private func remove(_ dot: Dot, _ set: SetID, _ slot: PersonID?) throws {
        let key = arguments(set, slot) + [dot.sql]
        let delete = try database.cachedStatement(
            sql: """
                DELETE FROM element
                WHERE space = ? AND entity = ? AND field = ? AND slot = ? AND dot = ?
                """)
        try delete.execute(arguments: key)
        guard database.changesCount == 0 else { return }
        let remember = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO removed VALUES (?, ?, ?, ?, ?)")
        try remember.execute(arguments: key)
    }

    /// Returns the stored dots of an element, in ascending order.
    func dots(of value: Value, in set: SetID, slot: PersonID?) throws -> [Dot] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT dot FROM element
                WHERE space = ? AND entity = ? AND field = ? AND slot = ? AND value = ?
                ORDER BY dot
                """)
        return try GRDB.Row.fetchAll(statement, arguments: arguments(set, slot) + [value.sql])
            .compactMap { Dot(bytes: $0.bytes(0)) }
    }

    /// Marks a set as changed because it now shows another person's elements.
    mutating func touch(_ set: SetID) { changed.insert(set) }

    /// Writes each changed set's table again from its dots.
    /// - Parameter slot: returns the person whose elements a set shows, and whether it shows any.
    mutating func flush(
        catalog: Catalog,
        slot: (SetID, RecordCollection.Field) throws -> (isShown: Bool, person: PersonID?)
    ) throws {
        for set in changed {
            guard let table = catalog[set.collection], let field = table.field(set.field)
            else { continue }
            let name = table.name(of: field)
            let delete = try database.cachedStatement(
                sql: "DELETE FROM \"\(name)\" WHERE space = ? AND entity = ?")
            try delete.execute(arguments: [space, set.entity.sql])
            let shown = try slot(set, field)
            guard shown.isShown else { continue }
            let insert = try database.cachedStatement(
                sql: """
                    INSERT INTO "\(name)" SELECT DISTINCT space, entity, value FROM element
                    WHERE space = ? AND entity = ? AND field = ? AND slot = ?
                    """)
            try insert.execute(arguments: arguments(set, shown.person))
        }
        changed = []
    }

    private func arguments(_ set: SetID, _ slot: PersonID?) -> StatementArguments {
        [
            space, set.entity.sql, Int64(clamping: set.field),
            slot?.sql ?? [UInt8]().sql,
        ]
    }
}
