internal import Records

/// Collects what each batch of a transaction changed.
struct CommitChanges {
    private let space: SpaceDescriptor
    private let device: DeviceID
    private var notes: ContiguousArray<Note> = []
    private var places: [BatchPlace: Int] = [:]
    /// The note that was written to last: most writes of a batch follow one another.
    private var last = -1

    /// What one batch changed.
    private struct Note {
        let place: BatchPlace
        var changes: [RecordChange] = []
        var created: [EntityID] = []
        /// The same changes, once there are too many to look through.
        var known: Set<RecordChange> = []

        /// Changes that are looked through one by one.
        static let lookedThroughMax = 8

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
        find(place)
        notes[last].insert(
            RecordChange(
                collection: table.collection.name, space: space, entity: operation.entity,
                author: author.person, isOwn: author.log.device == device))
        if case .create = operation.action { notes[last].created.append(operation.entity) }
    }

    private mutating func find(_ place: BatchPlace) {
        if last >= 0, notes[last].place == place { return }
        if let known = places[place] { return last = known }
        last = notes.count
        places[place] = last
        notes.append(Note(place: place))
    }

    /// The commit of a batch.
    func commit(_ batch: PlacedBatch, in space: SpaceID) -> Commit {
        let note = places[batch.place].map { notes[$0] }
        return Commit(
            space: space, log: batch.author.log, hash: batch.hash, number: batch.place.number,
            stamp: batch.stamp, changes: note?.changes ?? [],
            membershipChanged: !batch.controlFacts.isEmpty, created: note?.created ?? [])
    }
}
