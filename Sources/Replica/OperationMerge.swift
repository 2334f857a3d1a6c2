internal import GRDB
internal import Records

/// Merges batches of one space into its tables, within one transaction.
///
/// Whatever the order batches come in, the tables come out the same: first all entities begin,
/// then all fields are written, then operations that waited for one of these entities.
final class OperationMerge {
    private let database: Database
    let space: SpaceState
    let catalog: Catalog
    private let judge: OperationJudge
    let batches: BatchTable
    private var entities: EntityCache
    private var registers: RegisterCache
    private var sets: SetTables
    private let device: DeviceID
    private let mentions: MentionTable
    /// The records that are merged; nil for all.
    private let records: Set<EntityCache.Key>?
    private var changes: CommitChanges
    /// Whether so much is merged that whole entities are worth loading.
    private var isBulk = false
    /// Operations found void so far.
    private(set) var voidCount = 0
    /// Whether a stored batch was met that the disk damaged.
    private(set) var hasMetDamage = false
    /// Operations that began to wait, less those that need wait no longer.
    private(set) var waitingCount = 0

    /// - Parameters:
    ///   - space: the space with the logs of all batches that will be merged.
    ///   - device: the replica's own.
    ///   - records: the records that are merged; nil for all.
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

    /// Batches from which on whole entities are loaded: several fields of each are written then.
    private static let bulkBatchesMin = 256

    /// Merges batches that are stored and were not merged before.
    /// - Parameter gone: what erases among them took.
    /// - Returns: a commit for each, in the same order.
    func apply(
        _ placed: [PlacedBatch], gone: [ErasingProgress.Gone] = []
    ) throws -> [Commit] {
        isBulk = placed.count >= OperationMerge.bulkBatchesMin
        changes = CommitChanges(
            space: space.descriptor, device: device, batches: placed.count)
        if isBulk { registers.reserve(placed.reduce(0) { $0 + $1.body.operations.count }) }
        try mentions.note(placed)
        var begun: [(key: EntityCache.Key, commit: Int)] = []
        var creating: [Int: Set<EntityCache.Key>] = [:]
        for (commit, batch) in placed.enumerated() where batch.body.hasCreate {
            creating[commit] = try begin(batch, for: commit, newlyKnown: &begun)
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
        try wake(begun)
        note(gone, of: placed)
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
                changes.note(operation, table, batch.author, for: commit)
                changes.noteCreated(operation, for: commit)
            case .void: try refuse(index, batch.place)
            case .unknown, .waits, .writes: continue
            }
        }
        return keys
    }

    /// Merges what waited for entities that are known now.
    private func wake(_ begun: [(key: EntityCache.Key, commit: Int)]) throws {
        guard space.waitingCount + waitingCount > 0, !Planted.wakeForgotten.isIn else { return }
        let waiting = WaitingTable(database: database, space: space.number)
        var woken: [(WaitingTable.Place, commit: Int)] = []
        for (key, commit) in begun {
            let places = try waiting.take(key)
            waitingCount -= places.count
            woken += places.map { ($0, commit) }
            guard woken.count >= OperationMerge.wokenMin else { continue }
            try merge(woken)
            woken = []
        }
        try merge(woken)
    }

    /// Woken operations that are merged together, at least: each of their batches is read once.
    private static let wokenMin = 16_384

    private func merge(_ woken: [(WaitingTable.Place, commit: Int)]) throws {
        var batch: PlacedBatch?
        for (place, commit) in woken.sorted(by: { $0.0 < $1.0 }) {
            let present = try batch.flatMap { $0.place == place.batch ? $0 : nil }
                ?? stored(place.batch)
            batch = present
            guard let present else { continue }
            guard present.body.operations.indices.contains(place.index) else {
                hasMetDamage = true
                continue
            }
            try write(
                present.body.operations[place.index], place.index, present, isCreating: false,
                for: commit)
        }
    }

    /// A batch that was stored before, or nil where its body is not here or the disk damaged it.
    func stored(_ place: BatchPlace) throws -> PlacedBatch? {
        guard let batch = try batches.batch(at: place), let author = space.author(place.log),
            let content = batch.readableContent
        else {
            hasMetDamage = true
            return nil
        }
        guard let body = content.body else { return nil }
        return PlacedBatch(
            place: place, author: author, stamp: batch.stamp, hash: batch.hash, body: body)
    }

    /// Notes what erases took, so that their commits tell of the records.
    private func note(_ gone: [ErasingProgress.Gone], of placed: [PlacedBatch]) {
        guard !gone.isEmpty else { return }
        let commits = Dictionary(
            placed.enumerated().map { ($1.place, $0) }, uniquingKeysWith: { first, _ in first })
        for batch in gone {
            guard let commit = commits[batch.eraser] else { continue }
            for operation in batch.operations {
                guard let table = catalog[operation.collection] else { continue }
                changes.note(operation, table, batch.author, for: commit)
            }
        }
    }

    // MARK: Writing

    private func write(
        _ operation: Operation, _ index: Int, _ batch: PlacedBatch, isCreating: Bool,
        for commit: Int
    ) throws {
        let table = catalog[operation.collection]
        let place = try table.map { try entities.place(of: operation.key, $0) }
        let entity = place.flatMap { entities.entity(at: $0) }
        let verdict = judge.verdict(
            onWrite: operation, in: table, by: batch.author, creator: entity?.creator,
            isCreating: isCreating)
        switch verdict {
        case .void: try refuse(index, batch.place)
        case .waits: try wait(operation, index, batch.place)
        case .writes(let table, let field):
            guard let place else { return }
            if isBulk, entities.registersLoaded(place) == .oneByOne {
                let row = registerRow(of: place, table)
                entities.noteLoaded(
                    try registers.loadAll(of: operation.entity, row, table), place)
            }
            try merge(operation, index, batch, field, in: table, place)
            changes.note(operation, table, batch.author, for: commit)
        case .unknown, .begins: return
        }
    }

    /// - Parameter place: where the entity stands in the cache.
    private func merge(
        _ operation: Operation, _ index: Int, _ batch: PlacedBatch, _ field: MaterialisedField,
        in table: MaterialisedTable, _ place: Int
    ) throws {
        let slot = field.keepsSlots ? batch.author.person : nil
        switch operation.action {
        case .set(_, let value):
            guard let column = field.column else { return }
            let register = register(operation.entity, at: place, table, field, column, slot)
            let isWinner = try registers.merge(
                value, batch.tie(of: index), into: register, by: field,
                isLoaded: entities.registersLoaded(place) == .all)
            guard isWinner else { return }
            entities.touch(place, column: column)
            for named in field.named { touch(named, operation.key, place) }
        case .count(_, let delta):
            guard let column = field.column else { return }
            let register = register(operation.entity, at: place, table, field, column, slot)
            try registers.count(delta, batch.tie(of: index), into: register)
            entities.touch(place, column: column)
        case .add, .remove:
            try sets.merge(
                operation.action, dot: Dot(batch: batch.hash, operationIndex: index),
                into: operation.key.set(field.field), slot: slot)
        case .create, .createOwn, .grant, .accept, .cut, .erase: return
        }
    }

    private func register(
        _ entity: EntityID, at place: Int, _ table: MaterialisedTable, _ field: MaterialisedField,
        _ column: Int, _ slot: PersonID?
    ) -> RegisterCache.Address {
        RegisterCache.Address(
            entity, registerRow(of: place, table), column: column, field: field.number, slot: slot)
    }

    /// Where the registers of an entity are.
    private func registerRow(of place: Int, _ table: MaterialisedTable) -> RegisterCache.Row {
        if let row = entities.registers(place) { return row }
        let row = registers.makeRow(columns: table.columns.count)
        entities.noteRegisters(row, place)
        return row
    }

    /// When a field names another person, what that person wrote is shown.
    private func touch(
        _ named: RecordCollection.Field, _ key: EntityCache.Key, _ place: Int
    ) {
        if named.merge == .addWinsSet {
            sets.touch(key.set(named))
        } else if let column = catalog[key.collection]?.materialised(named.number)?.column {
            entities.touch(place, column: column)
        }
    }

    private func refuse(_ index: Int, _ place: BatchPlace) throws {
        try PreparedStatement(database, "INSERT OR IGNORE INTO void VALUES (?, ?, ?)").run {
            $0.append(space.number)
            $0.append(place.rowID)
            $0.append(Int64(index))
        }
        voidCount += database.changesCount
    }

    private func wait(_ operation: Operation, _ index: Int, _ place: BatchPlace) throws {
        try WaitingTable(database: database, space: space.number)
            .insert(operation.key, WaitingTable.Place(batch: place, index: index))
        waitingCount += database.changesCount
    }

    // MARK: Showing

    private func flush() throws {
        try entities.flush(catalog: catalog, value: value)
        try registers.flush()
        try sets.flush(catalog: catalog) { place, field in
            guard case .named(let name) = field.writer else { return (true, nil) }
            let key = EntityCache.Key(collection: place.collection, entity: place.entity)
            let person = try named(in: name, key)
            return (person != nil, person)
        }
    }

    /// What a column shows: the winner of the register, or of the slot of the person who is named.
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

    // MARK: Questions of an author

    /// Who created an entity, or nil while it is not known or its collection not declared.
    func creator(_ key: EntityCache.Key) throws -> PersonID? {
        guard let table = catalog[key.collection] else { return nil }
        let place = try entities.place(of: key, table)
        return entities.entity(at: place)?.creator
    }

    /// The person whose key stands in a field, or nil.
    func named(in name: String, _ key: EntityCache.Key) throws -> PersonID? {
        guard let table = catalog[key.collection] else { return nil }
        let row = registerRow(of: try entities.place(of: key, table), table)
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

    /// The dots of an element that are here.
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
    /// A set of this entity.
    fileprivate func set(_ field: RecordCollection.Field) -> SetTables.Place {
        SetTables.Place(collection: collection, entity: entity, field: field.number)
    }
}
