import Contract
import FeaturesAPI
import GtkKit
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

@MainActor
struct RequestsStateTests {
    private func request(
        _ digit: Character = "1", _ direction: WalkRequest.Direction = .received,
        _ state: WalkRequest.State = .pending, created: Timestamp = .min
    ) -> WalkRequest {
        WalkRequest(
            id: id(digit), direction: direction, person: key("a"), name: "Mina", latitude: 1,
            longitude: 2, message: "m", createdMs: created,
            secondsLeft: 60, state: state)
    }

    @Test func `a request in an unknown state is shown and cannot be answered`() throws {
        let json = JSONValue(encoding: request())
        guard case .object(var members) = json else { return }
        members["state"] = "reconsidered"
        let request = try JSONValue.object(members).decoded(as: WalkRequest.self)
        #expect(request.state == .unknown)
        #expect(request.answers.isEmpty)
    }

    @Test(
        arguments: [
            (.received, .pending, ["Accept", "Decline"]),
            (.received, .delivered, ["Accept", "Decline"]),
            (.received, .accepted, []), (.received, .missed, []),
            (.sent, .queued, ["Cancel request"]),
            (.sent, .delivered, ["Cancel request"]), (.sent, .expired, []),
        ] as [(WalkRequest.Direction, WalkRequest.State, [String])])
    func `the possible answers to a request follow from its state`(
        direction: WalkRequest.Direction, state: WalkRequest.State, answers: [String]
    ) {
        #expect(request("1", direction, state).answers.map(\.rawValue) == answers)
    }

    @Test(
        arguments: [
            (.sent, .queued, "Queued"), (.sent, .delivered, "Delivered"),
            (.sent, .accepted, "Accepted"), (.sent, .declined, "Declined"),
            (.sent, .cancelled, "You cancelled"), (.sent, .expired, "Not answered in time"),
            (.sent, .notAnswered, "Not answered in time"), (.received, .missed, "Missed"),
            (.received, .expired, "It expired"), (.received, .cancelled, "They cancelled"),
        ] as [(WalkRequest.Direction, WalkRequest.State, String)])
    func `every state of a request has its own text`(
        direction: WalkRequest.Direction, state: WalkRequest.State, words: String
    ) {
        #expect(request("1", direction, state).stateText.hasPrefix(words))
    }

    private func item(
        _ digit: Character, handled: Bool = false, ref: String? = nil
    ) -> InboxList.Item {
        InboxList.Item(
            id: id(digit), kind: "drop", title: "t", body: "b", atMs: .example, handled: handled,
            actions: [], ref: ref)
    }

    @Test func `an inbox item about a walk request has no second row`() {
        var state = RequestsState()
        state.walks = WalkList(requests: [request("1")])
        state.inbox = InboxList(items: [
            item("a", ref: id("1").string), item("b"), item("c", handled: true),
        ])
        #expect(state.otherItems.map(\.id) == [id("b")])
    }

    /// Returns requests with the ids 0, 1, 2 and so on, the newest first.
    private func state(of count: Int) -> RequestsState {
        var state = RequestsState()
        state.walks = WalkList(
            requests: (0..<count).map { index in
                request(Character("\(index)"), created: Timestamp(milliseconds: Int64(100 - index)))
            })
        return state
    }

    @Test(arguments: [(0, ""), (1, "0"), (2, "10"), (3, "21")])
    func `the two oldest requests that wait have bars`(count: Int, ids: String) {
        let bars = state(of: count).bars(People(), now: .zero) { _, _ in }
        #expect(bars.map(\.id) == ids.map { id($0).string })
    }

    @Test func `a bar shows the person, location and time left, and answers its own request`()
        throws
    {
        var answered: [String] = []
        let bars = state(of: 1).bars(People(), now: .seconds(8)) { request, answer in
            answered.append("\(answer) \(request)")
        }
        let bar = try #require(bars.first)
        #expect(bar.title == "Mina asks you for a walk")
        #expect(bar.detail.hasSuffix("· 52 s left"))
        for answer in bar.answers { answer.perform() }
        #expect(answered == ["decline \(id("0"))", "accept \(id("0"))"])
        #expect(bar.answers.map(\.isSuggested) == [false, true])
    }

    @Test func `a walk is a flag on the map with the name of the mate`() {
        let markers = state(of: 1).markers(names: [key("a"): "Mina · aa"])
        #expect(markers.map(\.title) == ["Walk with Mina · aa"])
        #expect(markers.map(\.symbol) == [.flag])
    }

    @Test func `a walk on the map offers its location with its name`() throws {
        var walk = request("1", .sent, .accepted)
        walk.locationName = "North gate"
        let state = RequestsState(walks: WalkList(requests: [walk]))
        let location = try #require(Coordinate(latitude: 1, longitude: 2))
        #expect(
            state.markers(names: [:]).map(\.offer) == [.location(location, name: "North gate")])
    }
}
