internal import Records
internal import Synchronization

/// The states of the open spaces, as of the last commit. Reading them does not wait for the disk.
final class SpaceStates: Sendable {
    private struct Contents {
        var spaces: [SpaceID: SpaceState]
        var damaged: Set<SpaceID>
    }

    private let contents: Mutex<Contents>

    init(_ spaces: [SpaceState]) {
        contents = Mutex(
            Contents(
                spaces: Dictionary(
                    spaces.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }),
                damaged: Set(spaces.filter(\.hasDamage).map(\.id))))
    }

    /// The state of a space, or nil if it is not open. Only the replica's own methods change it.
    subscript(id: SpaceID) -> SpaceState? {
        get { contents.withLock { $0.spaces[id] } }
        set {
            let isDamaged = newValue?.hasDamage ?? false
            contents.withLock { contents in
                contents.spaces[id] = newValue
                if isDamaged { contents.damaged.insert(id) } else { contents.damaged.remove(id) }
            }
        }
    }

    /// All open spaces, in no order.
    var all: [SpaceState] { contents.withLock { Array($0.spaces.values) } }

    /// Whether any space has a damaged batch. It is read often, so it copies nothing.
    var hasDamage: Bool { contents.withLock { !$0.damaged.isEmpty } }
}
