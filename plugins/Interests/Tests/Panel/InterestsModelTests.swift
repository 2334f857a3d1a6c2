import Contract
import ControlAPI
import FeaturesAPI
import InterestsAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import InterestsPanel

/// The panel of interests without its widgets, which need a display.
@MainActor
struct InterestsModelTests {
    private let node = FakeNode()
    private let clock = HastyClock()
    private let model: InterestsModel
    private let mine: [Interest] = [.coffee, .tea, .walks, .cats, .films]

    init() {
        model = InterestsModel(node: node, clock: PanelClock(clock.windowClock))
    }

    /// Lets the panel ask for a state.
    private func show(_ status: InterestsStatus) async {
        node.answer(InterestsCommands.show, with: status)
        model.queries.receive(NodeEvent(InterestsEvents.changed, InterestsChange()))
        await model.queries.settle()
    }

    private func looking(_ match: InterestsStatus.Match? = nil) -> InterestsStatus {
        InterestsStatus(chosen: mine, secondsLeft: 600, lookingCount: 1, match: match)
    }

    private func match(since: Int64) -> InterestsStatus.Match {
        InterestsStatus.Match(
            common: [.coffee, .tea, .walks], sinceMs: Timestamp(milliseconds: since))
    }

    @Test func `who has no interests chooses first, and cannot go back`() async throws {
        await show(InterestsStatus(chosen: []))
        #expect(model.draft == InterestDraft())
        #expect(!model.endChoosing() && model.draft != nil)
        for interest in mine { model.set(interest, isChosen: true) }
        node.answer(InterestsCommands.choose, with: InterestsStatus(chosen: mine))
        try await model.save()
        #expect(model.draft == nil && model.status?.interests == mine)
        let sent = try node.drainRequests(of: InterestsCommands.choose)
        #expect(sent == [ChooseInterests(interest: try ChosenInterests(mine))])
    }

    @Test func `a choice that breaks the rule or is refused stays as it is`() async throws {
        await show(InterestsStatus(chosen: mine))
        #expect(model.draft == nil)
        model.beginChoosing()
        model.set(.tea, isChosen: false)
        await #expect(throws: CommandFault.self) { try await model.save() }
        #expect(node.drainActions().isEmpty)
        model.set(.vr, isChosen: true)
        await #expect(throws: (any Error).self) { try await model.save() }
        #expect(model.draft?.chosen == Set([.vr, .coffee, .walks, .cats, .films]))
        #expect(model.endChoosing() && model.draft == nil)
    }

    @Test func `the switch looks and stops`() async throws {
        await show(InterestsStatus(chosen: mine))
        node.answer(InterestsCommands.look, with: looking())
        node.answer(InterestsCommands.stop, with: InterestsStatus(chosen: mine))
        try await model.look(true)
        #expect(model.screen.isLooking)
        try await model.look(false)
        #expect(!model.screen.isLooking)
        #expect(node.drainActions() == ["interests/look", "interests/stop"])
    }

    @Test func `a new match is news until the page shows it, and begins with the first topic`()
        async
    {
        await show(looking())
        #expect(!model.hasNews)
        await show(looking(match(since: 1)))
        #expect(model.hasNews)
        model.markMatchSeen()
        model.showNextTopic()
        await show(looking(match(since: 1)))
        #expect(!model.hasNews && model.topicsCount == 1)
        await show(looking(match(since: 2)))
        #expect(model.hasNews && model.topicsCount == 0)
        await show(looking())
        #expect(!model.hasNews)
    }

    @Test func `people nearby are asked for only while there is a match, whose name may change`()
        async
    {
        let nearby = NodeEvent(NearbyEvents.changed, NearbyChange())
        await show(looking())
        #expect(model.queries.stale(after: nearby).isEmpty)
        await show(looking(match(since: 1)))
        #expect(model.queries.stale(after: nearby) == [.status])
    }
}
