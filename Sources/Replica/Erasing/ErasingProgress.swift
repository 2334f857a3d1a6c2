internal import Records

/// The effects of erases within one transaction.
struct ErasingProgress {
    /// The erased batches.
    var batches: [ErasedBatch] = []
    /// The places of the erased batches.
    var places: Set<BatchPlace> = []
    /// The records that erased batches wrote, if they were merged before, by the person who erased
    /// a batch of them first. All belong to collections whose records can be erased.
    var touched: [EntityCache.Key: PersonID] = [:]
    /// The records whose merging again is estimated already.
    var estimated: Set<EntityCache.Key> = []

    /// The operations of one erased batch.
    struct ErasedBatch {
        /// The batch that holds the erase.
        let eraser: BatchPlace
        let author: PlacedBatch.Author
        let operations: [Operation]
    }
}
