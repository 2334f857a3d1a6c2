internal import GRDB
internal import Records

/// The registers that one transaction reads or writes: the winning write of each field. They are
/// merged in memory, and only the winners are stored.
struct RegisterCache {
    private let space: Int64
    private let order: TieOrder
    private let select: PreparedStatement
    private let selectAll: PreparedStatement
    private let upsert: PreparedStatement
    /// The indexes of registers without a slot, row after row; negative if there is none. Finding
    /// one needs no hashing, which would cost more than the merge.
    private var plain: ContiguousArray<Int32> = []
    /// The indexes of registers with a slot.
    private var slotted: [Key: Int] = [:]
    private var entries: ContiguousArray<Entry> = []

    /// The registers of one entity, by the columns of its table.
    struct Row {
        fileprivate let start: Int
    }

    /// The key of a register, and its index in the rows.
    struct Address {
        fileprivate let key: Key
        fileprivate let index: Int

        /// - Parameter slot: the writing person, if another field names the writer.
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

    /// The winning operation and its value. The value is nil if the stored register has none
    /// because the table's column shows it.
    struct Register {
        var tie: Tie
        var value: Value?
        let keepsValue: Bool
    }

    /// A register with its key. Tie and value are stored side by side, since the tie is read far
    /// more often.
    private struct Entry {
        let key: Key
        /// Nil before the first write.
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

    /// Reserves capacity for a number of registers.
    mutating func reserve(_ count: Int) {
        entries.reserveCapacity(count)
    }

    /// Adds the row of an entity, with one register per column of its table.
    mutating func makeRow(columns count: Int) -> Row {
        defer { plain.append(contentsOf: repeatElement(-1, count: count)) }
        return Row(start: plain.count)
    }

    /// Returns a register, or nil before the first write.
    mutating func register(_ address: Address) throws -> Register? {
        let index = try index(of: address, isLoaded: false)
        guard let tie = entries[index].tie else { return nil }
        return Register(
            tie: tie, value: entries[index].value, keepsValue: entries[index].keepsValue)
    }

    /// The maximum number of one entity's registers that are loaded together.
    private static let entityRegistersMax = 64

    /// Loads the stored registers of an entity with one query.
    /// - Returns: the extent; if an entity has very many registers, not all are loaded.
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
    /// - Parameter isLoaded: whether all stored registers of the entity are loaded.
    /// - Returns: whether the write won.
    mutating func merge(
        _ value: Value, _ tie: Tie, into address: Address, by field: MaterialisedField,
        isLoaded: Bool
    ) throws -> Bool {
        let index = try index(of: address, isLoaded: isLoaded)
        if let present = entries[index].tie {
            let isLater = try order.precedes(present, tie)
            guard isLater == (field.field.merge == .lastWriter) else { return false }
        }
        entries[index].write(value, tie, keepsValue: field.keepsValue)
        return true
    }

    /// Adds to a counter. The sum wraps around, so that it is the same in every order.
    mutating func count(_ delta: Int64, _ tie: Tie, into address: Address) throws {
        let index = try index(of: address, isLoaded: false)
        var sum: Int64 = 0
        if case .integer(let present) = entries[index].value { sum = present }
        entries[index].write(.integer(sum &+ delta), tie, keepsValue: true)
    }

    private mutating func index(of address: Address, isLoaded: Bool) throws -> Int {
        if let known = known(address) { return known }
        return insert(address, isLoaded ? nil : try load(address.key))
    }

    private func known(_ address: Address) -> Int? {
        guard address.key.slot == nil else { return slotted[address.key] }
        let index = plain[address.index]
        return index < 0 ? nil : Int(index)
    }

    @discardableResult
    private mutating func insert(_ address: Address, _ register: Register?) -> Int {
        let index = entries.count
        entries.append(Entry(address.key, register))
        if address.key.slot == nil {
            plain[address.index] = Int32(index)
        } else {
            slotted[address.key] = index
        }
        return index
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

    /// Stores the winners, in the order of the table.
    mutating func flush() throws {
        let changed = entries.indices.filter { entries[$0].isChanged }
        let ordered = changed.sorted { RegisterCache.precedes(entries[$0].key, entries[$1].key) }
        for index in ordered {
            guard let tie = entries[index].tie else { continue }
            let kept = entries[index].keepsValue ? entries[index].value?.encoded : nil
            try upsert.run { row in
                row.append(space, entries[index].key)
                row.append(tie.stamp)
                row.append(tie.place.rowID)
                row.append(Int64(tie.index))
                row.append(kept)
            }
            entries[index].isChanged = false
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
    /// Binds the key of a register; the slot is empty if no field names the writer.
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
