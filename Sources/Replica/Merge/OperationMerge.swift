internal import GRDB
internal import Records

/// Merges batches of one space into its tables, within one transaction.
///
/// The result does not depend on the order of the batches: first all entities begin, then all
/// fields are written, then operations that waited for one of these entities.
final class OperationMerge {
    let database: Database
    let space: SpaceState
    let catalog: Catalog
    private let judge: OperationJudge
    let batches: BatchTable
    private var entities: EntityCache
    private var registers: RegisterCache
    private var sets: SetTables
    private let device: DeviceID
    private let mentions: MentionTable
    /// The records to merge; nil for all.
    private let records: Set<EntityCache.Key>?
    private var changes: CommitChanges
    /// Whether the merge is large enough to load whole entities.
    private var isBulk = false
    /// Whether a damaged batch was found.
    private(set) var hasFoundDamage = false
    /// The operations of each log that were found void, and those that began to wait, minus those
    /// that wait no longer.
    private(set) var rows: [Int64: RowCounts] = [:]

    /// - Parameters:
    ///   - space: the space, with the logs of all batches to be merged.
    ///   - device: the replica's own device.
    ///   - records: the records to merge; nil for all.
    init(
        _ database: Database, _ space: SpaceState, _ catalog: Catalog, device: DeviceID,
        only records: Set<EntityCache.Key>? = nil
    ) throws {
        self.database = database
        self.space = space
        self.catalog = catalog
        judge = OperationJudge(space, catalog)
        batches = BatchTable(database: database)
        let order = TieOrder(logs: space.namesByNumber, batches: batches)
        entities = EntityCache(database: database, space: space.number, order: order)
        registers = try RegisterCache(database: database, space: space.number, order: order)
        sets = SetTables(database: database, space: space.number)
        changes = CommitChanges(space: space.descriptor, device: device, batches: 0)
        self.device = device
        mentions = MentionTable(database: database, space: space.number, catalog: catalog)
        self.records = records
    }

    private func isMerged(_ operation: Operation) -> Bool {
        records?.contains(operation.key) ?? true
    }

    /// The minimum number of batches for which whole entities are loaded, since several fields of
    /// each are then written.
    private static let bulkBatchesMin = 256

    /// Merges stored batches that were not merged before.
    /// - Parameter erased: the batches that erases among them removed.
    /// - Returns: a commit for each, in the same order.
    func apply(
        _ placed: [PlacedBatch], erased: [ErasingProgress.ErasedBatch] = []
    ) throws -> [Commit] {
        isBulk = placed.count >= OperationMerge.bulkBatchesMin
        changes = CommitChanges(
            space: space.descriptor, device: device, batches: placed.count)
        if isBulk { registers.reserve(placed.reduce(0) { $0 + $1.body.operations.count }) }
        // In an open space, a batch writes only the records that it begins.
        if !space.isOpen { try mentions.insert(placed) }
        var begun: [(key: EntityCache.Key, commit: Int)] = []
        var creating: [Int: Set<EntityCache.Key>] = [:]
        for (commit, batch) in placed.enumerated() where batch.body.hasCreate {
            let keys = try begin(batch, for: commit, newlyKnown: &begun)
            if space.isOpen { for key in keys { try mentions.insert(key.entity, batch.place) } }
            creating[commit] = keys
        }
        for (commit, batch) in placed.enumerated() {
            changes.reserve(batch.body.operations.count, for: commit)
            let begunHere = creating.isEmpty ? nil : creating[commit]
            for (index, operation) in batch.body.operations.enumerated()
            where !operation.action.isCreate && isMerged(operation) {
                let isCreating = begunHere?.contains(operation.key) ?? false
                try write(operation, index, batch, isCreating: isCreating, for: commit)
            }
        }
        try mergeWaiting(for: begun)
        recordErased(erased, in: placed)
        try flush()
        return placed.enumerated().map { changes.commit($0, $1, in: space.id) }
    }

    // MARK: Beginning

    private func begin(
        _ batch: PlacedBatch, for commit: Int,
        newlyKnown: inout [(key: EntityCache.Key, commit: Int)]
    ) throws -> Set<EntityCache.Key> {
        var keys: Set<EntityCache.Key> = []
        for (index, operation) in batch.body.operations.enumerated()
        where operation.action.isCreate && isMerged(operation) {
            switch judge.verdict(onCreate: operation, by: batch.author) {
            case .begins(let table):
                let tie = batch.tie(of: index)
                let isNew = try entities.begin(
                    operation.key, table, creator: batch.author.person, at: tie)
                if isNew { newlyKnown.append((operation.key, commit)) }
                keys.insert(operation.key)
                changes.record(operation, table, batch.author, for: commit)
                changes.recordCreated(operation, for: commit)
            case .void: try recordVoid(index, batch.place)
            case .unknown, .waits, .writes: continue
            }
        }
        return keys
    }

    /// Merges the operations that waited for entities that began.
    private func mergeWaiting(for begun: [(key: EntityCache.Key, commit: Int)]) throws {
        guard space.waitingCount > 0 || rows.values.contains(where: { $0.waiting > 0 }) else {
            return
        }
        let waiting = WaitingTable(database: database, space: space.number)
        var ready: [(WaitingTable.Place, commit: Int)] = []
        for (key, commit) in begun {
            var isLast = false
            while !isLast {
                let places = try waiting.removeFirst(
                    OperationMerge.readyOperationsMax - ready.count, of: key)
                for place in places { rows[place.batch.log, default: RowCounts()].waiting -= 1 }
                ready += places.map { ($0, commit) }
                isLast = ready.count < OperationMerge.readyOperationsMax
                guard !isLast else { continue }
                try merge(ready)
                ready = []
            }
        }
        try merge(ready)
    }

    /// The number of waiting operations that are merged together, so that each of their batches is
    /// read once; it bounds the memory.
    static let readyOperationsMax = 16_384

    private func merge(_ ready: [(WaitingTable.Place, commit: Int)]) throws {
        var batch: PlacedBatch?
        for (place, commit) in ready.sorted(by: { $0.0 < $1.0 }) {
            let present =
                try batch.flatMap { $0.place == place.batch ? $0 : nil }
                ?? stored(place.batch)
            batch = present
            guard let present else { continue }
            guard present.body.operations.indices.contains(place.index) else {
                hasFoundDamage = true
                continue
            }
            try write(
                present.body.operations[place.index], place.index, present, isCreating: false,
                for: commit)
        }
    }

    /// Reads a stored batch; nil if its body is missing or damaged.
    func stored(_ place: BatchPlace) throws -> PlacedBatch? {
        guard let batch = try batches.batch(at: place), let author = space.author(place.log),
            let content = batch.readableContent
        else {
            hasFoundDamage = true
            return nil
        }
        guard let body = content.body else { return nil }
        return PlacedBatch(
            place: place, author: author, stamp: batch.stamp, hash: batch.hash, body: body)
    }

    /// Records the operations of erased batches, so that the commits of their erases report the
    /// records.
    private func recordErased(_ erased: [ErasingProgress.ErasedBatch], in placed: [PlacedBatch]) {
        guard !erased.isEmpty else { return }
        let commits = Dictionary(
            placed.enumerated().map { ($1.place, $0) }, uniquingKeysWith: { first, _ in first })
        for batch in erased {
            guard let commit = commits[batch.eraser] else { continue }
            for operation in batch.operations {
                guard let table = catalog[operation.collection] else { continue }
                changes.record(operation, table, batch.author, for: commit)
            }
        }
    }

    // MARK: Writing

    private func write(
        _ operation: Operation, _ index: Int, _ batch: PlacedBatch, isCreating: Bool,
        for commit: Int
    ) throws {
        let table = catalog[operation.collection]
        let entityIndex = try table.map { try entities.index(of: operation.key, $0) }
        let entity = entityIndex.flatMap { entities.entity(at: $0) }
        let verdict = judge.verdict(
            onWrite: operation, in: table, by: batch.author, creator: entity?.creator,
            isCreating: isCreating)
        switch verdict {
        case .void: try recordVoid(index, batch.place)
        case .waits: try recordWaiting(operation, index, batch.place)
        case .writes(let table, let field):
            guard let entityIndex else { return }
            if isBulk, entities.registersLoaded(entityIndex) == .oneByOne {
                let row = registerRow(of: entityIndex, table)
                entities.setRegistersLoaded(
                    try registers.loadAll(of: operation.entity, row, table), entityIndex)
            }
            try merge(operation, index, batch, field, in: table, entityIndex)
            changes.record(operation, table, batch.author, for: commit)
        case .unknown, .begins: return
        }
    }

    /// - Parameter entityIndex: the index of the entity in the cache.
    private func merge(
        _ operation: Operation, _ index: Int, _ batch: PlacedBatch, _ field: MaterialisedField,
        in table: MaterialisedTable, _ entityIndex: Int
    ) throws {
        let slot = field.keepsSlots ? batch.author.person : nil
        switch operation.action {
        case .set(_, let value):
            guard let column = field.column else { return }
            let register = register(operation.entity, at: entityIndex, table, field, column, slot)
            let isWinner = try registers.merge(
                value, batch.tie(of: index), into: register, by: field,
                isLoaded: entities.registersLoaded(entityIndex) == .all)
            guard isWinner else { return }
            entities.touch(entityIndex, column: column)
            for named in field.named { touch(named, operation.key, entityIndex) }
        case .count(_, let delta):
            guard let column = field.column else { return }
            let register = register(operation.entity, at: entityIndex, table, field, column, slot)
            try registers.count(delta, batch.tie(of: index), into: register)
            entities.touch(entityIndex, column: column)
        case .add, .remove:
            try sets.merge(
                operation.action, dot: Dot(batch: batch.hash, operationIndex: index),
                into: operation.key.set(field.field), slot: slot)
        case .create, .createOwn, .grant, .accept, .cut, .erase: return
        }
    }

    private func register(
        _ entity: EntityID, at entityIndex: Int, _ table: MaterialisedTable,
        _ field: MaterialisedField,
        _ column: Int, _ slot: PersonID?
    ) -> RegisterCache.Address {
        RegisterCache.Address(
            entity, registerRow(of: entityIndex, table), column: column, field: field.number,
            slot: slot)
    }

    /// Returns the row of an entity's registers.
    private func registerRow(of entityIndex: Int, _ table: MaterialisedTable) -> RegisterCache.Row {
        if let row = entities.registers(entityIndex) { return row }
        let row = registers.makeRow(columns: table.columns.count)
        entities.setRegisters(row, entityIndex)
        return row
    }

    /// Shows the writes of a newly named person.
    private func touch(
        _ named: RecordCollection.Field, _ key: EntityCache.Key, _ entityIndex: Int
    ) {
        if named.merge == .addWinsSet {
            sets.touch(key.set(named))
        } else if let column = catalog[key.collection]?.materialised(named.number)?.column {
            entities.touch(entityIndex, column: column)
        }
    }

    private func recordVoid(_ index: Int, _ place: BatchPlace) throws {
        try PreparedStatement(database, "INSERT OR IGNORE INTO void VALUES (?, ?, ?)").run {
            $0.append(space.number)
            $0.append(place.rowID)
            $0.append(Int64(index))
        }
        rows[place.log, default: RowCounts()].void += database.changesCount
    }

    private func recordWaiting(_ operation: Operation, _ index: Int, _ place: BatchPlace) throws {
        try WaitingTable(database: database, space: space.number)
            .insert(operation.key, WaitingTable.Place(batch: place, index: index))
        rows[place.log, default: RowCounts()].waiting += database.changesCount
    }

    // MARK: Showing

    private func flush() throws {
        try entities.flush(catalog: catalog, value: value)
        try registers.flush()
        try sets.flush(catalog: catalog) { set, field in
            guard case .named(let name) = field.writer else { return (true, nil) }
            let key = EntityCache.Key(collection: set.collection, entity: set.entity)
            let person = try named(in: name, key)
            return (person != nil, person)
        }
    }

    /// Returns the value that a column shows: that of the winning write, of the named person's slot
    /// if the field names its writer.
    private func value(_ shown: EntityCache.ShownRow, _ column: Int) throws -> Value {
        let field = shown.table.columns[column]
        let row = shown.registers ?? registers.makeRow(columns: shown.table.columns.count)
        var slot: PersonID?
        if case .named(let name) = field.writer {
            slot = try named(in: name, of: shown.id, row, shown.table)
            guard slot != nil else { return field.initialValue }
        }
        let register = try registers.register(
            RegisterCache.Address(
                shown.id, row, column: column, field: field.number, slot: slot))
        guard let register, let value = register.value else { return field.initialValue }
        switch (field.merge, value) {
        case (.counter, .integer(let sum)): return field.counted(sum)
        case (.append, _) where register.tie.place != shown.entity.began.place: return .null
        default: return value
        }
    }

    // MARK: Reading for authors

    /// Returns the creator of an entity, or nil if it is not known or its collection not declared.
    func creator(_ key: EntityCache.Key) throws -> PersonID? {
        guard let table = catalog[key.collection] else { return nil }
        let entityIndex = try entities.index(of: key, table)
        return entities.entity(at: entityIndex)?.creator
    }

    /// Returns the person whose key a field holds, or nil.
    func named(in name: String, _ key: EntityCache.Key) throws -> PersonID? {
        guard let table = catalog[key.collection] else { return nil }
        let row = registerRow(of: try entities.index(of: key, table), table)
        return try named(in: name, of: key.entity, row, table)
    }

    private func named(
        in name: String, of entity: EntityID, _ row: RegisterCache.Row, _ table: MaterialisedTable
    ) throws -> PersonID? {
        guard let column = table.columns.firstIndex(where: { $0.name == name }) else { return nil }
        let register = try registers.register(
            RegisterCache.Address(
                entity, row, column: column, field: table.columns[column].number, slot: nil))
        guard case .bytes(let bytes) = register?.value else { return nil }
        return PersonID(bytes: bytes)
    }

    /// Returns the stored dots of an element.
    func dots(
        of value: Value, in key: EntityCache.Key, _ field: RecordCollection.Field, slot: PersonID?
    ) throws -> [Dot] {
        try sets.dots(of: value, in: key.set(field), slot: slot)
    }
}

extension Operation {
    /// The entity and its collection.
    var key: EntityCache.Key { EntityCache.Key(collection: collection, entity: entity) }
}

extension EntityCache.Key {
    /// Returns a set of this entity.
    fileprivate func set(_ field: RecordCollection.Field) -> SetTables.SetID {
        SetTables.SetID(collection: collection, entity: entity, field: field.number)
    }
}
