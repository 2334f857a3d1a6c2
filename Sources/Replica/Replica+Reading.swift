internal import GRDB
public import Records

// Reads that wait for nobody who writes, and for whom nobody waits.
extension Replica {
    /// Rows of one SELECT over the collections' tables and the views, as of the last commit.
    /// - Parameter allowedTables: tables and views the statement may touch besides the core's
    ///   views; nil allows all.
    /// - Throws: ``ReplicaFault/notPermitted(_:)``, ``ReplicaFault/statement(_:)`` and others.
    public nonisolated func read(
        _ sql: String, _ arguments: [Value] = [], allowedTables: Set<String>?
    ) async throws -> [Records.Row] {
        let query: @Sendable (Database) throws -> [Records.Row] = { [permittedReads] database in
            let statement = try database.cachedStatement(sql: sql)
            try permittedReads.judge(sql, statement, allowedTables, in: database)
            let arguments = StatementArguments(arguments.map(\.sql))
            return try GRDB.Row.fetchAll(statement, arguments: arguments).map(Records.Row.init)
        }
        do {
            // One statement is a snapshot by itself and needs no transaction around it.
            return readsOnCaller ? try readHere(query) : try await pool.unsafeRead(query)
        } catch let error as DatabaseError {
            throw ReplicaFault(error, path: path)
        }
    }

    /// Reads one moment of the database while others write.
    nonisolated func readAside<Result: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        let read: @Sendable (Database) throws -> Result = { [path] database in
            try ReplicaFault.translating(path: path) { try work(database) }
        }
        do {
            return readsOnCaller ? try readHere(read) : try await pool.read(read)
        } catch let error as DatabaseError {
            throw ReplicaFault(error, path: path)
        }
    }

    /// Who gives an executor has nothing run beside it, so no second connection is opened to read
    /// while the first one writes.
    private nonisolated func readHere<Result>(
        _ work: (Database) throws -> Result
    ) throws -> Result {
        try pool.writeWithoutTransaction(work)
    }
}
