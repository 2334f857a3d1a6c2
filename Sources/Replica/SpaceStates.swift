internal import Records
internal import Synchronization

/// What is kept in memory of each open space, as of the last commit. Whoever asks how far a space
/// reaches need not wait until the disk is done with the next one.
final class SpaceStates: Sendable {
    private let states: Mutex<[SpaceID: SpaceState]>

    init(_ spaces: [SpaceState]) {
        states = Mutex(
            Dictionary(spaces.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    /// A space, or nil where it is not open. Only the replica's own methods change it.
    subscript(id: SpaceID) -> SpaceState? {
        get { states.withLock { $0[id] } }
        set { states.withLock { $0[id] = newValue } }
    }

    /// All open spaces, in no order.
    var all: [SpaceState] { states.withLock { Array($0.values) } }
}
