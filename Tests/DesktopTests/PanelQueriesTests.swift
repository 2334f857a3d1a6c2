import Contract
import ControlAPI
import FeaturesAPI
import NodeAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

/// The cost of an event: the queries that each page of the core repeats.
@MainActor
struct PanelQueriesTests {
    @Test(
        arguments: [
            (NodeEvent(NearbyEvents.changed, NearbyChange(part: .people)), [.people]),
            (NodeEvent(NearbyEvents.changed, NearbyChange(part: .visibility)), [.visibility]),
            (NodeEvent(NearbyEvents.changed, NearbyChange()), [.people, .visibility]),
            (NodeEvent(StatusEvents.changed, StatusChange(discovery: .quiet)), [.people]),
            (NodeEvent(StatusEvents.changed, StatusChange(inSync: true)), []),
            (NodeEvent(RangingEvents.changed, RangingSourceChange()), [.ranging]),
            (NodeEvent(LinkEvents.changed, LinkChange(state: .up)), []),
        ] as [(NodeEvent, [NearbyPanel.Query])])
    func `people nearby and the user's visibility are asked for separately`(
        event: NodeEvent, cost: [NearbyPanel.Query]
    ) {
        #expect(NearbyPanel.queries { _ in }.stale(after: event) == cost)
    }

    @Test(
        arguments: [
            (NodeEvent(WalkEvents.changed, WalkChange(id: id("1"))), [.walks]),
            (NodeEvent(InboxEvents.changed, InboxChange(kinds: ["drop"])), [.inbox]),
        ] as [(NodeEvent, [RequestsPanel.Query])])
    func `walk requests and the inbox are asked for separately`(
        event: NodeEvent, cost: [RequestsPanel.Query]
    ) {
        #expect(RequestsPanel.queries { _ in }.stale(after: event) == cost)
    }
}
