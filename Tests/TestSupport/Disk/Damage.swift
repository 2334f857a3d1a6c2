/// What a power cut does to the changes that no sync has brought to the disk.
public enum Damage: String, CaseIterable, Sendable {
    /// All of them came to the disk anyway.
    case kept
    /// None of them did.
    case dropped
    /// The first of them did, up to a sector in the midst of one.
    case torn
    /// Any of them did, the later before the earlier.
    case reordered

    /// The changes that came to the disk.
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
