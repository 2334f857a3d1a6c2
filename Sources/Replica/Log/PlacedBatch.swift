internal import Records

/// A stored batch, with the facts about its author that merging needs.
struct PlacedBatch {
    let place: BatchPlace
    let author: Author
    let stamp: Stamp
    let hash: BatchHash
    let body: BatchBody

    /// Returns the position of one of its operations in the order of writes.
    func tie(of index: Int) -> Tie { Tie(stamp: stamp, place: place, index: index) }

    /// The author of a batch.
    struct Author: Hashable {
        let log: LogName
        let person: PersonID
    }
}
