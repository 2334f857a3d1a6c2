internal import GRDB
internal import Synchronization

/// The reads that were found permitted, so that a plugin's query is judged once and not at each
/// call. Tables and views do not change while a replica is open, so verdicts do not either.
final class PermittedReads: Sendable {
    private struct State {
        /// The sets of tables with which each text was permitted. They are compared and not hashed:
        /// a caller passes the same set each time.
        var reads: [String: [Set<String>?]] = [:]
        /// The columns that a plugin's tables and views open; the same for all its reads.
        var permissions: [Set<String>: ReadPermission] = [:]
        /// The columns that each table and view shows.
        var shown: [String: DatabaseRegion] = [:]
    }

    /// The maximum number of stored verdicts. A plugin has few queries, unless it writes values
    /// into their text.
    static let countMax = 512

    private let state = Mutex(State())

    /// Judges a read and its prepared statement, unless that was done before.
    /// - Parameter allowed: the names of tables and views, besides the core's views; nil allows
    ///   all.
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
