internal import Records

/// A batch that is stored, with what merging it needs to know of its author.
struct PlacedBatch {
    let place: BatchPlace
    let author: Author
    let stamp: Stamp
    let hash: BatchHash
    let body: BatchBody

    /// The place of one of its operations among all writes.
    func tie(of index: Int) -> Tie { Tie(stamp: stamp, place: place, index: index) }

    /// Who wrote a batch.
    struct Author: Hashable {
        let log: LogName
        let person: PersonID
    }
}
