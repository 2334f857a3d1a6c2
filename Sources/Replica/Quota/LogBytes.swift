internal import GRDB
internal import Records

/// The bytes that the batches of each log are counted with, as the table `log` keeps them. A start
/// reads them with the logs, so it does not read all batches.
struct LogBytes {
    let database: Database

    private static let sum = "ifnull(sum(length(body) + \(Limits.batchRowBytes)), 0)"

    /// Returns the bytes of a row's batches from a number on.
    func sum(_ log: Int64, from number: UInt64) throws -> Int {
        let first = BatchPlace(log: log, number: number).rowID
        let last = BatchPlace.rows(ofLog: log).upperBound
        return try PreparedStatement(
            database, "SELECT \(LogBytes.sum) FROM batch WHERE id BETWEEN ? AND ?"
        ).first({
            $0.append(first)
            $0.append(last)
        }) { Int($0.integer(0)) } ?? 0
    }

    /// Stores the bytes of a row.
    func store(_ bytes: Int, of log: Int64) throws {
        try PreparedStatement(database, "UPDATE log SET bytes = ? WHERE number = ?").run {
            $0.append(Int64(bytes))
            $0.append(log)
        }
    }

    /// Counts the batches of one space again.
    func count(in space: Int64) throws {
        try database.execute(
            sql: "\(LogBytes.count) WHERE space = ?", arguments: [space])
    }

    /// Counts all batches, of a database that had no counts.
    func countAll() throws { try database.execute(sql: LogBytes.count) }

    private static let count = """
        UPDATE log SET bytes = (SELECT \(sum) FROM batch
            WHERE id BETWEEN log.number << 40 AND log.number << 40 | 1099511627775)
        """
}

extension BatchContent {
    /// The bytes that a batch with this content is counted with.
    var storedBytes: Int { encoded.count + Limits.batchRowBytes }
}
