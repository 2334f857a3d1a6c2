import ChatAPI
import ControlAPI
import FeaturesAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import ChatPanel

/// The cost of an event: the queries that the panel of chat repeats.
@MainActor
struct ChatQueriesTests {
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
}
