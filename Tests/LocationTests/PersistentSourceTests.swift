import Location
import Synchronization
import Testing

/// Tests a source that fails and returns.
struct PersistentSourceTests {
    /// A source that plays a list of attempts: the reports of each, and its end.
    private final class Attempts: LocationSource {
        private let left: Mutex<[(reports: Int, end: LocationFault?)]>
        let point: Point

        init(_ attempts: [(reports: Int, end: LocationFault?)]) throws {
            left = Mutex(attempts)
            point = try Point(latitude: 1, longitude: 2)
        }

        func run(_ report: @Sendable (LocationReport) async -> Void) async throws {
            let attempt = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let attempt else { throw CancellationError() }
            for _ in 0..<attempt.reports { await report(.fix(Fix(point: point))) }
            if let fault = attempt.end { throw fault }
        }
    }

    private final class Journal: Sendable {
        let pauses = Mutex<[Duration]>([])
        let faults = Mutex<[LocationFault]>([])
        let reports = Mutex(0)
    }

    private static let away = LocationFault.unreachable(address: "x:1", reason: "refused")

    private func run(_ attempts: [(reports: Int, end: LocationFault?)]) async -> (
        Journal, (any Error)?
    ) {
        let journal = Journal()
        do {
            let source = PersistentSource(try Attempts(attempts)) { pause in
                journal.pauses.withLock { $0.append(pause) }
            }
            try await source.run(
                { _ in journal.reports.withLock { $0 += 1 } },
                away: { fault in journal.faults.withLock { $0.append(fault) } })
            return (journal, nil)
        } catch {
            return (journal, error)
        }
    }

    @Test func `pauses double up to a minute while there is no answer`() async {
        let (journal, fault) = await run(
            [(reports: Int, end: LocationFault?)](repeating: (0, Self.away), count: 9))
        #expect(fault is CancellationError)
        #expect(
            journal.pauses.withLock { $0 }
                == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(journal.faults.withLock { $0.count } == 9)
    }

    @Test func `a source that answered is tried again after the first pause`() async {
        let (journal, _) = await run([
            (0, Self.away), (0, Self.away), (3, .lost), (0, Self.away), (1, .lost),
        ])
        #expect(
            journal.pauses.withLock { $0 } == [1, 2, 1, 2, 1].map { .seconds($0) })
        #expect(journal.reports.withLock { $0 } == 4)
    }

    @Test func `a source that ends or fails permanently is not tried again`() async {
        let (ended, none) = await run([(2, nil), (1, nil)])
        #expect(none == nil && ended.reports.withLock { $0 } == 2)
        let fault = LocationFault.notUnderstood(reason: "?")
        let (useless, thrown) = await run([(1, fault), (1, nil)])
        #expect(thrown as? LocationFault == fault)
        #expect(useless.pauses.withLock { $0.isEmpty })
    }
}
