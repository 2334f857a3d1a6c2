internal import Records

/// The mutable state of one ``SpaceTransaction``. A tentative step saves it and, if it fails,
/// restores it whole.
struct TransactionState {
    /// A copy of the space; it takes the original's place after the commit.
    var space: SpaceState
    /// The stored batches that are merged at the end.
    var applicable: [PlacedBatch] = []
    /// The number of operations of the batches that were added to these.
    var operationsCount = 0
    /// The batches that erases emptied.
    var erasing = ErasingProgress()
    /// The content that only erased records named.
    var closedContent: Set<BlobHash> = []
    /// The last stored batch of this device's own.
    var authored: BatchHash?
    /// Whether the membership must be judged again before it is used.
    var membershipIsStale = false
    /// The people of an open space whose cuts must be judged again.
    var stalePeople: Set<PersonID> = []
    /// The records of an open space that were merged again because batches were removed.
    var removed: RemovedRecords
    /// Whether the membership was judged again, so that different batches may count.
    var isJudgedAnew = false
    /// Whether rows of logs were divided or dropped, so that the tables refer to batches by
    /// outdated places.
    var mustRebuild = false
    /// The work of merging the whole space again, if that was necessary.
    var work = RebuildWork()
    /// The work of merging single records again, by the person who erased something of them.
    var remerged: [PersonID: RebuildWork] = [:]
    /// Whether a person was charged for that.
    var isCharged = false
    /// Whether the space itself owes it, unless a person was charged: held batches became due, or
    /// logs were attributed again.
    var isOwedBySpace = false

    init(space: SpaceState, device: DeviceID) {
        self.space = space
        removed = RemovedRecords(space: space.descriptor, device: device)
    }
}
