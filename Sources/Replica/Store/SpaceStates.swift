internal import Records
internal import Synchronization

/// The states of the open spaces, as of the last commit. Reading them does not wait for the disk.
final class SpaceStates: Sendable {
    private struct Contents {
        var spaces: [SpaceID: SpaceState]
        var damaged: Set<SpaceID>
        /// The time at which the first held batch of each space, or its postponed attribution, is
        /// due.
        var due: [SpaceID: Timestamp]
        /// The bytes that the batches of all spaces take.
        var storedBytes: Int
    }

    private let contents: Mutex<Contents>

    init(_ spaces: [SpaceState]) {
        contents = Mutex(
            Contents(
                spaces: Dictionary(
                    spaces.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }),
                damaged: Set(spaces.filter(\.damage.isOpen).map(\.id)),
                due: Dictionary(
                    spaces.compactMap { space in space.nextRelease.map { (space.id, $0) } },
                    uniquingKeysWith: min),
                storedBytes: spaces.reduce(0) { $0 + $1.storedBytes }))
    }

    /// The state of a space, or nil if it is not open. Only the replica's own methods change it.
    subscript(id: SpaceID) -> SpaceState? {
        get { contents.withLock { $0.spaces[id] } }
        set {
            let isDamaged = newValue?.damage.isOpen ?? false
            let due = newValue?.nextRelease
            contents.withLock { contents in
                let before = contents.spaces[id]?.storedBytes ?? 0
                contents.storedBytes += (newValue?.storedBytes ?? 0) - before
                contents.spaces[id] = newValue
                contents.due[id] = due
                if isDamaged { contents.damaged.insert(id) } else { contents.damaged.remove(id) }
            }
        }
    }

    /// All open spaces, in no order.
    var all: [SpaceState] { contents.withLock { Array($0.spaces.values) } }

    /// The bytes that the batches of all spaces take.
    var storedBytes: Int { contents.withLock { $0.storedBytes } }

    /// Whether any space has a damaged batch. It is read often, so it copies nothing.
    var hasDamage: Bool { contents.withLock { !$0.damaged.isEmpty } }

    /// The time at which the first held batch or postponed attribution is due; nil if there is
    /// none. It is read often too.
    var nextDue: Timestamp? { contents.withLock { $0.due.values.min() } }
}
