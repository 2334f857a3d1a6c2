internal import GRDB
internal import Records

/// The bytes that the batches of each log are counted with, as the table `log` keeps them: `bytes`
/// counts the batches up to the number `summed`, and a start adds the few after it. So a start does
/// not read all batches, and most batches change no row of `log`.
struct LogBytes {
    let database: Database

    /// The number of batches after which the count in the file is brought up to date.
    static let unsummedMax: UInt64 = 64

    private static let sum = "ifnull(sum(length(body) + \(Limits.batchRowBytes)), 0)"
    private static let last = "(log.number << 40 | 1099511627775)"

    /// The expression for the bytes of all batches of a row of `log`.
    static let ofRow = """
        bytes + (SELECT \(sum) FROM batch
            WHERE id BETWEEN (log.number << 40) + log.summed + 1 AND \(last))
        """

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
    func store(_ entry: SpaceState.LogEntry) throws {
        try PreparedStatement(database, "UPDATE log SET bytes = ?, summed = ? WHERE number = ?").run
        {
            $0.append(Int64(entry.bytes))
            $0.append(Int64(clamping: entry.high))
            $0.append(entry.number)
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
        UPDATE log SET summed = ifnull((SELECT max(id) - (log.number << 40) FROM batch
                WHERE id BETWEEN log.number << 40 AND \(last)), 0),
            bytes = (SELECT \(sum) FROM batch WHERE id BETWEEN log.number << 40 AND \(last))
        """
}

extension BatchContent {
    /// The bytes that a batch with this content is counted with.
    var storedBytes: Int { encoded.count + Limits.batchRowBytes }
}
