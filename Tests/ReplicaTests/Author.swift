import Identity
import Records

/// Writes batches by hand, including some that no replica would author, and cuts them into runs.
struct Author {
    let key: DeviceKey
    let space: SpaceID
    private(set) var batches: [CheckedBatch] = []
    private(set) var signatures: [Signature] = []
    /// The branch in the next batch's header.
    var branch = BranchName.main

    init(_ key: DeviceKey, in space: SpaceDescriptor) {
        self.key = key
        self.space = space.id
    }

    var log: LogName { LogName(device: key.id, branch: branch) }

    /// Returns the same author without the batches after a number.
    func forgetting(after count: Int) -> Author {
        var author = self
        author.batches = Array(batches.prefix(count))
        author.signatures = Array(signatures.prefix(count))
        return author
    }

    /// Adds a batch to the log.
    /// - Parameter signer: another key for a forgery.
    @discardableResult
    mutating func write(
        _ operations: [Operation], at time: Timestamp, salt: Bytes16? = nil,
        signer: DeviceKey? = nil
    ) throws -> CheckedBatch {
        try write(
            operations, stamp: Stamp(time), salt: salt, signer: signer)
    }

    @discardableResult
    mutating func write(
        _ operations: [Operation], stamp: Stamp, salt: Bytes16? = nil, signer: DeviceKey? = nil
    ) throws -> CheckedBatch {
        let run = try CheckedRun(
            authoring: BatchBody(operations, salt: salt), in: space, log: log,
            number: UInt64(batches.count + 1), previous: batches.last?.hash ?? .none, epoch: 0,
            stamp: stamp, sign: (signer ?? key).sign)
        batches += run.batches
        signatures.append(run.signature)
        return run.batches[0]
    }

    /// Returns batches at these indexes in the form that is sent.
    /// - Parameter isErased: whether a batch is sent without its body.
    func run(
        _ range: Range<Int>, without isErased: (CheckedBatch) -> Bool = { _ in false }
    ) -> Run {
        Run(
            log: batches[range.lowerBound].header.log, firstNumber: UInt64(range.lowerBound + 1),
            epoch: 0,
            batches: batches[range].map { batch in
                let shown = isErased(batch) ? batch.erased : batch
                return Run.Link(stamp: shown.header.stamp, content: shown.content)
            },
            signature: signatures[range.upperBound - 1])
    }

    /// The whole log in the form that is sent.
    var run: Run { run(0..<batches.count) }

    /// Returns the operation that creates a note, and the note's id.
    func create(
        _ nonce: UInt8, _ collection: RecordCollection = .note
    ) -> (entity: EntityID, operation: Operation) {
        let nonce = Bytes16([UInt8](repeating: nonce, count: 16)) ?? .zero
        let entity = Operation.entity(in: space, of: collection.id, by: key.id, nonce: nonce)
        return (
            entity,
            Operation(collection: collection.id, entity: entity, action: .create(nonce: nonce))
        )
    }

    /// Returns the operation that begins a person's own note, and the note's id.
    func createOwn(_ person: PersonID) -> (entity: EntityID, operation: Operation) {
        let entity = Operation.ownEntity(in: space, of: RecordCollection.note.id, person: person)
        return (
            entity,
            Operation(collection: RecordCollection.note.id, entity: entity, action: .createOwn)
        )
    }
}

extension Operation {
    /// Returns the control operation that erases a batch.
    static func erase(_ batch: CheckedBatch) -> Operation {
        let name = BatchName(
            log: batch.header.log, number: batch.header.number, hash: batch.hash)
        return Operation(collection: .control, entity: .control, action: .erase(name))
    }

    /// Returns a write of a note's field by its name.
    static func set(_ entity: EntityID, _ field: String, _ value: Value) -> Operation {
        note(entity, .set(field: RecordCollection.note.number(field), value))
    }

    static func add(_ entity: EntityID, _ field: String, _ value: Value) -> Operation {
        note(entity, .add(field: RecordCollection.note.number(field), value))
    }

    static func remove(_ entity: EntityID, _ field: String, _ dots: [Dot]) -> Operation {
        note(entity, .remove(field: RecordCollection.note.number(field), dots.sorted()))
    }

    static func count(_ entity: EntityID, _ field: String, _ delta: Int64) -> Operation {
        note(entity, .count(field: RecordCollection.note.number(field), delta))
    }

    static func note(_ entity: EntityID, _ action: Action) -> Operation {
        Operation(collection: RecordCollection.note.id, entity: entity, action: action)
    }
}
