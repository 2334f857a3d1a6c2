import Contract
import ControlAPI
import Foundation
import PanelKit
import Testing

@MainActor
struct StaleQueriesTests {
    enum Query: CaseIterable, Sendable {
        case list, people, ledger
    }

    /// Records the queries, and holds an answer back until a test releases it.
    @MainActor
    private final class Asked {
        var log: [Query] = []
        var fault: (any Error)?
        var held: CheckedContinuation<Void, Never>?
        var holds = false

        func ask(_ query: Query) async throws {
            log.append(query)
            if holds { await withCheckedContinuation { held = $0 } }
            if let fault { throw fault }
        }

        /// Waits until a query arrives and is held back.
        func waitForHeld() async -> CheckedContinuation<Void, Never>? {
            while held == nil { await Task.yield() }
            defer { held = nil }
            return held
        }
    }

    private let asked = Asked()
    private let queries: StaleQueries<Query>

    init() {
        let asked = asked
        queries = StaleQueries(
            .after(Self.promises, .people, .list), .after(Self.locations, .people) { !$0.isFar }
        ) { try await asked.ask($0) }
    }

    private static let promises = Event<Moved>("promise", help: "A promise changed.")
    private static let locations = Event<Moved>("location", help: "A location changed.")

    private struct Moved: EventBody {
        var far: Bool?
        var isFar: Bool { far == true }
    }

    @Test(arguments: [
        ("promise", [Query.list, .people]), ("location", [.people]), ("unheard of", []),
        ("open", [.list, .people, .ledger]), ("lost", [.list, .people, .ledger]),
    ])
    func `an event costs the queries that its topic names, in order`(
        topic: String, cost: [Query]
    ) async {
        queries.receive(NodeEvent(topic: topic))
        await queries.settle()
        #expect(asked.log == cost)
    }

    @Test(
        arguments: [
            (#"{"far":false}"#, [Query.people]), (#"{"far":true}"#, []), ("{}", [.people]),
            (#"{"far":1}"#, [.people]), ("", [.people]),
        ] as [(String, [Query])])
    func `a query is repeated if the body fulfils its condition or cannot be read`(
        body: String, cost: [Query]
    ) async {
        queries.receive(NodeEvent(topic: "location", body: Data(body.utf8)))
        await queries.settle()
        #expect(asked.log == cost)
    }

    @Test func `many events before the first answer cost each query once`() async {
        for _ in 0..<5 { queries.receive(NodeEvent(topic: "promise")) }
        await queries.settle()
        #expect(asked.log == [.list, .people])
    }

    @Test func `a query that becomes stale while it runs is repeated once`() async {
        asked.holds = true
        queries.askAgain([.people])
        let first = await asked.waitForHeld()
        for _ in 0..<3 { queries.receive(NodeEvent(topic: "location")) }
        asked.holds = false
        first?.resume()
        await queries.settle()
        #expect(asked.log == [.people, .people])
    }

    @Test func `a refusal is reported and the other queries run`() async {
        var faults: [String] = []
        var settledCount = 0
        queries.onFault = { faults.append(String(describing: $0)) }
        queries.onSettled = { settledCount += 1 }
        asked.fault = NodeRefusal(code: "refused", message: "No.")
        queries.receive(NodeEvent(topic: "promise"))
        await queries.settle()
        #expect(asked.log == [.list, .people])
        #expect(faults == ["No.", "No."] && settledCount == 1)
    }

    @Test func `a node that is gone receives no more queries until the next event`() async {
        asked.fault = NodeUnreachable(reason: "gone")
        queries.receive(NodeEvent(topic: "open"))
        await queries.settle()
        #expect(asked.log == [.list])
        await #expect(throws: NodeUnreachable.self) { try await queries.askAll() }
        asked.fault = nil
        queries.receive(NodeEvent(topic: "location"))
        await queries.settle()
        #expect(asked.log == [.list, .list, .people])
    }
}
