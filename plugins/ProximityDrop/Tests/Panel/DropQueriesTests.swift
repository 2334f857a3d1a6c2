import ControlAPI
import FeaturesAPI
import PanelKit
import ProximityDropAPI
import Testing

@testable import ProximityDropPanel

/// The cost of an event: the queries that the panel of drops repeats.
@MainActor
struct DropQueriesTests {
    @Test(
        arguments: [
            (NodeEvent(DropEvents.changed, DropChange(phase: .finding)), [.session], [.session]),
            (NodeEvent(ProfileEvents.changed, ProfileChange()), [.preview], []),
            (NodeEvent(NearbyEvents.changed, NearbyChange(part: .people)), [.people], []),
            (NodeEvent(NearbyEvents.changed, NearbyChange(part: .visibility)), [], []),
        ] as [(NodeEvent, [DropQuery], [DropQuery])])
    func `a closed drop sheet asks for the drop alone`(
        event: NodeEvent, open: [DropQuery], closed: [DropQuery]
    ) {
        #expect(DropQuery.queries(isOpen: { true }) { _ in }.stale(after: event) == open)
        #expect(DropQuery.queries(isOpen: { false }) { _ in }.stale(after: event) == closed)
    }
}
