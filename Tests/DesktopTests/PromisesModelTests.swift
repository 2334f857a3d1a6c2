import Contract
import ControlAPI
import PanelKit
import PromisesAPI
import Testing

@testable import Desktop
@testable import PromisesPanel

/// The cost of an event: the queries that the panel of promises repeats.
@MainActor
struct PromisesModelTests {
    private let node = FakeNode()
    private let model: PromisesModel

    init() async {
        model = PromisesModel(node: node, clock: PanelClock(HastyClock().windowClock))
        let detail = PromiseDetail(summary: dinner(), people: [])
        node.answer(PromiseCommands.today, with: PromisesToday(promises: [], allDone: false))
        node.answer(PromiseCommands.ledger, with: PromiseLedger(people: [], debts: []))
        node.answer(PromiseCommands.show, with: detail)
        node.answer(PromiseCommands.stop, with: detail)
        setList(dinner())
        model.queries.receive(.opened)
        await model.queries.settle()
    }

    private func dinner(
        phase: PromisePhase = .tracking, sharing: PromiseSharing = .sharing,
        title: String = "Dinner"
    ) -> PromiseSummary {
        PromiseSummary(
            id: key("d"), title: title, atMs: Timestamp(milliseconds: 10_000_000), phase: phase,
            state: .member, maker: key("a"), makerName: "Ann", mine: false, latitude: 37.5,
            longitude: 127, penalty: 500, peopleCount: 3, sharing: sharing)
    }

    private func setList(_ promises: PromiseSummary...) {
        node.answer(PromiseCommands.list, with: PromiseList(promises: promises))
    }

    /// Returns the queries that one event costs.
    private func cost(of topic: String) async -> [String] {
        _ = node.drainQueries()
        model.queries.receive(NodeEvent(topic: topic))
        await model.queries.settle()
        return node.drainQueries()
    }

    @Test func `the beginning of a stream repeats every query that is shown`() {
        #expect(node.drainQueries() == ["promise/list", "promise/today", "promise/ledger"])
        #expect(model.state.open.map(\.title) == ["Dinner"])
    }

    @Test func `a promise event costs the list, and the people if a promise is open`() async {
        setList(dinner(sharing: .stopped))
        #expect(await cost(of: "promise") == ["promise/list"])
        #expect(model.state.open.map(\.sharing) == [.stopped])
        model.toggle(key("d"))
        await model.queries.settle()
        #expect(await cost(of: "promise") == ["promise/list", "promise/show"])
    }

    @Test func `today is queried again only if a plan has changed`() async {
        setList(dinner(title: "Late dinner"))
        #expect(await cost(of: "promise") == ["promise/list", "promise/today"])
        #expect(await cost(of: "promise") == ["promise/list"])
    }

    @Test func `the ledger is queried again when a promise ends`() async {
        setList()
        #expect(
            await cost(of: "promise") == ["promise/list", "promise/today", "promise/ledger"])
    }

    @Test func `the ledger is queried again if only a past promise can have changed`() async {
        setList(dinner(phase: .scheduled))
        _ = await cost(of: "promise")
        #expect(await cost(of: "promise") == ["promise/list", "promise/ledger"])
    }

    @Test func `a location costs the people, and nothing while no promise is open`() async {
        #expect(await cost(of: "location") == [])
        model.toggle(key("d"))
        await model.queries.settle()
        #expect(await cost(of: "location") == ["promise/show"])
        model.toggle(key("d"))
        #expect(await cost(of: "location") == [])
    }

    @Test func `an action repeats the queries of the records that it changed`() async throws {
        _ = node.drainQueries()
        let promise = try #require(model.state.open.first)
        try await model.perform(.stop, promise)
        await model.queries.settle()
        #expect(node.drainActions() == ["promise/stop"])
        #expect(node.drainQueries() == ["promise/list"])
    }
}
