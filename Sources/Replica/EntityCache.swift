internal import GRDB
internal import Records

/// The entities that one transaction touches: who began each, and which columns changed.
struct EntityCache {
    private let database: Database
    private let space: Int64
    private let order: TieOrder
    private var entities: [Key: Entity?] = [:]
    private var changed: Set<Key> = []

    /// An entity of a collection.
    struct Key: Hashable {
        let collection: CollectionID
        let entity: EntityID
    }

    /// How an entity began. Of several beginnings the first in ``TieOrder`` counts.
    struct Entity {
        let creator: PersonID
        var began: Tie
        let isStored: Bool
        /// The fields whose columns are to be written.
        var changedFields: Set<UInt64> = []
    }

    init(database: Database, space: Int64, order: TieOrder) {
        self.database = database
        self.space = space
        self.order = order
    }

    /// An entity, or nil while it is not known.
    mutating func entity(_ key: Key, _ table: MaterialisedTable) throws -> Entity? {
        if let known = entities[key] { return known }
        let loaded = try load(key, table)
        entities[key] = .some(loaded)
        return loaded
    }

    /// Notes that an entity begins.
    /// - Returns: whether it was not known before.
    mutating func begin(
        _ key: Key, _ table: MaterialisedTable, creator: PersonID, at tie: Tie
    ) throws -> Bool {
        guard var present = try entity(key, table) else {
            entities[key] = Entity(creator: creator, began: tie, isStored: false)
            changed.insert(key)
            return true
        }
        guard try order.precedes(tie, present.began) else { return false }
        present.began = tie
        for field in table.columns where field.merge == .append {
            present.changedFields.insert(field.number)
        }
        entities[key] = present
        changed.insert(key)
        return false
    }

    /// Notes that a column is to be written.
    mutating func touch(_ key: Key, _ field: UInt64) {
        guard case .some(.some(var entity)) = entities[key] else { return }
        entity.changedFields.insert(field)
        entities[key] = entity
        changed.insert(key)
    }

    private func load(_ key: Key, _ table: MaterialisedTable) throws -> Entity? {
        let statement = try database.cachedStatement(sql: table.selectSQL)
        guard
            let row = try GRDB.Row.fetchOne(statement, arguments: [space, key.entity.sql])
        else { return nil }
        let number: Int64 = row[3]
        let place = BatchPlace(log: row[2], number: UInt64(clamping: number))
        return Entity(
            creator: try row.identifier(0, as: PersonID.self),
            began: Tie(stamp: try row.stamp(1), place: place, index: 0), isStored: true)
    }

    /// Writes the rows that changed, in the order of their ids.
    /// - Parameter value: what a column shows.
    mutating func flush(
        catalog: Catalog,
        value: (Key, Entity, MaterialisedTable, RecordCollection.Field) throws -> Value
    ) throws {
        for key in changed.sorted(by: { $0.entity < $1.entity }) {
            guard case .some(.some(let entity)) = entities[key],
                let table = catalog[key.collection]
            else { continue }
            let values = try table.columns.map { field in
                entity.changedFields.contains(field.number)
                    ? try value(key, entity, table, field) : nil
            }
            if entity.isStored {
                try update(key, entity, table, values)
            } else {
                try insert(key, entity, table, values)
            }
        }
        entities = [:]
        changed = []
    }

    private func insert(
        _ key: Key, _ entity: Entity, _ table: MaterialisedTable, _ values: [Value?]
    ) throws {
        var arguments: [DatabaseValue] = [
            space.databaseValue, key.entity.sql, entity.creator.sql, entity.began.stamp.sql,
            entity.began.place.log.databaseValue,
            Int64(clamping: entity.began.place.number).databaseValue,
        ]
        for (field, value) in zip(table.columns, values) {
            arguments.append((value ?? field.initialValue).sql)
        }
        try database.cachedStatement(sql: table.insertSQL)
            .execute(arguments: StatementArguments(arguments))
    }

    private func update(
        _ key: Key, _ entity: Entity, _ table: MaterialisedTable, _ values: [Value?]
    ) throws {
        var arguments: [DatabaseValue] = [
            entity.began.stamp.sql, entity.began.place.log.databaseValue,
            Int64(clamping: entity.began.place.number).databaseValue,
        ]
        for value in values {
            arguments.append((value == nil ? 0 : 1).databaseValue)
            arguments.append((value ?? .null).sql)
        }
        arguments += [space.databaseValue, key.entity.sql]
        try database.cachedStatement(sql: table.updateSQL)
            .execute(arguments: StatementArguments(arguments))
    }
}

extension RecordCollection.Field {
    /// What a column shows before anything was written.
    var initialValue: Value { merge == .counter ? counted(0) : .null }

    /// A counter's sum as it is shown: within the field's range.
    func counted(_ sum: Int64) -> Value {
        guard case .integer(let range) = type else { return .integer(sum) }
        return .integer(min(max(sum, range.lowerBound), range.upperBound))
    }
}
