import FeaturesAPI
import PanelKit
import ProximityDropAPI

/// A query of the drop's panel.
enum DropQuery: CaseIterable, Sendable {
    /// The state of the drop.
    case session
    /// The card that would be sent, which the sheet shows.
    case preview
    /// The people nearby, whom the sheet offers.
    case people

    /// Returns the queries with the events that make them stale.
    /// - Parameter isOpen: returns whether the sheet is open.
    @MainActor
    static func queries(
        isOpen: @escaping @MainActor () -> Bool,
        ask: @escaping @MainActor (DropQuery) async throws -> Void
    ) -> StaleQueries<DropQuery> {
        StaleQueries(
            .after(DropEvents.changed, .session),
            .after(RangingEvents.changed, .session),
            .after(ProfileEvents.changed, .preview) { _ in isOpen() },
            .after(NearbyEvents.changed, .people) { $0.concernsPeople && isOpen() }, ask: ask)
    }
}
