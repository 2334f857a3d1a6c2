internal import GRDB

extension Database {
    /// Does something in one transaction, which is undone where it throws.
    ///
    /// GRDB compiles its BEGIN and COMMIT anew each time; for a small batch that costs as much as
    /// its signature.
    func inImmediateTransaction<Result>(
        _ work: (Database) throws -> Result
    ) throws -> Result {
        try PreparedStatement(self, "BEGIN IMMEDIATE").run { _ in }
        do {
            let result = try work(self)
            try PreparedStatement(self, "COMMIT").run { _ in }
            return result
        } catch {
            // After some errors SQLite has ended the transaction itself.
            if isInsideTransaction { try? PreparedStatement(self, "ROLLBACK").run { _ in } }
            throw error
        }
    }
}
