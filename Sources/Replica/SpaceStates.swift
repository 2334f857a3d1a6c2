internal import Records
internal import Synchronization

/// What is kept in memory of each open space, as of the last commit. Whoever asks how far a space
/// reaches need not wait until the disk is done with the next one.
final class SpaceStates: Sendable {
    private struct Held {
        var spaces: [SpaceID: SpaceState]
        var damaged: Set<SpaceID>
    }

    private let held: Mutex<Held>

    init(_ spaces: [SpaceState]) {
        held = Mutex(
            Held(
                spaces: Dictionary(
                    spaces.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }),
                damaged: Set(spaces.filter(\.hasDamage).map(\.id))))
    }

    /// A space, or nil where it is not open. Only the replica's own methods change it.
    subscript(id: SpaceID) -> SpaceState? {
        get { held.withLock { $0.spaces[id] } }
        set {
            let isDamaged = newValue?.hasDamage ?? false
            held.withLock { held in
                held.spaces[id] = newValue
                if isDamaged { held.damaged.insert(id) } else { held.damaged.remove(id) }
            }
        }
    }

    /// All open spaces, in no order.
    var all: [SpaceState] { held.withLock { Array($0.spaces.values) } }

    /// Whether any of them has met a damaged batch; asked often, so nothing is copied.
    var hasDamage: Bool { held.withLock { !$0.damaged.isEmpty } }
}
