internal import GRDB
internal import Synchronization

/// Reads that were found permitted, so that a plugin's query is judged once and not at each call.
/// Tables and views do not change while a replica is open, and neither does the verdict.
final class PermittedReads: Sendable {
    private struct Read: Hashable {
        let sql: String
        let allowed: Set<String>
    }

    private struct State {
        var reads: Set<Read> = []
        /// What a plugin's tables and views open, column by column; the same for all its reads.
        var permissions: [Set<String>: ReadPermission] = [:]
    }

    /// Verdicts kept; a plugin's queries are few, unless it writes values into their text.
    static let countMax = 512

    private let state = Mutex(State())

    /// Judges a read and the statement prepared from it, unless that was done already.
    /// - Parameter allowed: tables and views by name, besides the core's views; nil allows all.
    /// - Throws: ``ReplicaFault/notPermitted(_:)``.
    func judge(
        _ sql: String, _ statement: Statement, _ allowed: Set<String>?, in database: Database
    ) throws {
        guard let allowed else { return try ReadPermission.checkForm(statement) }
        let read = Read(sql: sql, allowed: allowed)
        guard !state.withLock({ $0.reads.contains(read) }) else { return }
        try permission(allowed, in: database).check(statement, in: database)
        state.withLock { state in
            if state.reads.count >= PermittedReads.countMax { state.reads.removeAll() }
            state.reads.insert(read)
        }
    }

    private func permission(
        _ allowed: Set<String>, in database: Database
    ) throws -> ReadPermission {
        if let known = state.withLock({ $0.permissions[allowed] }) { return known }
        let made = try ReadPermission(opening: allowed, in: database)
        state.withLock { state in
            if state.permissions.count >= PermittedReads.countMax { state.permissions.removeAll() }
            state.permissions[allowed] = made
        }
        return made
    }
}
