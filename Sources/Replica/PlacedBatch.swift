internal import Records

/// A batch that is stored, with what merging it needs to know of its author.
struct PlacedBatch {
    let place: BatchPlace
    let author: Author
    let stamp: Stamp
    let hash: BatchHash
    let body: BatchBody

    /// Who wrote a batch.
    struct Author: Hashable {
        let log: LogName
        let person: PersonID
    }
}
