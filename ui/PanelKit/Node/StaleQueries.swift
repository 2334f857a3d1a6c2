import Contract
public import ControlAPI

/// Repeats a panel's queries when their answers are stale, one at a time.
///
/// A panel names its queries in an enumeration and says after which events each of them is stale:
///
/// ```swift
/// enum Query: CaseIterable { case list, people }
/// let queries = StaleQueries<Query>(
///     .after(PromiseEvents.changed, .list) { $0.concerns(.plan, .attendance) },
///     .after(LocationEvents.changed, .people) { $0.concernsMe }
/// ) { query in
///     switch query { case .list: try await askList() case .people: try await askPeople() }
/// }
/// ```
///
/// A query that becomes stale several times before it runs is run once. One that becomes stale
/// while it runs is run again. Queries are run in the order of the enumeration.
@MainActor
public final class StaleQueries<Query: Hashable & CaseIterable & Sendable>: PanelQueries {
    /// Called when a query was refused; the earlier answer stays.
    public var onFault: @MainActor (any Error) -> Void = { _ in }
    /// Called after each round of queries, when no answer is stale any more.
    public var onSettled: @MainActor () -> Void = {}

    private let rules: [StaleRule<Query>]
    private let ask: @MainActor (Query) async throws -> Void
    private var stale: Set<Query> = []
    private let asking = SingleFlight()

    /// Creates queries with the events that make them stale.
    /// - Parameters:
    ///   - rules: The events, and the queries that each makes stale.
    ///   - ask: Runs one query and keeps its answer.
    public init(
        _ rules: StaleRule<Query>..., ask: @escaping @MainActor (Query) async throws -> Void
    ) {
        self.rules = rules
        self.ask = ask
    }

    /// The topics of the events that make an answer stale.
    public var topics: Set<String> { Set(rules.map(\.topic)) }

    /// Returns the queries that an event makes stale, in order.
    public func stale(after event: NodeEvent) -> [Query] {
        guard !NodeEvent.topicsOfEverything.contains(event.topic) else {
            return Array(Query.allCases)
        }
        let stale = Set(rules.flatMap { $0.stale(after: event) })
        return Query.allCases.filter(stale.contains)
    }

    /// Repeats the queries that an event has made stale.
    public func receive(_ event: NodeEvent) { askAgain(stale(after: event)) }

    /// Repeats these queries. A call inside `ask` adds the queries that an answer makes necessary.
    public func askAgain(_ queries: [Query]) {
        stale.formUnion(queries)
        guard !stale.isEmpty, asking.request() else { return }
        Task {
            await asking.run { await askStale() }
            onSettled()
        }
    }

    /// Runs every query now, in order.
    /// - Throws: the first error that shows that the node does not answer. A refusal is reported to
    ///   ``onFault``.
    public func askAll() async throws {
        for query in Query.allCases { try await askOne(query) }
    }

    /// Waits until no answer is stale.
    public func settle() async {
        await asking.finished()
    }

    private func askStale() async {
        while let query = Query.allCases.first(where: stale.contains) {
            do {
                try await askOne(query)
            } catch {
                // A node that is gone ends the event stream too. The next stream begins with an
                // event that makes everything stale.
                stale = []
            }
        }
    }

    private func askOne(_ query: Query) async throws {
        stale.remove(query)
        do {
            try await ask(query)
        } catch let fault as NodeUnreachable {
            throw fault
        } catch {
            onFault(error)
        }
    }
}

extension NodeEvent {
    /// The topics of the events after which everything may be stale: a stream has begun, or events
    /// were lost.
    package static let topicsOfEverything = Set(StreamEvents.declarations.map(\.topic))
}
