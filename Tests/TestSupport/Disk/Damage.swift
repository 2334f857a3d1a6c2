/// The effect of a power cut on changes that were not synced.
public enum Damage: String, CaseIterable, Sendable {
    /// All of them reached the disk anyway.
    case kept
    /// None of them reached the disk.
    case dropped
    /// The first of them reached the disk, up to a sector in the middle of one.
    case torn
    /// Any of them reached the disk, in any order.
    case reordered

    /// Returns the changes that reached the disk.
    func kept<Change>(
        of changes: [Change], using generator: inout SeededGenerator
    ) -> [Change] {
        switch self {
        case .kept: return changes
        case .dropped: return []
        case .torn: return Array(changes.prefix(generator.number(0...changes.count)))
        case .reordered:
            let share = [10, 50, 90][generator.number(0...2)]
            return changes.filter { _ in generator.chance(share) }
        }
    }
}
