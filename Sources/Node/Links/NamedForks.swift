internal import Records

/// The logs of which a peer has named a batch that stands otherwise here, so that each is written
/// down once for each link.
struct NamedForks: Sendable {
    /// How many are remembered; more are not written down.
    static let countMax = 64

    private var named: Set<Place> = []

    private struct Place: Hashable {
        let space: SpaceID
        let log: LogName
    }

    /// Notes a log.
    /// - Returns: whether it was not noted before, and there is room.
    mutating func note(_ log: LogName, in space: SpaceID) -> Bool {
        guard named.count < NamedForks.countMax else { return false }
        return named.insert(Place(space: space, log: log)).inserted
    }
}
