internal import PluginKit

/// The dial target of each person's last link, kept in memory while the node runs.
///
/// The tag of a person whose card is not stored here cannot be computed. If a message must still
/// reach that person, such as the end of a proposal, only this record shows which target to dial
/// first: in a crowd, all other strangers wait for room.
struct RecentTargets: Sendable {
    /// The maximum number of people who are remembered.
    static let countMax = 64

    /// The people in the order of their last link, the latest at the end.
    private(set) var all: [(person: PersonID, key: String)] = []

    /// Records the target at which a person's link ended.
    mutating func record(_ person: PersonID, at key: String) {
        all.removeAll { $0.person == person || $0.key == key }
        all.append((person, key))
        if all.count > RecentTargets.countMax { all.removeFirst() }
    }
}
