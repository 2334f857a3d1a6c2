/// Counts how often a space's store met a damaged batch, and how many of these sightings a check of
/// the whole space has answered.
///
/// A check takes time, and a merge may find damage during it. For example, a check begins after two
/// sightings, a third follows, and the check finds nothing: it closes the first two, and the third
/// stays open until another check.
struct DamageSightings: Hashable, Sendable {
    private var foundCount = 0
    private var closedCount = 0

    /// Whether damage was met and no check has answered it.
    var isOpen: Bool { foundCount > closedCount }

    /// Records that a damaged batch was met.
    mutating func recordFound() { foundCount += 1 }

    /// Records that a check which began at earlier sightings found the space sound.
    mutating func close(through earlier: DamageSightings) {
        closedCount = max(closedCount, earlier.foundCount)
    }
}
