internal import Synchronization

/// Reads that were found permitted, so that a plugin's query is judged once and not at each call.
/// Tables and views do not change while a replica is open, and neither does the verdict.
final class PermittedReads: Sendable {
    private struct Read: Hashable {
        let sql: String
        let allowed: Set<String>
    }

    /// Verdicts kept; a plugin's queries are few, unless it writes values into their text.
    static let countMax = 512

    private let reads = Mutex<Set<Read>>([])

    /// Judges a read unless that was done already.
    func judge(
        _ sql: String, _ allowed: Set<String>?, _ permission: () throws -> Void
    ) throws {
        guard let allowed else { return try permission() }
        let read = Read(sql: sql, allowed: allowed)
        guard !reads.withLock({ $0.contains(read) }) else { return }
        try permission()
        reads.withLock { reads in
            if reads.count >= PermittedReads.countMax { reads.removeAll() }
            reads.insert(read)
        }
    }
}
