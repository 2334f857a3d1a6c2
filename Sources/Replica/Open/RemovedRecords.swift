internal import Records

/// The changes of records of an open space whose batches were removed, to be announced.
struct RemovedRecords {
    /// Whether any batch was removed.
    var hasBatches = false
    /// The authors of the logs of which no batch is left, by device.
    var logs: [DeviceID: PersonID] = [:]
    private(set) var changes: [RecordChange] = []
    private var known: Set<EntityID> = []
    private let space: SpaceDescriptor
    private let device: DeviceID

    init(space: SpaceDescriptor, device: DeviceID) {
        self.space = space
        self.device = device
    }

    /// Records that a record is merged again without a batch.
    mutating func record(
        _ entity: EntityID, _ table: MaterialisedTable, _ author: PlacedBatch.Author
    ) {
        guard known.insert(entity).inserted else { return }
        changes.append(
            RecordChange(
                collection: table.collection.name, space: space, entity: entity,
                author: author.person, isOwn: author.log.device == device))
    }
}
