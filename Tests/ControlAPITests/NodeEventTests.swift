import Contract
import Foundation
import Testing

@testable import ControlAPI

struct NodeEventTests {
    private typealias WalkChange = SampleEvents.WalkChange

    @Test func `an event is read as the body that was published`() {
        let event = NodeEvent(SampleEvents.walk, WalkChange(state: .over))
        #expect(event.topic == "walk" && event.payload == ["state": "over"])
        #expect(event.body(of: SampleEvents.walk) == WalkChange(state: .over))
    }

    @Test(
        arguments: [
            ("{}", WalkChange()), (#"{"state":"open","later":1}"#, WalkChange(state: .open)),
            (#"{"state":"paused"}"#, WalkChange(state: .unknown)), (#"{"state":1}"#, nil),
            ("[]", nil), ("", nil),
        ] as [(String, SampleEvents.WalkChange?)])
    func `members and words of a later version are no obstacle, and other bodies are none`(
        text: String, body: SampleEvents.WalkChange?
    ) {
        let event = NodeEvent(topic: "walk", body: Data(text.utf8))
        #expect(event.body(of: SampleEvents.walk) == body)
    }

    @Test func `an event under another topic has no body of this kind`() {
        #expect(NodeEvent.opened.body(of: SampleEvents.walk) == nil)
        #expect(NodeEvent.lost(count: 3).body(of: StreamEvents.lost)?.count == 3)
    }
}
