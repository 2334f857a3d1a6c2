internal import Records

/// Collects the changes of each batch of a transaction.
struct CommitChanges {
    private let space: SpaceDescriptor
    private let device: DeviceID
    private var batches: ContiguousArray<BatchChanges>
    /// The last recorded change; the next one mostly has the same collection and author.
    private var last: RecordChange?

    /// The changes of one batch.
    private struct BatchChanges {
        var changes: [RecordChange] = []
        var created: [EntityID] = []
        /// The same changes as a set, once there are too many to search one by one.
        var known: Set<RecordChange> = []

        /// The number of changes that are searched one by one.
        static let searchedMax = 8

        mutating func reserve(_ count: Int) {
            if changes.isEmpty { changes.reserveCapacity(min(count, BatchChanges.searchedMax)) }
        }

        mutating func insert(_ change: RecordChange) {
            if changes.count <= BatchChanges.searchedMax {
                guard !changes.contains(where: { $0.entity == change.entity && $0 == change })
                else { return }
                changes.append(change)
                if changes.count > BatchChanges.searchedMax { known = Set(changes) }
            } else if known.insert(change).inserted {
                changes.append(change)
            }
        }
    }

    /// - Parameter count: the number of batches.
    init(space: SpaceDescriptor, device: DeviceID, batches count: Int) {
        self.space = space
        self.device = device
        batches = ContiguousArray(repeating: BatchChanges(), count: count)
    }

    /// Reserves capacity for a number of changes.
    mutating func reserve(_ count: Int, for index: Int) { batches[index].reserve(count) }

    /// Records that an operation counts, or counts no longer.
    /// - Parameter index: the batch whose commit reports it.
    mutating func record(
        _ operation: Operation, _ table: MaterialisedTable, _ author: PlacedBatch.Author,
        for index: Int
    ) {
        batches[index].insert(change(of: operation.entity, table, author))
    }

    /// Records the entity of a create operation.
    mutating func recordCreated(_ operation: Operation, for index: Int) {
        if case .create = operation.action { batches[index].created.append(operation.entity) }
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

    /// Returns the changes of the batch at an index.
    func changes(at index: Int) -> [RecordChange] { batches[index].changes }

    /// Returns the commit of the batch at an index.
    func commit(_ index: Int, _ batch: PlacedBatch, in space: SpaceID) -> Commit {
        Commit(
            space: space, log: batch.author.log, hash: batch.hash, number: batch.place.number,
            stamp: batch.stamp, changes: batches[index].changes,
            membershipChanged: batch.body.hasControl, created: batches[index].created)
    }
}
