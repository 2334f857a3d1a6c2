internal import Records

/// Collects what each batch of a transaction changed.
struct CommitChanges {
    private let space: SpaceDescriptor
    private let device: DeviceID
    private var changes: [BatchPlace: [RecordChange]] = [:]
    private var seen: [BatchPlace: Set<RecordChange>] = [:]
    private var created: [BatchPlace: [EntityID]] = [:]

    init(space: SpaceDescriptor, device: DeviceID) {
        self.space = space
        self.device = device
    }

    /// Notes that an operation counted.
    /// - Parameter place: the batch whose commit tells of it.
    mutating func note(
        _ operation: Operation, _ table: MaterialisedTable, _ author: PlacedBatch.Author,
        for place: BatchPlace
    ) {
        let change = RecordChange(
            collection: table.collection.name, space: space, entity: operation.entity,
            author: author.person, isOwn: author.log.device == device)
        if seen[place, default: []].insert(change).inserted {
            changes[place, default: []].append(change)
        }
        if case .create = operation.action { created[place, default: []].append(operation.entity) }
    }

    /// The commit of a batch.
    func commit(_ batch: PlacedBatch, in space: SpaceID) -> Commit {
        Commit(
            space: space, log: batch.author.log, hash: batch.hash, number: batch.place.number,
            stamp: batch.stamp, changes: changes[batch.place] ?? [],
            created: created[batch.place] ?? [])
    }
}
