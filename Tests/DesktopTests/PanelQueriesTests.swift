import ChatAPI
import Contract
import ControlAPI
import FeaturesAPI
import NodeAPI
import PanelKit
import ProximityDropAPI
import Testing

@testable import ChatPanel
@testable import Desktop
@testable import ProximityDropPanel

/// The cost of an event: the queries that each page repeats.
@MainActor
struct PanelQueriesTests {
    @Test(
        arguments: [
            (NodeEvent(ChatEvents.changed, ChatChange(room: key("1"))), [.rooms, .newest]),
            (NodeEvent(ChatEvents.changed, ChatChange(room: key("2"))), [.rooms]),
            (NodeEvent(ChatEvents.changed, ChatChange()), [.rooms, .newest]),
            (NodeEvent(MateEvents.changed, MateChange(part: .presence)), []),
            (NodeEvent(MateEvents.changed, MateChange(part: .profile)), [.rooms, .newest]),
            (NodeEvent(GroupEvents.changed, GroupChange(group: key("1"), part: .notes)), []),
            (
                NodeEvent(GroupEvents.changed, GroupChange(group: key("2"), part: .members)),
                [.rooms]
            ),
            (NodeEvent(topic: "group"), [.rooms, .newest]),
        ] as [(NodeEvent, [ChatQuery])])
    func `an event about another room does not reload the open one`(
        event: NodeEvent, cost: [ChatQuery]
    ) {
        let chat = ChatQuery.queries(opened: { key("1") }) { _ in }
        #expect(chat.stale(after: event) == cost)
        let closed = ChatQuery.queries(opened: { nil }) { _ in }
        #expect(!closed.stale(after: event).contains(.newest) || event.body.isEmpty)
    }

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

    @Test(
        arguments: [
            (NodeEvent(NearbyEvents.changed, NearbyChange(part: .people)), [.people]),
            (NodeEvent(NearbyEvents.changed, NearbyChange(part: .visibility)), [.visibility]),
            (NodeEvent(NearbyEvents.changed, NearbyChange()), [.people, .visibility]),
            (NodeEvent(StatusEvents.changed, StatusChange(discovery: .quiet)), [.people]),
            (NodeEvent(StatusEvents.changed, StatusChange(inSync: true)), []),
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
