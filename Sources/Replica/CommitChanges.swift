internal import Records

/// Collects what each batch of a transaction changed.
struct CommitChanges {
    private let space: SpaceDescriptor
    private let device: DeviceID
    private var notes: ContiguousArray<Note>
    /// The last change noted, whose collection and author the next one mostly has too.
    private var last: RecordChange?

    /// What one batch changed.
    private struct Note {
        var changes: [RecordChange] = []
        var created: [EntityID] = []
        /// The same changes, once there are too many to look through.
        var known: Set<RecordChange> = []

        /// Changes that are looked through one by one.
        static let lookedThroughMax = 8

        mutating func reserve(_ count: Int) {
            if changes.isEmpty { changes.reserveCapacity(min(count, Note.lookedThroughMax)) }
        }

        mutating func insert(_ change: RecordChange) {
            if changes.count <= Note.lookedThroughMax {
                guard !changes.contains(where: { $0.entity == change.entity && $0 == change })
                else { return }
                changes.append(change)
                if changes.count > Note.lookedThroughMax { known = Set(changes) }
            } else if known.insert(change).inserted {
                changes.append(change)
            }
        }
    }

    /// - Parameter count: how many batches there are.
    init(space: SpaceDescriptor, device: DeviceID, batches count: Int) {
        self.space = space
        self.device = device
        notes = ContiguousArray(repeating: Note(), count: count)
    }

    /// Makes room for the changes of so many operations.
    mutating func reserve(_ count: Int, for index: Int) { notes[index].reserve(count) }

    /// Notes that an operation counted, or counts no longer.
    /// - Parameter index: the batch whose commit tells of it.
    mutating func note(
        _ operation: Operation, _ table: MaterialisedTable, _ author: PlacedBatch.Author,
        for index: Int
    ) {
        notes[index].insert(change(of: operation.entity, table, author))
    }

    /// Notes that an entity began.
    mutating func noteCreated(_ operation: Operation, for index: Int) {
        if case .create = operation.action { notes[index].created.append(operation.entity) }
    }

    private mutating func change(
        of entity: EntityID, _ table: MaterialisedTable, _ author: PlacedBatch.Author
    ) -> RecordChange {
        if let last, last.author == author.person, last.collection == table.collection.name,
            last.isOwn == (author.log.device == device)
        {
            return RecordChange(of: entity, like: last)
        }
        let change = RecordChange(
            collection: table.collection.name, space: space, entity: entity,
            author: author.person, isOwn: author.log.device == device)
        last = change
        return change
    }

    /// The commit of the batch at an index.
    func commit(_ index: Int, _ batch: PlacedBatch, in space: SpaceID) -> Commit {
        Commit(
            space: space, log: batch.author.log, hash: batch.hash, number: batch.place.number,
            stamp: batch.stamp, changes: notes[index].changes,
            membershipChanged: batch.body.hasControl, created: notes[index].created)
    }
}
