internal import GRDB
internal import Records

/// The entities that one transaction touches: who began each, and which columns changed.
struct EntityCache {
    private let database: Database
    private let space: Int64
    private let order: TieOrder
    private var places: [Key: Int] = [:]
    private var entries: ContiguousArray<Entry> = []

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
    }

    /// A row that is to be written.
    struct ShownRow {
        let id: EntityID
        let entity: Entity
        let table: MaterialisedTable
        let registers: RegisterCache.Row?
    }

    /// What was loaded of the registers of an entity.
    enum RegistersLoaded {
        /// Those that were asked for.
        case oneByOne
        /// As many as are loaded together; there are more.
        case many
        /// All that are stored.
        case all
    }

    private struct Entry {
        let key: Key
        /// Nil while it is not known.
        var entity: Entity?
        var isChanged = false
        var registersLoaded = RegistersLoaded.oneByOne
        /// Where its registers are, once one was asked for.
        var registers: RegisterCache.Row?
        /// The columns that are to be written.
        var columns = ColumnSet()
    }

    init(database: Database, space: Int64, order: TieOrder) {
        self.database = database
        self.space = space
        self.order = order
    }

    /// Where an entity stands in this cache, known or not.
    mutating func place(of key: Key, _ table: MaterialisedTable) throws -> Int {
        if let known = places[key] { return known }
        let place = entries.count
        entries.append(Entry(key: key, entity: try load(key, table)))
        places[key] = place
        return place
    }

    /// The entity at a place, or nil while it is not known.
    func entity(at place: Int) -> Entity? { entries[place].entity }

    /// What was loaded of an entity's registers; one that begins here has none stored.
    func registersLoaded(_ place: Int) -> RegistersLoaded {
        entries[place].entity?.isStored == false ? .all : entries[place].registersLoaded
    }

    /// Notes what was loaded of an entity's registers.
    mutating func noteLoaded(_ loaded: RegistersLoaded, _ place: Int) {
        entries[place].registersLoaded = loaded
    }

    /// Where an entity's registers are, or nil while none was asked for.
    func registers(_ place: Int) -> RegisterCache.Row? { entries[place].registers }

    /// Notes where an entity's registers are.
    mutating func noteRegisters(_ row: RegisterCache.Row, _ place: Int) {
        entries[place].registers = row
    }

    /// Notes that an entity begins.
    /// - Returns: whether it was not known before.
    mutating func begin(
        _ key: Key, _ table: MaterialisedTable, creator: PersonID, at tie: Tie
    ) throws -> Bool {
        let place = try place(of: key, table)
        guard var present = entries[place].entity else {
            entries[place].entity = Entity(creator: creator, began: tie, isStored: false)
            entries[place].isChanged = true
            return true
        }
        guard try order.precedes(tie, present.began) else { return false }
        present.began = tie
        entries[place].entity = present
        entries[place].isChanged = true
        for (column, field) in table.columns.enumerated() where field.merge == .append {
            entries[place].columns.insert(column)
        }
        return false
    }

    /// Notes that a column is to be written.
    mutating func touch(_ place: Int, column: Int) {
        entries[place].columns.insert(column)
        entries[place].isChanged = true
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

    /// Writes the rows that changed, in the order of the tables.
    /// - Parameter value: what a column shows.
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
        places = [:]
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
    /// When an entity began: the stamp, the log and the number of the batch.
    fileprivate mutating func append(_ began: Tie) {
        append(began.stamp)
        append(began.place.log)
        append(Int64(clamping: began.place.number))
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
