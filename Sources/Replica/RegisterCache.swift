internal import GRDB
internal import Records

/// The registers that one transaction touches: which write won each field so far. They are merged
/// in memory, and only the winners are written.
struct RegisterCache {
    private let space: Int64
    private let order: TieOrder
    private let select: PreparedStatement
    private let selectAll: PreparedStatement
    private let upsert: PreparedStatement
    private var places: [Key: Int] = [:]
    private var entries: ContiguousArray<Entry> = []

    /// A field of an entity, and the writing person where a field names its writer.
    struct Key: Hashable {
        let entity: EntityID
        let field: UInt64
        let slot: PersonID?
    }

    /// The operation that won, and its value. The value is nil where it was loaded from a register
    /// that keeps none because the table's column shows it.
    struct Register {
        var tie: Tie
        var value: Value?
        let keepsValue: Bool
    }

    private struct Entry {
        let key: Key
        /// Nil while nothing was written.
        var register: Register?
        var isChanged = false
    }

    init(database: Database, space: Int64, order: TieOrder) throws {
        self.space = space
        self.order = order
        select = try PreparedStatement(
            database,
            """
            SELECT stamp, batch, op, value FROM register
            WHERE space = ? AND entity = ? AND field = ? AND slot = ?
            """)
        selectAll = try PreparedStatement(
            database,
            """
            SELECT stamp, batch, op, value, field, slot FROM register
            WHERE space = ? AND entity = ? LIMIT \(RegisterCache.entityRegistersMax + 1)
            """)
        upsert = try PreparedStatement(
            database,
            """
            INSERT OR REPLACE INTO register
                (space, entity, field, slot, stamp, batch, op, value)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    /// Makes room for so many registers.
    mutating func reserve(_ count: Int) {
        places.reserveCapacity(count)
        entries.reserveCapacity(count)
    }

    /// The register of a key, or nil while nothing was written.
    mutating func register(_ key: Key) throws -> Register? {
        let place = try place(of: key, isLoaded: false)
        return entries[place].register
    }

    /// Registers of one entity that are loaded together, at most.
    private static let entityRegistersMax = 64

    /// Loads what is stored of an entity in one pass.
    /// - Returns: what was loaded; of an entity with very many registers not all are.
    mutating func loadAll(of entity: EntityID) throws -> EntityCache.RegistersLoaded {
        var count = 0
        try selectAll.rows({
            $0.append(space)
            $0.append(entity)
        }) { columns in
            count += 1
            guard count <= RegisterCache.entityRegistersMax else { return false }
            let slot = columns.bytes(5)
            let key = Key(
                entity: entity, field: UInt64(clamping: columns.integer(4)),
                slot: slot.isEmpty ? nil : PersonID(bytes: slot))
            if places[key] == nil { insert(key, try RegisterCache.register(columns)) }
            return true
        }
        return count <= RegisterCache.entityRegistersMax ? .all : .many
    }

    /// Merges one write.
    /// - Parameter isLoaded: whether all that is stored of the entity is here already.
    /// - Returns: whether it won.
    mutating func merge(
        _ value: Value, _ tie: Tie, into key: Key, by field: MaterialisedField, isLoaded: Bool
    ) throws -> Bool {
        let place = try place(of: key, isLoaded: isLoaded)
        if let present = entries[place].register?.tie {
            let isLater = try order.precedes(present, tie) || Planted.orderedByArrival.isIn
            guard isLater == (field.field.merge == .lastWriter) else { return false }
        }
        entries[place].register = Register(tie: tie, value: value, keepsValue: field.keepsValue)
        entries[place].isChanged = true
        return true
    }

    /// Adds to a counter. The sum wraps around, which keeps it the same in every order.
    mutating func count(_ delta: Int64, _ tie: Tie, into key: Key) throws {
        let place = try place(of: key, isLoaded: false)
        var sum: Int64 = 0
        if case .integer(let present) = entries[place].register?.value { sum = present }
        entries[place].register = Register(
            tie: tie, value: .integer(sum &+ delta), keepsValue: true)
        entries[place].isChanged = true
    }

    private mutating func place(of key: Key, isLoaded: Bool) throws -> Int {
        if let known = places[key] { return known }
        return insert(key, isLoaded ? nil : try load(key))
    }

    @discardableResult
    private mutating func insert(_ key: Key, _ register: Register?) -> Int {
        let place = entries.count
        entries.append(Entry(key: key, register: register))
        places[key] = place
        return place
    }

    private func load(_ key: Key) throws -> Register? {
        try select.first({ $0.append(space, key) }, RegisterCache.register)
    }

    private static func register(_ columns: Columns) throws -> Register {
        let tie = Tie(
            stamp: try columns.stamp(0), place: BatchPlace(rowID: columns.integer(1)),
            index: Int(columns.integer(2)))
        guard !columns.isNull(3) else {
            return Register(tie: tie, value: nil, keepsValue: false)
        }
        var reader = ByteReader(columns.bytes(3))
        return Register(tie: tie, value: try Value(from: &reader), keepsValue: true)
    }

    /// Writes the winners, in the order of the table.
    mutating func flush() throws {
        let changed = entries.indices.filter { entries[$0].isChanged }
        let ordered = changed.sorted { RegisterCache.precedes(entries[$0].key, entries[$1].key) }
        for place in ordered {
            guard let register = entries[place].register else { continue }
            try upsert.run { row in
                row.append(space, entries[place].key)
                row.append(register.tie.stamp)
                row.append(register.tie.place.rowID)
                row.append(Int64(register.tie.index))
                row.append(register.keepsValue ? register.value?.encoded : nil)
            }
            entries[place].isChanged = false
        }
    }

    private static func precedes(_ one: Key, _ other: Key) -> Bool {
        if one.entity != other.entity { return one.entity < other.entity }
        if one.field != other.field { return one.field < other.field }
        guard let slot = other.slot else { return false }
        return one.slot.map { $0 < slot } ?? true
    }
}

extension Bindings {
    /// The key of a register; an empty slot is the one of a field without a named writer.
    fileprivate mutating func append(_ space: Int64, _ key: RegisterCache.Key) {
        append(space)
        append(key.entity)
        append(Int64(clamping: key.field))
        if let slot = key.slot { append(slot) } else { append([UInt8]()) }
    }
}

extension Value {
    /// The one encoding of this value.
    fileprivate var encoded: [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes
    }
}
