import Contract
import MatchingAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import MatchingPanel

/// The upper part of the page in each state.
struct MatchingHeadTests {
    private func partner(
        secondsLeft: Int? = nil, since: Timestamp? = nil, room: Key? = nil
    ) -> MatchingPartner {
        MatchingPartner(
            person: key("c"), name: "Ben", secondsLeft: secondsLeft, sinceMs: since, room: room)
    }

    private func seconds(_ count: Int) -> Countdown {
        Countdown(timeLeft: .seconds(count), measuredAt: .zero)
    }

    @Test(
        arguments: [
            (.idle, .look, nil), (.seeking, .stop, nil), (.accepted, .stop, "Withdraw"),
            (.confirming, .stop, "Withdraw"), (.matched, .openChat, "End the match…"),
        ] as [(MatchingState, MatchingHead.Action, String?)])
    func `every state has a text and one action`(
        state: MatchingState, action: MatchingHead.Action, cancel: String?
    ) {
        let status = MatchingStatus(
            state: state, isSeeking: state != .idle, wishes: [],
            partner: state == .idle || state == .seeking ? nil : partner(room: key("d")))
        let head = MatchingHead(status)
        #expect(head.action == action && head.isEnabled && head.cancelTitle == cancel)
        #expect(!head.title.isEmpty && !head.detail.isEmpty)
    }

    @Test func `the time in which a confirmation has to be answered runs down`() {
        let status = MatchingStatus(
            state: .confirming, isSeeking: true, wishes: [], partner: partner(secondsLeft: 120))
        let head = MatchingHead(status, acceptance: seconds(120), now: .seconds(30))
        #expect(head.detail == "Their device has to answer: 1:30 left.")
    }

    @Test func `one who confirmed and does not look, as after a restart, can look`() {
        let status = MatchingStatus(state: .confirming, wishes: [], partner: partner())
        #expect(MatchingHead(status).action == .look)
        #expect(MatchingHead(status).cancelTitle == "Withdraw")
    }

    @Test func `before the first answer, and in a state of a newer node, there is no action`() {
        #expect(MatchingHead(nil).action == nil)
        let head = MatchingHead(MatchingStatus(state: .unknown, wishes: []))
        #expect(head.action == nil && head.detail.contains("older"))
    }

    @Test func `a pause runs down, and the user can look when it is over`() {
        let idle = MatchingStatus(state: .idle, wishes: [], pauseSeconds: 120)
        let first = MatchingHead(idle, pause: seconds(120), now: .zero)
        #expect(first.title == "You ended a match" && !first.isEnabled && first.action == .look)
        #expect(first.detail == "You can look again in 2:00.")
        let last = MatchingHead(idle, pause: seconds(120), now: .seconds(119))
        #expect(last.detail == "You can look again in 0:01." && !last.isEnabled)
        let over = MatchingHead(idle, pause: seconds(120), now: .seconds(120))
        #expect(over.isEnabled && over.title == "Find someone to study with")
    }

    @Test func `the time to confirm an acceptance runs down`() {
        let status = MatchingStatus(
            state: .accepted, wishes: [], partner: partner(secondsLeft: 60))
        let head = MatchingHead(status, acceptance: seconds(60), now: .seconds(17))
        #expect(head.title == "You accepted the request of Ben")
        #expect(head.detail == "They have to confirm: 43 s left.")
        let over = MatchingHead(status, acceptance: seconds(60), now: .seconds(60))
        #expect(over.detail == "They have to confirm: time is up.")
    }

    @Test func `while the user looks, requests are counted and a missing location is told`() {
        func detail(_ count: Int, _ location: MatchingLocation?) -> String {
            MatchingHead(
                MatchingStatus(
                    state: .seeking, wishes: [], requestCount: count, location: location)
            ).detail
        }
        let here = MatchingLocation(latitude: 37.5, longitude: 127)
        #expect(detail(0, here) == "The list follows your location.")
        #expect(detail(1, here).hasPrefix("1 person asks you."))
        #expect(
            detail(2, nil)
                == "2 people ask you. Your location is not known, so no distances are shown.")
    }

    @Test func `the chat of a match can be opened once its room is known`() {
        let waiting = MatchingStatus(state: .matched, wishes: [], partner: partner())
        #expect(!MatchingHead(waiting).isEnabled)
        let open = MatchingStatus(state: .matched, wishes: [], partner: partner(room: key("d")))
        #expect(MatchingHead(open).isEnabled)
        #expect(MatchingHead(open).title == "You are matched with Ben")
    }

    @Test(arguments: [(0, 1), (1, 2), (2, 3), (3, 3), (100, 3)])
    func `ending a match costs 1, 2 and then 3 minutes`(ends: Int, minutes: Int) {
        let unit = minutes == 1 ? "minute" : "minutes"
        #expect(
            PartnerText.costOfEnding(after: ends)
                == "The chat closes, and you can look again after \(minutes) \(unit).")
    }

    @Test func `a partner without a name is called by their key`() {
        #expect(
            PartnerText.name(MatchingPartner(person: key("c")))
                == "Someone without a name (cccccc)")
    }
}
