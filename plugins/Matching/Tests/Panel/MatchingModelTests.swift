import Contract
import ControlAPI
import FeaturesAPI
import MatchingAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import MatchingPanel

/// The panel of matching without its widgets, which need a display.
@MainActor
struct MatchingModelTests {
    private let node = FakeNode()
    private let clock = HastyClock()
    private let model: MatchingModel

    init() {
        model = MatchingModel(node: node, clock: PanelClock(clock.windowClock))
        node.answer(
            MatchingCommands.people,
            with: MatchingPeople(
                state: .seeking, recommended: [], people: [], hiddenCount: 0))
        node.answer(MatchingCommands.reviews, with: MatchingReviews(received: []))
        node.answer(MatchingCommands.card, with: MatchingCard())
        node.answer(MatchingCommands.filters, with: MatchingFilters())
    }

    /// Lets the panel ask for a state.
    private func show(_ status: MatchingStatus) async {
        node.answer(MatchingCommands.status, with: status)
        model.queries.receive(NodeEvent(MatchingEvents.changed, MatchingChange(part: .status)))
        await model.queries.settle()
        // The card and the filters are read by the commands that change them.
        _ = node.drainActions()
    }

    private func status(
        _ state: MatchingState, wishes: [String] = [], requests: Int = 0
    ) -> MatchingStatus {
        MatchingStatus(
            state: state, wishes: wishes,
            partner: state == .matched
                ? MatchingPartner(person: key("c"), name: "Ben", room: key("d")) : nil,
            requestCount: requests)
    }

    private func listed(_ digits: Character...) -> MatchingPeople {
        MatchingPeople(
            state: .seeking, recommended: [],
            people: digits.map {
                MatchingPerson(person: key($0), state: .free, wishes: [], shares: true)
            }, hiddenCount: 0)
    }

    @Test func `a match that begins is news once; one that stood before is not`() async {
        var matches = 0
        model.onMatch = { matches += 1 }
        await show(status(.matched))
        #expect(matches == 0 && !model.isMatchNew)
        await show(status(.idle))
        await show(status(.matched))
        await show(status(.matched))
        #expect(matches == 1 && model.isMatchNew && model.waitingCount == 1)
        #expect(model.room == key("d"))
        model.markMatchSeen()
        #expect(!model.isMatchNew && model.waitingCount == 0)
        await show(status(.matched))
        #expect(!model.isMatchNew)
    }

    @Test func `an end before the user saw the match takes the news back`() async {
        await show(status(.seeking))
        await show(status(.matched))
        await show(status(.idle))
        #expect(!model.isMatchNew && model.room == nil)
    }

    @Test func `looking saves the typed wishes first, and does not look if they break the rule`()
        async throws
    {
        await show(status(.idle, wishes: ["tea"]))
        model.type("abcdefghi")
        await #expect(throws: CommandFault.self) { try await model.look() }
        #expect(node.drainActions().isEmpty && model.wishes.text == "abcdefghi")
        model.type("coffee run")
        #expect(model.hasUnsavedWishes)
        node.answer(
            MatchingCommands.wishes, with: status(.idle, wishes: ["coffee", "run"]))
        node.answer(MatchingCommands.look, with: status(.seeking, wishes: ["coffee", "run"]))
        try await model.look()
        #expect(node.drainActions() == ["matching/wishes", "matching/look"])
        #expect(!model.hasUnsavedWishes && model.typedWishes == nil)
        try await model.look()
        #expect(node.drainActions() == ["matching/look"])
    }

    @Test func `an answer of the node does not replace what is being typed`() async {
        await show(status(.idle, wishes: ["tea"]))
        model.type("tea co")
        await show(status(.idle, wishes: ["tea"]))
        #expect(model.wishes.text == "tea co")
        #expect(model.status?.wishes.map(\.string) == ["tea"])
    }

    @Test func `a wish of others is added to the typed ones and saved`() async throws {
        await show(status(.seeking, wishes: ["tea"]))
        model.type("tea run")
        node.answer(
            MatchingCommands.wishes, with: status(.seeking, wishes: ["tea", "run", "coffee"]))
        try await model.toggle("coffee")
        let sent = try node.drainRequests(of: MatchingCommands.wishes)
        #expect(sent.map { $0.wish?.wishes } == [["tea", "run", "coffee"]])
        #expect(model.wishes.text == "tea run coffee")
    }

    @Test func `what is typed while a wish of others is saved stays`() async throws {
        let typing = TypingNode(node: node)
        let model = MatchingModel(node: typing, clock: PanelClock(clock.windowClock))
        node.answer(MatchingCommands.wishes, with: status(.seeking, wishes: ["coffee"]))
        typing.whileAsked = { [weak model] in model?.type("coffee run") }
        try await model.toggle("coffee")
        #expect(model.wishes.text == "coffee run" && model.hasUnsavedWishes)
    }

    @Test func `reviews that do not arrive are asked for twice, and then by a button`() async {
        node.answer(MatchingCommands.people, with: listed("c"))
        await show(status(.seeking))
        let person = key("c")
        node.answer(
            MatchingCommands.reviews, with: MatchingReviews(received: [], isIncomplete: true))
        model.openReviews(of: person, true)
        await model.queries.settle()
        /// Lets time pass, and returns the number of queries about the person.
        func asked(after time: Duration) async -> Int {
            _ = node.drainQueries()
            await withCheckedContinuation { done in
                clock.windowClock.after(time) { done.resume() }
            }
            model.followReviews()
            await model.queries.settle()
            return node.drainQueries().count { $0 == "matching/reviews" }
        }
        #expect(await asked(after: MatchingReviews.answerMax) == 0)
        #expect(await asked(after: .seconds(1)) == 1)
        #expect(model.reviews(of: person)?.hint == "Reviews are on their way…")
        #expect(await asked(after: MatchingReviews.answerMax + .seconds(1)) == 0)
        #expect(model.reviews(of: person)?.canTryAgain == true)
        _ = node.drainQueries()
        model.askReviews(of: person)
        #expect(model.reviews(of: person)?.canTryAgain == false)
        await model.queries.settle()
        #expect(node.drainQueries() == ["matching/reviews"])
    }

    @Test func `each action about a person is the node's command`() async throws {
        await show(status(.seeking))
        for command in [
            MatchingCommands.request, MatchingCommands.accept, MatchingCommands.decline,
        ] { node.answer(command, with: status(.seeking)) }
        node.answer(MatchingCommands.cancel, with: status(.seeking))
        for action: PersonEntry.Action in [.ask, .accept, .decline] {
            try await model.perform(action, key("c"))
        }
        #expect(
            node.drainActions() == ["matching/request", "matching/accept", "matching/decline"])
        try await model.perform(.takeBack, key("c"))
        try await model.perform(.cancel, key("c"))
        let cancels = try node.drainRequests(of: MatchingCommands.cancel)
        #expect(cancels == [CancelMatching(person: NameOrKey(key("c"))), CancelMatching()])
    }

    @Test(
        arguments: [
            (.idle, false, false), (.seeking, true, true), (.accepted, true, true),
            (.confirming, false, true), (.matched, false, true), (.unknown, false, false),
        ] as [(MatchingState, Bool, Bool)])
    func `the list is there while the user looks, and during a match if someone is in it`(
        state: MatchingState, isShownEmpty: Bool, isShownFull: Bool
    ) async {
        await show(status(state))
        #expect((model.peopleScreen != nil) == isShownEmpty)
        node.answer(MatchingCommands.people, with: listed("e"))
        await show(status(state))
        #expect((model.peopleScreen != nil) == isShownFull)
    }

    @Test func `cards and reviews that are open are closed when the person is gone`() async {
        node.answer(MatchingCommands.people, with: listed("c", "e"))
        await show(status(.seeking))
        for person in [key("c"), key("e")] { model.expand(person, true) }
        node.answer(MatchingCommands.reviews, with: MatchingReviews(received: []))
        model.openReviews(of: key("c"), true)
        #expect(model.reviews(of: key("c"))?.hint == "Reviews are on their way…")
        await model.queries.settle()
        #expect(model.reviews(of: key("c"))?.hint == "No review could be checked.")
        node.answer(MatchingCommands.people, with: listed("e"))
        await show(status(.seeking))
        #expect(model.expanded == [key("e")] && model.reviews(of: key("c")) == nil)
        model.expand(key("e"), false)
        #expect(model.expanded.isEmpty)
    }

    @Test func `an event asks only for the answers that it may change`() {
        func stale(_ part: MatchingChange.Part?) -> [MatchingModel.Query] {
            model.queries.stale(
                after: NodeEvent(MatchingEvents.changed, MatchingChange(part: part)))
        }
        #expect(stale(.people) == [.status, .people, .shown])
        #expect(stale(.reviews) == [.status, .reviews, .shown])
        #expect(stale(.status) == [.status, .people, .reviews, .choice])
        #expect(stale(nil) == MatchingModel.Query.allCases)
        #expect(stale(.unknown) == MatchingModel.Query.allCases)
    }

    @Test func `a review is shown on the card, and one is sent`() async throws {
        node.answer(MatchingCommands.show, with: MatchingReviews(received: []))
        try await model.show(id("1"), true)
        let shown = try node.drainRequests(of: MatchingCommands.show)
        #expect(shown == [ShowReview(id: RecordPrefix(id("1")), shown: true)])
        await #expect(throws: CommandFault.self) {
            try await model.send(
                ReviewDraft(text: String(repeating: "x", count: 301)), to: key("c"))
        }
        #expect(node.drainActions().isEmpty)
    }

    @Test func `a match that is not to be reviewed leaves the list`() async throws {
        node.answer(MatchingCommands.skipReview, with: MatchingReviews(received: []))
        try await model.skipReview(of: key("c"))
        let skipped = try node.drainRequests(of: MatchingCommands.skipReview)
        #expect(skipped == [SkipReview(person: NameOrKey(key("c")))])
        #expect(model.reviews?.due.isEmpty == true)
    }

    @Test(
        arguments: [
            ("match-0123", .match), ("review-0123", .review), ("reviewed-0123", .reviewed),
            ("ask-12", nil), ("other-1", nil), ("match", nil),
        ] as [(String, MatchingItem?)])
    func `the reference of an inbox item names its subject`(
        reference: String, item: MatchingItem?
    ) {
        #expect(MatchingItem(reference) == item)
        #expect(MatchingItem("ask-\(key("c").string)") == .request(key("c")))
    }
}

/// A node that lets the user type while it answers.
@MainActor
private final class TypingNode: NodeConnection {
    let node: FakeNode
    var whileAsked: @MainActor () -> Void = {}

    init(node: FakeNode) { self.node = node }

    nonisolated func answer(
        to command: CommandDeclaration, _ arguments: Arguments, id: ActionID?
    ) async throws -> JSONValue {
        await MainActor.run { whileAsked() }
        return try await node.answer(to: command, arguments, id: id)
    }

    nonisolated func events() -> AsyncThrowingStream<NodeEvent, any Error> { node.events() }
}
