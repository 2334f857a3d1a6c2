internal import GRDB
internal import Records

/// The entities that one transaction reads or writes: their creators, and the changed columns.
struct EntityCache {
    private let database: Database
    private let space: Int64
    private let order: TieOrder
    private var indexes: [Key: Int] = [:]
    private var entries: ContiguousArray<Entry> = []

    /// An entity of a collection.
    struct Key: Hashable {
        let collection: CollectionID
        let entity: EntityID
    }

    /// The beginning of an entity. Of several beginnings the first in ``TieOrder`` counts.
    struct Entity {
        let creator: PersonID
        var began: Tie
        let isStored: Bool
    }

    /// A row to be written.
    struct ShownRow {
        let id: EntityID
        let entity: Entity
        let table: MaterialisedTable
        let registers: RegisterCache.Row?
    }

    /// The extent to which an entity's registers are loaded.
    enum RegistersLoaded {
        /// The ones used so far.
        case oneByOne
        /// As many as are loaded together; there are more.
        case many
        /// All stored ones.
        case all
    }

    private struct Entry {
        let key: Key
        /// Nil while the entity is not known.
        var entity: Entity?
        var isChanged = false
        var registersLoaded = RegistersLoaded.oneByOne
        /// The row of its registers, once one was used.
        var registers: RegisterCache.Row?
        /// The columns to be written.
        var columns = ColumnSet()
    }

    init(database: Database, space: Int64, order: TieOrder) {
        self.database = database
        self.space = space
        self.order = order
    }

    /// Returns the index of an entity in this cache, known or not.
    mutating func index(of key: Key, _ table: MaterialisedTable) throws -> Int {
        if let known = indexes[key] { return known }
        let index = entries.count
        entries.append(Entry(key: key, entity: try load(key, table)))
        indexes[key] = index
        return index
    }

    /// Returns the entity at an index, or nil while it is not known.
    func entity(at index: Int) -> Entity? { entries[index].entity }

    /// Returns the extent to which an entity's registers are loaded; an entity that begins in this
    /// transaction has none stored.
    func registersLoaded(_ index: Int) -> RegistersLoaded {
        entries[index].entity?.isStored == false ? .all : entries[index].registersLoaded
    }

    /// Sets the extent to which an entity's registers are loaded.
    mutating func setRegistersLoaded(_ loaded: RegistersLoaded, _ index: Int) {
        entries[index].registersLoaded = loaded
    }

    /// Returns the row of an entity's registers, or nil while none was used.
    func registers(_ index: Int) -> RegisterCache.Row? { entries[index].registers }

    /// Sets the row of an entity's registers.
    mutating func setRegisters(_ row: RegisterCache.Row, _ index: Int) {
        entries[index].registers = row
    }

    /// Records the beginning of an entity.
    /// - Returns: whether it was not known before.
    mutating func begin(
        _ key: Key, _ table: MaterialisedTable, creator: PersonID, at tie: Tie
    ) throws -> Bool {
        let index = try index(of: key, table)
        guard var present = entries[index].entity else {
            entries[index].entity = Entity(creator: creator, began: tie, isStored: false)
            entries[index].isChanged = true
            return true
        }
        guard try order.precedes(tie, present.began) else { return false }
        present.began = tie
        entries[index].entity = present
        entries[index].isChanged = true
        for (column, field) in table.columns.enumerated() where field.merge == .append {
            entries[index].columns.insert(column)
        }
        return false
    }

    /// Marks a column as changed.
    mutating func touch(_ index: Int, column: Int) {
        entries[index].columns.insert(column)
        entries[index].isChanged = true
    }

    private func load(_ key: Key, _ table: MaterialisedTable) throws -> Entity? {
        try PreparedStatement(database, table.selectSQL).first({
            $0.append(space)
            $0.append(key.entity)
        }) { columns in
            let place = BatchPlace(
                log: columns.integer(2), number: UInt64(clamping: columns.integer(3)))
            return Entity(
                creator: try columns.identifier(0, as: PersonID.self),
                began: Tie(stamp: try columns.stamp(1), place: place, index: 0), isStored: true)
        }
    }

    /// Writes the changed rows, in the order of the tables.
    /// - Parameter value: returns the value that a column shows.
    mutating func flush(
        catalog: Catalog, value: (ShownRow, Int) throws -> Value
    ) throws {
        let changed = entries.filter(\.isChanged).sorted { EntityCache.precedes($0.key, $1.key) }
        for entry in changed {
            guard let entity = entry.entity, let table = catalog[entry.key.collection] else {
                continue
            }
            let row = ShownRow(
                id: entry.key.entity, entity: entity, table: table, registers: entry.registers)
            let values = try table.columns.indices.map { column in
                entry.columns.contains(column) ? try value(row, column) : nil
            }
            if entity.isStored {
                try update(entry.key, entity, table, values)
            } else {
                try insert(entry.key, entity, table, values)
            }
        }
        indexes = [:]
        entries = []
    }

    private static func precedes(_ one: Key, _ other: Key) -> Bool {
        one.collection != other.collection
            ? one.collection < other.collection : one.entity < other.entity
    }

    private func insert(
        _ key: Key, _ entity: Entity, _ table: MaterialisedTable, _ values: [Value?]
    ) throws {
        try PreparedStatement(database, table.insertSQL).run { row in
            row.append(space)
            row.append(key.entity)
            row.append(entity.creator)
            row.append(entity.began)
            for (field, value) in zip(table.columns, values) {
                row.append(value ?? field.initialValue)
            }
        }
    }

    private func update(
        _ key: Key, _ entity: Entity, _ table: MaterialisedTable, _ values: [Value?]
    ) throws {
        try PreparedStatement(database, table.updateSQL).run { row in
            row.append(entity.began)
            for value in values {
                row.append(value == nil ? Int64(0) : 1)
                row.append(value ?? .null)
            }
            row.append(space)
            row.append(key.entity)
        }
    }
}

extension Bindings {
    /// Binds the beginning of an entity: the stamp, the log and the number of the batch.
    fileprivate mutating func append(_ began: Tie) {
        append(began.stamp)
        append(began.place.log)
        append(Int64(clamping: began.place.number))
    }
}

extension RecordCollection.Field {
    /// The value that a column shows before the first write.
    var initialValue: Value { merge == .counter ? counted(0) : .null }

    /// Returns a counter's sum as it is shown: limited to the field's range.
    func counted(_ sum: Int64) -> Value {
        guard case .integer(let range) = type else { return .integer(sum) }
        return .integer(min(max(sum, range.lowerBound), range.upperBound))
    }
}
