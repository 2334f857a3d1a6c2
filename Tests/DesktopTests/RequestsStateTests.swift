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
        #expect(request.answers(ofMate: true) == .none)
    }

    @Test(
        arguments: [
            (.received, .pending, .acceptOrDecline), (.received, .delivered, .acceptOrDecline),
            (.received, .accepted, .none), (.received, .missed, .askBack),
            (.received, .expired, .askBack), (.sent, .queued, .cancel),
            (.sent, .delivered, .cancel),
            (.sent, .accepted, .none), (.sent, .expired, .askAgain), (.sent, .declined, .none),
        ] as [(WalkRequest.Direction, WalkRequest.State, WalkRequest.Answers)])
    func `the possible answers to a request follow from its state`(
        direction: WalkRequest.Direction, state: WalkRequest.State, answers: WalkRequest.Answers
    ) {
        #expect(request("1", direction, state).answers(ofMate: true) == answers)
    }

    @Test(
        arguments: [
            (.sent, .queued, "Will send"), (.sent, .delivered, "Delivered"),
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
        _ digit: Character, handled: Bool = false, ref: String? = nil,
        at time: Timestamp = .example,
        actions: [String] = [], from person: Key? = nil
    ) -> InboxList.Item {
        InboxList.Item(
            id: id(digit), kind: "drop", title: "t", body: "b", atMs: time, handled: handled,
            actions: actions, ref: ref, person: person)
    }

    @Test func `a row is about the person that its item comes from`() {
        #expect(InboxEntry(item("a", from: key("b"))).person == key("b"))
        #expect(InboxEntry(item("a")).person == nil)
    }

    @Test func `an inbox item about a walk request has no second row`() {
        var state = RequestsState()
        state.walks = WalkList(requests: [request("1")])
        state.inbox = InboxList(items: [
            item("a", ref: id("1").string), item("b"), item("c", handled: true),
        ])
        #expect(Set(state.entries.map(\.id)) == [id("1"), id("b"), id("c")])
    }

    @Test func `first come the questions, then news, what waits for others and the rest`() {
        func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }
        var state = RequestsState()
        state.walks = WalkList(requests: [
            request("1", .received, .pending, created: time(2)),
            request("2", .sent, .delivered, created: time(9)),
            request("3", .sent, .declined, created: time(8)),
        ])
        state.inbox = InboxList(items: [
            item("a", at: time(1)), item("b", at: time(3)), item("c", handled: true, at: time(7)),
        ])
        #expect(
            state.entries.map(\.id) == [id("1"), id("b"), id("a"), id("2"), id("3"), id("c")])
        state.dismissed = [id("b")]
        #expect(
            state.entries.map(\.id) == [id("1"), id("a"), id("2"), id("3"), id("c"), id("b")])
    }

    @Test func `the badge counts the rows that wait for an answer, and no news`() {
        var state = RequestsState()
        state.walks = WalkList(requests: [
            request("1"), request("2", .sent, .delivered), request("3", .received, .missed),
            request("4", .sent, .declined),
        ])
        state.inbox = InboxList(items: [
            item("a"), item("b", ref: id("4").string), item("c", actions: ["accept", "decline"]),
            item("d", handled: true, actions: ["accept", "decline"]),
        ])
        #expect(state.waitingCount == 2)
        let standings = Dictionary(grouping: state.entries, by: \.standing).mapValues(\.count)
        #expect(standings[.waitsForMe] == 2 && standings[.news] == 2)
    }

    @Test func `news about a walk stay until they are dismissed, a question until it is answered`()
        throws
    {
        var state = RequestsState()
        state.walks = WalkList(requests: [request("1", .received, .missed)])
        state.inbox = InboxList(items: [item("a", ref: id("1").string)])
        let missed = try #require(state.entries.first)
        #expect(missed.standing == .news && missed.canBeDismissed)
        state.inbox = InboxList(items: [item("a", handled: true, ref: id("1").string)])
        #expect(state.entries.map(\.standing) == [.handled])
        #expect(!InboxEntry(item("b", actions: ["accept", "leave"])).canBeDismissed)
        #expect(InboxEntry(item("b")).canBeDismissed)
    }

    @Test func `how a walk ended is news in its own row`() throws {
        var state = RequestsState()
        state.walks = WalkList(requests: [request("1", .sent, .accepted)])
        state.inbox = InboxList(items: [
            item("a", handled: true, ref: id("1").string),
            item("b", ref: "\(id("1").string)-answered"),
        ])
        let answered = try #require(state.entries.first)
        #expect(state.entries.count == 1 && answered.standing == .news)
        #expect(answered.unhandled.map(\.id) == [id("b")])
        state.dismissed = [id("b")]
        #expect(state.entries.map(\.standing) == [.handled])
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
        let bars = state(of: count).bars(People(), now: .zero, time: .example) { _, _ in }
        #expect(bars.map(\.id) == ids.map { id($0).string })
    }

    @Test func `a bar shows the person, location and time left, and answers its own request`()
        throws
    {
        var answered: [String] = []
        let bars = state(of: 1).bars(People(), now: .seconds(8), time: .example) { request, isYes in
            answered.append("\(isYes ? "accept" : "decline") \(request)")
        }
        let bar = try #require(bars.first)
        #expect(bar.title == "Mina asks you for a walk")
        #expect(bar.detail.hasSuffix("· 52 s left"))
        for answer in bar.answers { answer.perform() }
        #expect(answered == ["decline \(id("0"))", "accept \(id("0"))"])
        #expect(bar.answers.map(\.isSuggested) == [false, true])
    }

    @Test func `a walk is a flag on the map with the name of the mate`() {
        let markers = state(of: 1).markers(
            names: [key("a"): "Mina · aa"], now: .zero, time: .example)
        #expect(markers.map(\.title) == ["Walk with Mina · aa"])
        #expect(markers.map(\.symbol) == [.flag])
    }

    @Test func `a walk on the map offers its location with its name`() throws {
        var walk = request("1", .sent, .accepted, created: .example)
        walk.locationName = "North gate"
        let state = RequestsState(walks: WalkList(requests: [walk]))
        let location = try #require(Coordinate(latitude: 1, longitude: 2))
        let markers = state.markers(names: [:], now: .zero, time: .example)
        #expect(markers.map(\.offer) == [.location(location, name: "North gate")])
    }

    @Test(
        arguments: [
            (.declined, false), (.cancelled, false), (.expired, false), (.missed, false),
            (.notAnswered, false), (.unknown, false), (.pending, true), (.queued, true),
            (.delivered, true), (.accepted, true),
        ] as [(WalkRequest.State, Bool)])
    func `a walk that comes to nothing has no flag`(state: WalkRequest.State, hasFlag: Bool) {
        let walk = request("1", .sent, state, created: .example)
        let markers = RequestsState(walks: WalkList(requests: [walk]))
            .markers(names: [:], now: .zero, time: .example)
        #expect(markers.isEmpty == !hasFlag)
    }

    @Test func `an open request has a flag until its time is up`() {
        let state = state(of: 1)
        func markers(at now: Duration) -> [MapMarker] {
            state.markers(names: [:], now: now, time: .example)
        }
        #expect(markers(at: .milliseconds(59_999)).count == 1)
        #expect(markers(at: .seconds(60)).isEmpty)
    }

    @Test func `an agreed walk has a flag until three hours after its beginning`() {
        var walk = request("1", .sent, .accepted, created: .example)
        func count(at time: Timestamp) -> Int {
            RequestsState(walks: WalkList(requests: [walk]))
                .markers(names: [:], now: .zero, time: time).count
        }
        let end = Timestamp.example + .seconds(10_800)
        #expect(count(at: end - .milliseconds(1)) == 1 && count(at: end) == 0)
        walk.atMs = .example + .seconds(3600)
        #expect(count(at: end) == 1 && count(at: end + .seconds(3600)) == 0)
    }

    @Test func `a walk for a time to come says when it is`() throws {
        let now = Timestamp(milliseconds: 1_777_626_000_000)
        var walk = request("1", .sent, .delivered)
        #expect(RequestText(walk, names: [:]).detail(now: now).hasPrefix("“m” · "))
        walk.atMs = now + .seconds(90 * 86_400)
        let time = try #require(walk.atMs).dayAndTime(now: now)
        #expect(RequestText(walk, names: [:]).detail(now: now).hasPrefix("\(time) · “m”"))
    }
}
