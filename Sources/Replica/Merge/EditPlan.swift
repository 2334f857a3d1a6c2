internal import Records

/// Turns edits into operations, and refuses those that would be void or lost on arrival.
struct EditPlan {
    private let space: SpaceState
    private let catalog: Catalog
    private let device: DeviceID
    private let person: PersonID
    private let known: OperationMerge
    private let judge: OperationJudge
    private var operations: [Operation] = []
    /// Entities that this batch begins.
    private var begun: Set<EntityCache.Key> = []
    /// Keys that this batch writes into fields, by entity and field name.
    private var names: [EntityCache.Key: [String: PersonID]] = [:]
    /// The records of an open space that this batch writes anew.
    private var renewed: Set<EntityCache.Key> = []

    /// - Parameter known: reads the merged records.
    init(
        space: SpaceState, catalog: Catalog, device: DeviceID, person: PersonID,
        known: OperationMerge
    ) {
        self.space = space
        self.catalog = catalog
        self.device = device
        self.person = person
        self.known = known
        judge = OperationJudge(space, catalog)
    }

    /// Returns the operations of one batch.
    /// - Throws: the first ``EditFault`` found, in the order of the edits.
    mutating func operations(for edits: [Edit]) throws -> [Operation] {
        for edit in edits { try add(edit) }
        try checkErasable()
        guard !operations.isEmpty else { throw EditFault.nothingToWrite }
        return operations
    }

    private mutating func add(_ edit: Edit) throws {
        switch edit {
        case .create(let collection, let nonce, let fields):
            let table = try table(collection)
            guard !table.collection.isOnePerPerson else {
                throw EditFault.onePerPerson(collection: collection)
            }
            let entity =
                space.isOpen
                ? Operation.entity(in: space.id, of: table.collection.id, by: person, nonce: nonce)
                : Operation.entity(in: space.id, of: table.collection.id, by: device, nonce: nonce)
            begin(table.key(entity), .create(nonce: nonce))
            try set(fields, of: entity, table)
        case .own(let collection, let fields):
            let table = try table(collection)
            let entity = Operation.ownEntity(
                in: space.id, of: table.collection.id, person: person)
            let key = table.key(entity)
            if try !begun.contains(key) && known.creator(key) == nil { begin(key, .createOwn) }
            try renew(entity, table, setting: fields)
            try set(fields, of: entity, table)
        case .set(let collection, let entity, let fields):
            try renew(entity, table(collection), setting: fields)
            try set(fields, of: entity, table(collection))
        case .add(let collection, let entity, let field, let value):
            try renew(entity, table(collection))
            try write(.add(field: 0, value), field, of: entity, table(collection))
        case .remove(let collection, let entity, let field, let value):
            try renew(entity, table(collection), removing: (field, value))
            try remove(value, field, of: entity, table(collection))
        case .count(let collection, let entity, let field, let delta):
            try write(.count(field: 0, delta), field, of: entity, table(collection))
        case .erase(let collection, let entity):
            operations += try known.erasures(of: table(collection).key(entity), by: person)
        }
    }

    /// Writes a record of an open space anew before it is edited, so that an edit renews it and
    /// depends on no batch that expires earlier. An edit that changes nothing only renews.
    /// - Parameters:
    ///   - fields: the fields that the edit sets; their present values are left out.
    ///   - element: the element that the edit removes from a set.
    private mutating func renew(
        _ entity: EntityID, _ table: MaterialisedTable, setting fields: [String: Value] = [:],
        removing element: (field: String, value: Value)? = nil
    ) throws {
        let key = table.key(entity)
        guard space.isOpen, !begun.contains(key), !renewed.contains(key) else { return }
        guard let creator = try known.creator(key), let anew = try known.anew(key, table) else {
            throw EditFault.unknownEntity(collection: table.collection.name, entity)
        }
        guard creator == person else {
            let field = fields.keys.min() ?? element?.field ?? ""
            throw EditFault.notTheWriter(field: field, .creator)
        }
        renewed.insert(key)
        operations.append(
            Operation(collection: key.collection, entity: entity, action: anew.beginning))
        for (field, value) in anew.fields
        where fields[field.name] == nil || field.merge != .lastWriter {
            append(.set(field: field.number, value), entity, table)
        }
        for (field, value) in anew.elements {
            if let element, element.field == field.name, element.value == value { continue }
            append(.add(field: field.number, value), entity, table)
        }
    }

    /// A record that can be erased needs a batch of its own.
    private func checkErasable() throws(EditFault) {
        guard Set(operations.map(\.key)).count > 1 else { return }
        for operation in operations {
            guard let collection = catalog[operation.collection]?.collection else { continue }
            guard !collection.isErasable else { throw .notAlone(collection: collection.name) }
        }
    }

    private func table(_ name: String) throws(EditFault) -> MaterialisedTable {
        guard let table = catalog.table(named: name) else { throw .unknownCollection(name) }
        guard table.collection.spaces.contains(space.descriptor.kind) else {
            throw .wrongSpace(collection: name, space.descriptor.kind)
        }
        return table
    }

    private mutating func begin(_ key: EntityCache.Key, _ action: Operation.Action) {
        begun.insert(key)
        operations.append(
            Operation(collection: key.collection, entity: key.entity, action: action))
    }

    private mutating func set(
        _ fields: [String: Value], of entity: EntityID, _ table: MaterialisedTable
    ) throws {
        let key = table.key(entity)
        for (name, value) in fields {
            guard case .bytes(let bytes) = value, names[key]?[name] == nil else { continue }
            names[key, default: [:]][name] = PersonID(bytes: bytes)
        }
        let numbered = fields.map { name, value in
            (number: table.collection.field(named: name)?.number ?? 0, name: name, value: value)
        }
        for field in numbered.sorted(by: { ($0.number, $0.name) < ($1.number, $1.name) }) {
            try write(.set(field: 0, field.value), field.name, of: entity, table)
        }
    }

    private mutating func remove(
        _ value: Value, _ name: String, of entity: EntityID, _ table: MaterialisedTable
    ) throws {
        let field = try field(name, of: entity, table, for: .remove(field: 0, []))
        let slot = field.writer.isNamed ? person : nil
        let dots = try known.dots(of: value, in: table.key(entity), field, slot: slot)
        for start in stride(from: 0, to: dots.count, by: Limits.dotsMax) {
            let some = Array(dots[start..<min(start + Limits.dotsMax, dots.count)])
            append(.remove(field: field.number, some), entity, table)
        }
    }

    /// Appends one write, and fills in its field's number.
    private mutating func write(
        _ action: Operation.Action, _ name: String, of entity: EntityID, _ table: MaterialisedTable
    ) throws {
        let number = try field(name, of: entity, table, for: action).number
        switch action {
        case .set(_, let value): append(.set(field: number, value), entity, table)
        case .add(_, let value): append(.add(field: number, value), entity, table)
        case .count(_, let delta): append(.count(field: number, delta), entity, table)
        case .create, .createOwn, .remove, .grant, .accept, .cut, .erase: return
        }
    }

    private mutating func append(
        _ action: Operation.Action, _ entity: EntityID, _ table: MaterialisedTable
    ) {
        operations.append(
            Operation(collection: table.collection.id, entity: entity, action: action))
    }

    /// Finds a field and checks that the person may write it in this way.
    private func field(
        _ name: String, of entity: EntityID, _ table: MaterialisedTable,
        for action: Operation.Action
    ) throws -> RecordCollection.Field {
        guard let field = table.collection.field(named: name) else {
            throw EditFault.unknownField(collection: table.collection.name, field: name)
        }
        try checkValue(field, action)
        let key = table.key(entity)
        let isBegun = begun.contains(key)
        guard let creator = try isBegun ? person : known.creator(key) else {
            throw EditFault.unknownEntity(collection: table.collection.name, entity)
        }
        guard field.merge != .append || isBegun else { throw EditFault.immutable(field: name) }
        guard try isWriter(field, key, creator: creator) else {
            throw EditFault.notTheWriter(field: name, field.writer)
        }
        return field
    }

    private func checkValue(
        _ field: RecordCollection.Field, _ action: Operation.Action
    ) throws(EditFault) {
        guard action.isFinite else { throw .notAdmitted(field: field.name, field.type) }
        guard !field.accepts(action) else { return }
        guard field.merge.fits(action) else {
            throw .wrongVerb(field: field.name, field.merge)
        }
        throw .notAdmitted(field: field.name, field.type)
    }

    private func isWriter(
        _ field: RecordCollection.Field, _ key: EntityCache.Key, creator: PersonID
    ) throws -> Bool {
        guard case .named(let name) = field.writer else {
            return judge.mayWrite(field, person, creator: creator)
        }
        return try (known.named(in: name, key) ?? names[key]?[name]) == person
    }
}

extension MaterialisedTable {
    /// Returns the key of an entity in this table's collection.
    func key(_ entity: EntityID) -> EntityCache.Key {
        EntityCache.Key(collection: collection.id, entity: entity)
    }
}

extension Operation.Action {
    /// Whether the value, if it is a real number, has an encoding.
    fileprivate var isFinite: Bool {
        switch self {
        case .set(_, .real(let number)), .add(_, .real(let number)): number.isFinite
        default: true
        }
    }
}

extension MergeRule {
    /// Whether the rule merges operations of this kind.
    fileprivate func fits(_ action: Operation.Action) -> Bool {
        switch (self, action) {
        case (.lastWriter, .set), (.firstWriter, .set), (.append, .set), (.addWinsSet, .add),
            (.addWinsSet, .remove), (.counter, .count):
            true
        default: false
        }
    }
}
