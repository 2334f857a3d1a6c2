internal import GRDB
internal import Records

/// A record of an open space as its creator writes it anew.
struct RecordAnew {
    /// The operation that begins the record.
    let beginning: Operation.Action
    /// The present values of its fields, without empty ones, in the order of their numbers.
    let fields: [(field: RecordCollection.Field, value: Value)]
    /// The present elements of its sets, in the order of the fields' numbers.
    let elements: [(field: RecordCollection.Field, value: Value)]
}

extension OperationMerge {
    /// Reads what a record consists of now, from the batches that wrote it.
    /// - Returns: nil if the record is not known, or the batch that began it is damaged.
    func anew(_ key: EntityCache.Key, _ table: MaterialisedTable) throws -> RecordAnew? {
        guard let began = try began(key, table) else { return nil }
        let beginning = began.body.operations.first {
            $0.key == key && $0.action.isCreate
        }?.action
        guard let beginning else { return nil }
        var fields: [(RecordCollection.Field, Value)] = []
        for write in try writes(of: key) {
            guard let field = table.field(write.field),
                let operations = try stored(write.place)?.body.operations,
                operations.indices.contains(write.index),
                case .set(_, let value) = operations[write.index].action,
                value != .null, field.merge != .append || write.place == began.place
            else { continue }
            fields.append((field, value))
        }
        var elements: [(RecordCollection.Field, Value)] = []
        for field in table.sets.sorted(by: { $0.number < $1.number }) {
            elements += try self.elements(of: key, field, table).map { (field, $0) }
        }
        return RecordAnew(
            beginning: beginning,
            fields: fields.sorted { $0.0.number < $1.0.number }, elements: elements)
    }

    /// Returns the batch that began a record.
    private func began(_ key: EntityCache.Key, _ table: MaterialisedTable) throws -> PlacedBatch? {
        let place = try PreparedStatement(database, table.selectSQL).first({
            $0.append(space.number)
            $0.append(key.entity)
        }) { BatchPlace(log: $0.integer(2), number: UInt64(clamping: $0.integer(3))) }
        return try place.flatMap(stored)
    }

    /// Returns the operations that won the record's fields.
    private func writes(
        of key: EntityCache.Key
    ) throws -> [(field: UInt64, place: BatchPlace, index: Int)] {
        var found: [(UInt64, BatchPlace, Int)] = []
        try PreparedStatement(
            database, "SELECT field, batch, op FROM register WHERE space = ? AND entity = ?"
        ).rows({
            $0.append(space.number)
            $0.append(key.entity)
        }) {
            found.append(
                (
                    UInt64(clamping: $0.integer(0)), BatchPlace(rowID: $0.integer(1)),
                    Int($0.integer(2))
                ))
            return true
        }
        return found
    }

    /// Returns the elements of a set as they were added, each once.
    private func elements(
        of key: EntityCache.Key, _ field: RecordCollection.Field, _ table: MaterialisedTable
    ) throws -> [Value] {
        let shown = Set(
            try DatabaseValue.fetchAll(
                database,
                sql: """
                    SELECT element FROM "\(table.name(of: field))" WHERE space = ? AND entity = ?
                    """, arguments: [space.number, key.entity.sql]))
        guard !shown.isEmpty else { return [] }
        let mentions = MentionTable(database: database, space: space.number, catalog: catalog)
        var added: [DatabaseValue: Value] = [:]
        for place in try mentions.places(of: [key]) {
            for operation in try stored(place)?.body.operations ?? [] where operation.key == key {
                guard case .add(field.number, let value) = operation.action else { continue }
                added[value.sql] = value
            }
        }
        return shown.compactMap { added[$0] }.sorted { $0.encodedOrder < $1.encodedOrder }
    }
}

extension Value {
    /// Any order that is always the same.
    fileprivate var encodedOrder: String { String(describing: self) }
}
