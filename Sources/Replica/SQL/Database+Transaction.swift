internal import GRDB

extension Database {
    /// Runs work in one transaction, and rolls it back if the work throws.
    ///
    /// GRDB compiles its BEGIN and COMMIT each time; for a small batch that costs as much as the
    /// signature.
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
