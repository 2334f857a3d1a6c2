internal import Records

/// What erases took within one transaction.
struct ErasingProgress {
    /// Whether a body that was on the disk went.
    var hasErased = false
    /// What went.
    var gone: [Gone] = []

    /// The operations of one batch, which an erase took.
    struct Gone {
        /// The batch that holds the erase.
        let eraser: BatchName
        let author: PlacedBatch.Author
        let operations: [Operation]
    }
}
