internal import Records

/// The position of one operation among all writes to the same register. ``TieOrder`` compares two.
struct Tie: Hashable {
    let stamp: Stamp
    let place: BatchPlace
    /// The operation's index in its batch.
    let index: Int
}
