internal import PluginKit

/// The dial targets at which people were last linked, as long as the node runs.
///
/// A person whose card is not here announces a tag that nobody here can compute. If something must
/// still be told to them, such as the end of a proposal, only this shows which target is theirs: in
/// a crowd all others wait for room.
struct RecentTargets: Sendable {
    /// The number of people who are remembered.
    static let countMax = 64

    /// The people, the one who was linked last at the end.
    private(set) var all: [(person: PersonID, key: String)] = []

    /// Records the target at which a person's link ended.
    mutating func record(_ person: PersonID, at key: String) {
        all.removeAll { $0.person == person || $0.key == key }
        all.append((person, key))
        if all.count > RecentTargets.countMax { all.removeFirst() }
    }
}
