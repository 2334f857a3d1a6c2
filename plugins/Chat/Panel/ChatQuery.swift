import ChatAPI
import Contract
import FeaturesAPI
import PanelKit

/// A query of the chat's panel.
enum ChatQuery: CaseIterable, Sendable {
    /// The list of rooms.
    case rooms
    /// The newest messages of the room that is open.
    case newest

    /// Returns the queries with the events that make them stale: a message in another room does
    /// not reload the open one.
    /// - Parameter opened: returns the id of the open room; nil while none is open.
    @MainActor
    static func queries(
        opened: @escaping @MainActor () -> Key?,
        ask: @escaping @MainActor (ChatQuery) async throws -> Void
    ) -> StaleQueries<ChatQuery> {
        let shows: @MainActor (Key?) -> Bool = { room in
            opened().map { $0 == room ?? $0 } ?? false
        }
        return StaleQueries(
            .after(ChatEvents.changed, .rooms),
            .after(ChatEvents.changed, .newest) { shows($0.room) },
            // Rooms and messages show names; mates and members may write.
            .after(MateEvents.changed, .rooms) { $0.concernsNames },
            .after(MateEvents.changed, .newest) { $0.concernsNames && shows(nil) },
            .after(GroupEvents.changed, .rooms) { $0.part != .notes },
            .after(GroupEvents.changed, .newest) { $0.part != .notes && shows($0.group) },
            ask: ask)
    }
}
