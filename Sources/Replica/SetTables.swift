internal import GRDB
internal import Records

/// The add-wins sets of one space within a transaction.
///
/// A set is its dots: each addition is one, and a removal takes those its author had seen. What a
/// removal names before it was added here is remembered, so that the order makes no difference.
struct SetTables {
    private let database: Database
    private let space: Int64
    private var changed: Set<Place> = []

    /// One set of one entity.
    struct Place: Hashable {
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
        _ action: Operation.Action, dot: Dot, into place: Place, slot: PersonID?
    ) throws {
        switch action {
        case .add(_, let value): try add(value, dot, place, slot)
        case .remove(_, let dots): for dot in dots { try remove(dot, place, slot) }
        case .create, .createOwn, .set, .count, .grant, .accept, .cut, .erase: return
        }
        changed.insert(place)
    }

    private func add(_ value: Value, _ dot: Dot, _ place: Place, _ slot: PersonID?) throws {
        let removed = try database.cachedStatement(
            sql: """
                SELECT 1 FROM removed
                WHERE space = ? AND entity = ? AND field = ? AND slot = ? AND dot = ?
                """)
        let key = arguments(place, slot) + [dot.sql]
        guard try GRDB.Row.fetchOne(removed, arguments: key) == nil else { return }
        let insert = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO element VALUES (?, ?, ?, ?, ?, ?)")
        try insert.execute(arguments: key + [value.sql])
    }

    private func remove(_ dot: Dot, _ place: Place, _ slot: PersonID?) throws {
        let key = arguments(place, slot) + [dot.sql]
        let delete = try database.cachedStatement(
            sql: """
                DELETE FROM element
                WHERE space = ? AND entity = ? AND field = ? AND slot = ? AND dot = ?
                """)
        try delete.execute(arguments: key)
        guard database.changesCount == 0, !Planted.removalForgotten.isIn else { return }
        let remember = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO removed VALUES (?, ?, ?, ?, ?)")
        try remember.execute(arguments: key)
    }

    /// The dots of an element that are here, in ascending order.
    func dots(of value: Value, in place: Place, slot: PersonID?) throws -> [Dot] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT dot FROM element
                WHERE space = ? AND entity = ? AND field = ? AND slot = ? AND value = ?
                ORDER BY dot
                """)
        return try GRDB.Row.fetchAll(statement, arguments: arguments(place, slot) + [value.sql])
            .compactMap { Dot(bytes: $0.bytes(0)) }
    }

    /// Notes that a set shows another person's elements now.
    mutating func touch(_ place: Place) { changed.insert(place) }

    /// Writes each changed set's table anew from its dots.
    /// - Parameter slot: whose elements a set shows; nil shows none.
    mutating func flush(
        catalog: Catalog,
        slot: (Place, RecordCollection.Field) throws -> (isShown: Bool, person: PersonID?)
    ) throws {
        for place in changed {
            guard let table = catalog[place.collection], let field = table.field(place.field)
            else { continue }
            let name = table.name(of: field)
            let delete = try database.cachedStatement(
                sql: "DELETE FROM \"\(name)\" WHERE space = ? AND entity = ?")
            try delete.execute(arguments: [space, place.entity.sql])
            let shown = try slot(place, field)
            guard shown.isShown else { continue }
            let insert = try database.cachedStatement(
                sql: """
                    INSERT INTO "\(name)" SELECT DISTINCT space, entity, value FROM element
                    WHERE space = ? AND entity = ? AND field = ? AND slot = ?
                    """)
            try insert.execute(arguments: arguments(place, shown.person))
        }
        changed = []
    }

    private func arguments(_ place: Place, _ slot: PersonID?) -> StatementArguments {
        [
            space, place.entity.sql, Int64(clamping: place.field),
            slot?.sql ?? [UInt8]().sql,
        ]
    }
}
