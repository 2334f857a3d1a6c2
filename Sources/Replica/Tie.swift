internal import Records

/// One operation's place among all that write the same register. ``TieOrder`` compares two.
struct Tie: Hashable {
    let stamp: Stamp
    let place: BatchPlace
    /// The operation's index in its batch.
    let index: Int
}
