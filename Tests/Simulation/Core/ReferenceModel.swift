package import Records

/// A second implementation of the merge rules, as simple as possible: all operations are applied in
/// order to dictionaries. The engine's tables must have the same content.
package struct ReferenceModel {
    /// One batch that counts.
    package struct Batch: Hashable, Sendable {
        let log: LogName
        let person: PersonID
        let number: UInt64
        let stamp: Stamp
        let hash: BatchHash
        let operations: [Operation]
    }

    private struct Place: Hashable {
        let entity: EntityID
        let field: UInt64
        /// The writing person, if a field contains its writer.
        let slot: PersonID?
    }

    private let space: SpaceDescriptor
    private let collection: RecordCollection
    /// The rows, by entity.
    package private(set) var notes: [EntityID: NoteRow] = [:]
    /// The numbers of invalid operations and of operations on entities that were not created.
    package private(set) var voidCount = 0, waitingCount = 0
    private var began: [EntityID: BatchHash] = [:]
    private var creating: [BatchHash: Set<EntityID>] = [:]
    private var values: [Place: Value] = [:]
    private var added: [Place: [Dot: Value]] = [:]
    private var removed: [Place: Set<Dot>] = [:]

    /// Merges batches given in any order.
    package init(_ batches: [Batch], in space: SpaceDescriptor, _ collection: RecordCollection) {
        (self.space, self.collection) = (space, collection)
        let writes = batches.sorted { ReferenceModel.tie($0) < ReferenceModel.tie($1) }
            .flatMap { batch in batch.operations.enumerated().map { (batch, $0.0, $0.1) } }
        for write in writes { begin(write) }
        for write in writes { merge(write) }
        for entity in notes.keys { show(entity) }
    }

    /// The order of batches: stamp, then author, then hash.
    private static func tie(_ batch: Batch) -> (Stamp, DeviceID, BatchHash) {
        (batch.stamp, batch.log.device, batch.hash)
    }

    private mutating func begin(_ write: (batch: Batch, index: Int, operation: Operation)) {
        let (batch, operation) = (write.batch, write.operation)
        let proven: EntityID
        switch operation.action {
        case .create(let nonce):
            proven = Operation.entity(
                in: space.id, of: operation.collection, by: batch.log.device, nonce: nonce)
        case .createOwn:
            proven = Operation.ownEntity(
                in: space.id, of: operation.collection, person: batch.person)
        default: return
        }
        guard operation.collection == collection.id else { return }
        guard operation.entity == proven else { return voidCount += 1 }
        creating[batch.hash, default: []].insert(proven)
        guard notes[proven] == nil else { return }
        began[proven] = batch.hash
        notes[proven] = NoteRow(creator: batch.person, batch: batch)
    }

    private mutating func merge(_ write: (batch: Batch, index: Int, operation: Operation)) {
        let (batch, operation) = (write.batch, write.operation)
        guard operation.collection == collection.id, let number = operation.fieldNumber,
            let field = collection.fields.first(where: { $0.number == number })
        else { return }
        let (entity, person) = (operation.entity, batch.person)
        guard field.accepts(operation.action) else { return voidCount += 1 }
        guard let note = notes[entity] else { return waitingCount += 1 }
        let isCreating = creating[batch.hash]?.contains(entity) ?? false
        guard field.merge != .append || isCreating,
            field.writer != .creator || person == note.creator,
            field.writer != .owner || person == space.owner
        else { return voidCount += 1 }
        let place = Place(entity: entity, field: number, slot: field.isNamed ? person : nil)
        switch operation.action {
        case .count(_, let delta):
            guard case .integer(let sum) = values[place] ?? .integer(0) else { return }
            values[place] = .integer(sum &+ delta)
        case .add(_, let value):
            added[place, default: [:]][Dot(batch: batch.hash, operationIndex: write.index)] = value
        case .remove(_, let dots): removed[place, default: []].formUnion(dots)
        case .set(_, let value):
            let isFirst = values[place] == nil
            let counts = field.merge != .append || batch.hash == began[entity]
            if counts, isFirst || field.merge == .lastWriter { values[place] = value }
        default: return
        }
    }

    private mutating func show(_ entity: EntityID) {
        for field in collection.fields {
            var person: PersonID?
            if case .named(let name) = field.writer, let namer = collection.field(named: name),
                case .bytes(let key) = values[Place(entity: entity, field: namer.number, slot: nil)]
            {
                person = PersonID(bytes: key)
            }
            let isHidden = field.isNamed && person == nil
            let place = Place(entity: entity, field: field.number, slot: person)
            let dots =
                isHidden ? nil : added[place]?.filter { !(removed[place] ?? []).contains($0.key) }
            notes[entity]?.show(field, isHidden ? nil : values[place], Set((dots ?? [:]).values))
        }
    }
}
