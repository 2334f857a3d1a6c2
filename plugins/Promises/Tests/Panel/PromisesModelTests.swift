import Contract
import ControlAPI
import FeaturesAPI
import PanelKit
import PanelTestSupport
import PromisesAPI
import Testing

@testable import PromisesPanel

/// The cost of an event: the queries that the panel of promises repeats.
@MainActor
struct PromisesModelTests {
    private let node = FakeNode()
    private let model: PromisesModel

    init() async {
        model = PromisesModel(node: node, clock: PanelClock(HastyClock().windowClock))
        let detail = PromiseDetail(summary: dinner(), people: [])
        node.answer(
            PromiseCommands.today, with: PromisesToday(promises: [], allDone: false, text: ""))
        node.answer(PromiseCommands.ledger, with: PromiseLedger(people: [], debts: []))
        node.answer(PromiseCommands.show, with: detail)
        node.answer(PromiseCommands.stop, with: detail)
        setList(dinner())
        model.queries.receive(.opened)
        await model.queries.settle()
    }

    private func dinner(sharing: PromiseSharing = .sharing) -> PromiseSummary {
        PromiseSummary(
            id: key("d"), title: "Dinner", atMs: Timestamp(milliseconds: 10_000_000),
            phase: .tracking, state: .member, maker: key("a"), makerName: "Ann", mine: false,
            latitude: 37.5,
            longitude: 127, penalty: 500, peopleCount: 3, sharing: sharing)
    }

    private func setList(_ promises: PromiseSummary...) {
        node.answer(PromiseCommands.list, with: PromiseList(promises: promises))
    }

    /// Returns the queries that one event costs.
    private func cost(of event: NodeEvent) async -> [String] {
        _ = node.drainQueries()
        model.queries.receive(event)
        await model.queries.settle()
        return node.drainQueries()
    }

    private func changed(_ digit: Character?, _ parts: PromiseChange.Part...) -> NodeEvent {
        NodeEvent(
            PromiseEvents.changed, PromiseChange(promise: digit.map(key), parts: parts))
    }

    /// Opens the dinner.
    private func open() async {
        model.open(key("d"))
        await model.queries.settle()
    }

    @Test func `the beginning of a stream repeats every query that is shown`() {
        #expect(
            node.drainQueries() == [
                "promise/list", "promise/show", "promise/today", "promise/ledger",
            ])
        #expect(model.state.open.map(\.title) == ["Dinner"])
    }

    @Test func `locations on the way cost the people of the open promise, and nothing else`()
        async
    {
        #expect(await cost(of: changed("d", .locations)) == [])
        await open()
        #expect(await cost(of: changed("d", .locations)) == ["promise/show"])
        #expect(await cost(of: changed("e", .locations)) == [])
        #expect(await cost(of: changed(nil, .locations)) == ["promise/show"])
    }

    @Test func `a change of attendance costs the list, and the people of the open promise`() async {
        setList(dinner(sharing: .stopped))
        #expect(await cost(of: changed("d", .attendance)) == ["promise/list"])
        #expect(model.state.open.map(\.sharing) == [.stopped])
        await open()
        #expect(await cost(of: changed("d", .attendance)) == ["promise/list", "promise/show"])
        #expect(await cost(of: changed("e", .attendance)) == ["promise/list"])
    }

    @Test func `the viewers are those who take part besides the user, while they see a location`()
        async
    {
        func person(_ digit: Character, isMe: Bool, _ state: PromiseMembership) -> PromisePerson {
            PromisePerson(
                person: key(digit), suffix: KeySuffix(key(digit)), name: "Ann", me: isMe,
                state: state)
        }
        let people = [
            person("a", isMe: false, .member), person("b", isMe: true, .member),
            person("c", isMe: false, .invited),
        ]
        node.answer(PromiseCommands.show, with: PromiseDetail(summary: dinner(), people: people))
        _ = await cost(of: changed("d", .attendance))
        #expect(model.state.viewers[key("d")]?.map(\.person) == [key("a")])
        setList(dinner(sharing: .stopped))
        #expect(await cost(of: changed("d", .attendance)) == ["promise/list"])
        #expect(model.state.viewers.isEmpty)
    }

    @Test func `a change of a plan costs today too, and the end of a promise the ledger`() async {
        #expect(
            await cost(of: changed("d", .plan)) == [
                "promise/list", "promise/show", "promise/today",
            ])
        #expect(await cost(of: changed("d", .ledger)) == ["promise/ledger"])
        let all = ["promise/list", "promise/show", "promise/today", "promise/ledger"]
        #expect(await cost(of: changed("d", .plan, .attendance, .ledger)) == all)
        #expect(await cost(of: NodeEvent(PromiseEvents.changed, PromiseChange())) == all)
    }

    @Test func `a mate's presence costs nothing, and their name every list with names`() async {
        let presence = MateChange(person: key("a"), part: .presence)
        #expect(await cost(of: NodeEvent(MateEvents.changed, presence)) == [])
        let name = MateChange(person: key("a"), part: .profile)
        #expect(
            await cost(of: NodeEvent(MateEvents.changed, name))
                == ["promise/list", "promise/show", "promise/ledger"])
    }

    @Test func `the user's location costs the people while a promise is open`() async {
        let mine = NodeEvent(LocationEvents.changed, LocationChange(me: true))
        #expect(await cost(of: mine) == [])
        await open()
        #expect(await cost(of: mine) == ["promise/show"])
        let mates = NodeEvent(LocationEvents.changed, LocationChange(person: key("a"), me: false))
        #expect(await cost(of: mates) == [])
    }

    @Test func `an action costs no query of its own`() async throws {
        _ = node.drainQueries()
        let promise = try #require(model.state.open.first)
        try await model.perform(.stop, promise)
        await model.queries.settle()
        #expect(node.drainActions() == ["promise/stop"])
        #expect(node.drainQueries().isEmpty)
    }

    @Test func `a past promise costs its result, and nothing when it is closed`() async {
        var past = dinner()
        past.phase = .past
        setList(past)
        node.answer(
            PromiseCommands.result,
            with: PromiseResult(
                id: key("d"), title: "Dinner", atMs: past.atMs, phase: .past, isFinal: true,
                people: []))
        model.queries.receive(.opened)
        await model.queries.settle()
        _ = node.drainQueries()
        await open()
        #expect(node.drainQueries() == ["promise/result"])
        #expect(model.state.result?.title == "Dinner")
        model.close()
        await model.queries.settle()
        #expect(node.drainQueries().isEmpty && model.state.promise == nil)
    }

    @Test func `a promise that is in no list is asked for when it is opened`() async {
        var past = dinner()
        past.id = key("e")
        past.phase = .past
        node.answer(PromiseCommands.show, with: PromiseDetail(summary: past, people: []))
        node.answer(
            PromiseCommands.result,
            with: PromiseResult(
                id: key("e"), title: "Dinner", atMs: past.atMs, phase: .past, isFinal: true,
                people: []))
        _ = node.drainQueries()
        model.open(key("e"))
        await model.queries.settle()
        #expect(node.drainQueries() == ["promise/show", "promise/result"])
        #expect(model.state.promise?.id == key("e") && model.state.result != nil)
    }

    @Test func `the page of a promise closes if it is called off or was left`() async {
        let ends: [(PromisePhase, PromiseMembership)] = [(.deleted, .member), (.scheduled, .left)]
        for (phase, state) in ends {
            setList(dinner())
            model.queries.receive(.opened)
            await open()
            #expect(model.state.promise != nil)
            var gone = dinner()
            (gone.phase, gone.state) = (phase, state)
            node.answer(PromiseCommands.show, with: PromiseDetail(summary: gone, people: []))
            setList()
            model.queries.receive(changed("d", .plan, .attendance))
            await model.queries.settle()
            #expect(model.state.promise == nil && model.state.selected == nil)
        }
    }

    @Test func `invitations have a part of their own, and the others stand under their day`() {
        var state = PromisesState()
        let (first, second) = (dinner(), dinner(sharing: .idle))
        var asked = first
        asked.state = .invited
        state.open = [asked]
        #expect(state.invitations.count == 1 && state.ofLaterDays.isEmpty)
        state.open = [second]
        #expect(state.ofLaterDays.count == 1 && state.ofToday.isEmpty)
        #expect(state.heading == "Promises", "today's are not known yet")
        state.today = PromisesToday(promises: [], allDone: false, text: "")
        #expect(state.heading == "No promises today")
        state.today = PromisesToday(promises: [second], allDone: false, text: "")
        #expect(state.ofToday.count == 1 && state.ofLaterDays.isEmpty)
        #expect(state.heading == "1 promise today")
        state.selected = second.id
        #expect(state.othersOfToday.isEmpty)
    }
}
