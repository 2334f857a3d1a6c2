internal import GRDB
internal import Records

/// The registers that one transaction touches: which write won each field so far. They are merged
/// in memory, and only the winners are written.
struct RegisterCache {
    private let database: Database
    private let space: Int64
    private let order: TieOrder
    private var registers: [Key: Register?] = [:]
    private var changed: Set<Key> = []

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

    init(database: Database, space: Int64, order: TieOrder) {
        self.database = database
        self.space = space
        self.order = order
    }

    /// The register of a key, or nil while nothing was written.
    mutating func register(_ key: Key) throws -> Register? {
        if let known = registers[key] { return known }
        let loaded = try load(key)
        registers[key] = .some(loaded)
        return loaded
    }

    /// Merges one write.
    /// - Returns: whether it won.
    mutating func merge(
        _ value: Value, _ tie: Tie, into key: Key, by rule: MergeRule, keepsValue: Bool
    ) throws -> Bool {
        if let present = try register(key) {
            let isLater = try order.precedes(present.tie, tie)
            guard isLater == (rule == .lastWriter) else { return false }
        }
        store(Register(tie: tie, value: value, keepsValue: keepsValue), key)
        return true
    }

    /// Adds to a counter. The sum wraps around, which keeps it the same in every order.
    mutating func count(_ delta: Int64, _ tie: Tie, into key: Key) throws {
        var sum: Int64 = 0
        if case .integer(let present) = try register(key)?.value { sum = present }
        store(Register(tie: tie, value: .integer(sum &+ delta), keepsValue: true), key)
    }

    private mutating func store(_ register: Register, _ key: Key) {
        registers[key] = register
        changed.insert(key)
    }

    private func load(_ key: Key) throws -> Register? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT stamp, batch, op, value FROM register
                WHERE space = ? AND entity = ? AND field = ? AND slot = ?
                """)
        guard let row = try GRDB.Row.fetchOne(statement, arguments: arguments(key)) else {
            return nil
        }
        let tie = Tie(stamp: try row.stamp(0), place: BatchPlace(rowID: row[1]), index: row[2])
        let bytes = row.bytes(3)
        guard !bytes.isEmpty else { return Register(tie: tie, value: nil, keepsValue: false) }
        var reader = ByteReader(bytes)
        return Register(tie: tie, value: try Value(from: &reader), keepsValue: true)
    }

    /// Writes the winners, in the order of the table.
    mutating func flush() throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO register
                    (space, entity, field, slot, stamp, batch, op, value)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for key in changed.sorted(by: RegisterCache.precedes) {
            guard case .some(.some(let register)) = registers[key] else { continue }
            var value: DatabaseValue = .null
            if register.keepsValue, let kept = register.value {
                var bytes: [UInt8] = []
                kept.encode(into: &bytes)
                value = bytes.sql
            }
            try statement.execute(
                arguments: arguments(key) + [
                    register.tie.stamp.sql, register.tie.place.rowID, register.tie.index, value,
                ])
        }
        changed = []
    }

    private func arguments(_ key: Key) -> StatementArguments {
        [
            space, key.entity.sql, Int64(clamping: key.field),
            key.slot?.sql ?? [UInt8]().sql,
        ]
    }

    private static func precedes(_ one: Key, _ other: Key) -> Bool {
        if one.entity != other.entity { return one.entity < other.entity }
        if one.field != other.field { return one.field < other.field }
        guard let slot = other.slot else { return false }
        return one.slot.map { $0 < slot } ?? true
    }
}
