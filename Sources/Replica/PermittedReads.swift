internal import GRDB
internal import Synchronization

/// Reads that were found permitted, so that a plugin's query is judged once and not at each call.
/// Tables and views do not change while a replica is open, and neither does the verdict.
final class PermittedReads: Sendable {
    private struct State {
        /// For whom each text was found permitted. Compared and not hashed: who asks again hands
        /// over the same set.
        var reads: [String: [Set<String>?]] = [:]
        /// What a plugin's tables and views open, column by column; the same for all its reads.
        var permissions: [Set<String>: ReadPermission] = [:]
        /// What each table and view shows, whoever it is opened to.
        var shown: [String: DatabaseRegion] = [:]
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
        guard !state.withLock({ $0.reads[sql]?.contains(allowed) ?? false }) else { return }
        if let allowed {
            try permission(allowed, in: database).check(statement, in: database)
        } else {
            try ReadPermission.checkForm(statement)
        }
        state.withLock { state in
            if state.reads.count >= PermittedReads.countMax { state.reads.removeAll() }
            state.reads[sql, default: []].append(allowed)
        }
    }

    private func permission(
        _ allowed: Set<String>, in database: Database
    ) throws -> ReadPermission {
        if let known = state.withLock({ $0.permissions[allowed] }) { return known }
        var shown = state.withLock { $0.shown }
        let made = try ReadPermission(opening: allowed, in: database, shown: &shown)
        state.withLock { state in
            state.shown = shown
            if state.permissions.count >= PermittedReads.countMax { state.permissions.removeAll() }
            state.permissions[allowed] = made
        }
        return made
    }
}
