internal import Records

/// What erases took within one transaction.
struct ErasingProgress {
    /// Whether a body that was on the disk went.
    var hasErased = false
    /// What went.
    var gone: [Gone] = []
    /// Where it stood.
    var places: Set<BatchPlace> = []
    /// The records that what went was about, where it was merged before. All are of collections
    /// whose records can be erased.
    var touched: Set<EntityCache.Key> = []

    /// The operations of one batch, which an erase took.
    struct Gone {
        /// The batch that holds the erase.
        let eraser: BatchPlace
        let author: PlacedBatch.Author
        let operations: [Operation]
    }
}
