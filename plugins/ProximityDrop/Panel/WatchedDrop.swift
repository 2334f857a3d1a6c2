import Contract
import ProximityDropAPI

/// The drop that this window began, or saw running, and whose end it therefore shows too.
///
/// A drop has no id until both sides have pressed. One that ends quickly may be over when the
/// window first asks for it.
struct WatchedDrop: Equatable, Sendable {
    /// The drop's id, once it has one.
    private var id: RecordKey?
    /// The drop before it, which stays known until the next one begins.
    private let former: RecordKey?

    /// Watches the drop that comes after a session.
    init(after session: DropStatus) { former = session.id }

    /// Whether a session is that of the watched drop.
    func covers(_ session: DropStatus) -> Bool {
        if let id { return session.id == id }
        return session.id == nil || session.id != former
    }

    /// Takes over the id of the drop when a session of it shows one.
    mutating func follow(_ session: DropStatus) {
        if covers(session) { id = session.id }
    }
}
