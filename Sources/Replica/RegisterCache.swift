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
    /// Where the registers without a slot stand, row after row; none where it is negative. A place
    /// in a row is found without hashing, which would cost more than merging.
    private var plain: ContiguousArray<Int32> = []
    /// Where those with a slot stand.
    private var slotted: [Key: Int] = [:]
    private var entries: ContiguousArray<Entry> = []

    /// The registers of one entity, by the columns of its table.
    struct Row {
        fileprivate let start: Int
    }

    /// A register and where to look for it.
    struct Address {
        fileprivate let key: Key
        fileprivate let index: Int

        /// - Parameter slot: the writing person where a field names its writer.
        init(_ entity: EntityID, _ row: Row, column: Int, field: UInt64, slot: PersonID?) {
            key = Key(entity: entity, field: field, slot: slot)
            index = row.start + column
        }
    }

    fileprivate struct Key: Hashable {
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

    /// A register with its key, its parts side by side: the tie is asked for far more often than
    /// the value.
    private struct Entry {
        let key: Key
        /// Nil while nothing was written.
        var tie: Tie?
        var value: Value?
        var keepsValue = false
        var isChanged = false

        init(_ key: Key, _ register: Register?) {
            self.key = key
            guard let register else { return }
            (tie, value, keepsValue) = (register.tie, register.value, register.keepsValue)
        }

        mutating func write(_ value: Value, _ tie: Tie, keepsValue: Bool) {
            (self.tie, self.value, self.keepsValue) = (tie, value, keepsValue)
            isChanged = true
        }
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
        entries.reserveCapacity(count)
    }

    /// Makes room for the registers of an entity, one per column of its table.
    mutating func makeRow(columns count: Int) -> Row {
        defer { plain.append(contentsOf: repeatElement(-1, count: count)) }
        return Row(start: plain.count)
    }

    /// A register, or nil while nothing was written.
    mutating func register(_ address: Address) throws -> Register? {
        let place = try place(of: address, isLoaded: false)
        guard let tie = entries[place].tie else { return nil }
        return Register(
            tie: tie, value: entries[place].value, keepsValue: entries[place].keepsValue)
    }

    /// Registers of one entity that are loaded together, at most.
    private static let entityRegistersMax = 64

    /// Loads what is stored of an entity in one pass.
    /// - Returns: what was loaded; of an entity with very many registers not all are.
    mutating func loadAll(
        of entity: EntityID, _ row: Row, _ table: MaterialisedTable
    ) throws -> EntityCache.RegistersLoaded {
        var count = 0
        try selectAll.rows({
            $0.append(space)
            $0.append(entity)
        }) { columns in
            count += 1
            guard count <= RegisterCache.entityRegistersMax else { return false }
            let field = UInt64(clamping: columns.integer(4))
            guard let column = table.materialised(field)?.column else { return true }
            let slot = columns.bytes(5)
            let address = Address(
                entity, row, column: column, field: field,
                slot: slot.isEmpty ? nil : PersonID(bytes: slot))
            if known(address) == nil { insert(address, try RegisterCache.register(columns)) }
            return true
        }
        return count <= RegisterCache.entityRegistersMax ? .all : .many
    }

    /// Merges one write.
    /// - Parameter isLoaded: whether all that is stored of the entity is here already.
    /// - Returns: whether it won.
    mutating func merge(
        _ value: Value, _ tie: Tie, into address: Address, by field: MaterialisedField,
        isLoaded: Bool
    ) throws -> Bool {
        let place = try place(of: address, isLoaded: isLoaded)
        if let present = entries[place].tie {
            let isLater = try order.precedes(present, tie) || Planted.orderedByArrival.isIn
            guard isLater == (field.field.merge == .lastWriter) else { return false }
        }
        entries[place].write(value, tie, keepsValue: field.keepsValue)
        return true
    }

    /// Adds to a counter. The sum wraps around, which keeps it the same in every order.
    mutating func count(_ delta: Int64, _ tie: Tie, into address: Address) throws {
        let place = try place(of: address, isLoaded: false)
        var sum: Int64 = 0
        if case .integer(let present) = entries[place].value { sum = present }
        entries[place].write(.integer(sum &+ delta), tie, keepsValue: true)
    }

    private mutating func place(of address: Address, isLoaded: Bool) throws -> Int {
        if let known = known(address) { return known }
        return insert(address, isLoaded ? nil : try load(address.key))
    }

    private func known(_ address: Address) -> Int? {
        guard address.key.slot == nil else { return slotted[address.key] }
        let place = plain[address.index]
        return place < 0 ? nil : Int(place)
    }

    @discardableResult
    private mutating func insert(_ address: Address, _ register: Register?) -> Int {
        let place = entries.count
        entries.append(Entry(address.key, register))
        if address.key.slot == nil {
            plain[address.index] = Int32(place)
        } else {
            slotted[address.key] = place
        }
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
            guard let tie = entries[place].tie else { continue }
            let kept = entries[place].keepsValue ? entries[place].value?.encoded : nil
            try upsert.run { row in
                row.append(space, entries[place].key)
                row.append(tie.stamp)
                row.append(tie.place.rowID)
                row.append(Int64(tie.index))
                row.append(kept)
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
