internal import GRDB
public import Records

// Reads that neither wait for writes nor delay them.
extension Replica {
    /// Returns the rows of one SELECT over the collections' tables and the views, as of the last
    /// commit.
    /// - Parameter allowedTables: the tables and views the statement may use besides the core's
    ///   views; nil allows all.
    /// - Throws: ``ReplicaFault/notPermitted(_:)``, ``ReplicaFault/statement(_:)`` and others.
    public nonisolated func read(
        _ sql: String, _ arguments: [Value] = [], allowedTables: Set<String>?
    ) async throws -> [Records.Row] {
        let query: @Sendable (Database) throws -> [Records.Row] = { [permittedReads] database in
            let statement = try database.cachedStatement(sql: sql)
            try permittedReads.judge(sql, statement, allowedTables, in: database)
            return try Records.Row.all(of: statement, StatementArguments(arguments.map(\.sql)))
        }
        do {
            // A single statement is a snapshot and needs no transaction around it.
            return readsOnCaller ? try readHere(query) : try await pool.unsafeRead(query)
        } catch let error as DatabaseError {
            throw ReplicaFault(error, path: path)
        }
    }

    /// Reads the rows of one `SELECT`, within ``readTogether(_:)``.
    public typealias Rows = (_ sql: String) throws -> [Records.Row]

    /// Reads one snapshot of the database in any number of statements.
    /// - Parameter work: reads with the function it is given, over all tables and views.
    /// - Throws: ``ReplicaFault`` or what the work throws.
    public nonisolated func readTogether<Result: Sendable>(
        _ work: @escaping @Sendable (Rows) throws -> Result
    ) async throws -> Result {
        try await readAside { database in
            try work { sql in
                try Records.Row.all(of: database.cachedStatement(sql: sql))
            }
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

    /// A replica with a given executor runs nothing concurrently, so it needs no second connection.
    private nonisolated func readHere<Result>(
        _ work: (Database) throws -> Result
    ) throws -> Result {
        try pool.writeWithoutTransaction(work)
    }
}
