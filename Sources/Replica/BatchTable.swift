internal import GRDB
internal import Records

/// The log itself: batches as they were signed, by their place.
struct BatchTable {
    let database: Database

    /// A stored batch with all that its header is rebuilt from.
    struct Stored {
        let place: BatchPlace
        let stamp: Stamp
        let epoch: UInt64
        let hash: BatchHash
        let body: [UInt8]
        let signature: Signature?
        /// The branch its header names, where that is not the log it belongs to in the end.
        let branch: BranchName?
    }

    private static let columns = "id, stamp, epoch, hash, body, signature, branch"

    /// Stores a checked batch.
    /// - Parameters:
    ///   - signature: where one was given for this very batch.
    ///   - root: the log it belongs to in the end.
    func insert(
        _ batch: CheckedBatch, at place: BatchPlace, root: LogName, signature: Signature?,
        arrived: Int64
    ) throws {
        let branch = batch.header.log.branch
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO batch (id, stamp, epoch, arrived, hash, body, signature, branch)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            place.rowID, batch.header.stamp.sql, Int64(bitPattern: batch.header.epoch), arrived,
            batch.hash.sql, batch.encodedBody.sql, signature?.bytes.sql,
            branch == root.branch ? nil : branch.sql,
        ])
    }

    /// The hash of a batch, or nil where there is none.
    func hash(at place: BatchPlace) throws -> BatchHash? {
        let statement = try database.cachedStatement(sql: "SELECT hash FROM batch WHERE id = ?")
        return try GRDB.Row.fetchOne(statement, arguments: [place.rowID])?
            .identifier(0, as: BatchHash.self)
    }

    /// A batch, or nil where there is none.
    func batch(at place: BatchPlace) throws -> Stored? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(BatchTable.columns) FROM batch WHERE id = ?")
        return try GRDB.Row.fetchOne(statement, arguments: [place.rowID]).map(BatchTable.stored)
    }

    /// Walks over the batches of a log in order.
    /// - Parameter visit: returns whether to go on.
    func walk(
        log: Int64, after number: UInt64, _ visit: (Stored) throws -> Bool
    ) throws {
        let statement = try database.makeStatement(
            sql: """
                SELECT \(BatchTable.columns) FROM batch
                WHERE id > ? AND id <= ? ORDER BY id
                """)
        let first = BatchPlace(log: log, number: min(number, Limits.batchNumberMax)).rowID
        let cursor = try GRDB.Row.fetchCursor(
            statement, arguments: [first, BatchPlace.rows(ofLog: log).upperBound])
        while let row = try cursor.next(), try visit(BatchTable.stored(row)) {}
    }

    /// The last batch of a log, or nil while it is empty.
    func head(ofLog log: Int64) throws -> (place: BatchPlace, hash: BatchHash, stamp: Stamp)? {
        try last(ofLog: log, where: "1")
    }

    /// The last batch of a log that is not held, or nil.
    func lastApplied(
        ofLog log: Int64
    ) throws -> (place: BatchPlace, hash: BatchHash, stamp: Stamp)? {
        try last(
            ofLog: log,
            where: """
                id NOT IN (SELECT held.batch FROM held JOIN log ON log.space = held.space
                    WHERE log.number = batch.id >> 40)
                """)
    }

    private func last(
        ofLog log: Int64, where condition: String
    ) throws -> (place: BatchPlace, hash: BatchHash, stamp: Stamp)? {
        let rows = BatchPlace.rows(ofLog: log)
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, hash, stamp FROM batch
                WHERE id BETWEEN ? AND ? AND \(condition) ORDER BY id DESC LIMIT 1
                """)
        guard
            let row = try GRDB.Row.fetchOne(
                statement, arguments: [rows.lowerBound, rows.upperBound])
        else { return nil }
        let hash = try row.identifier(1, as: BatchHash.self)
        return (BatchPlace(rowID: row[0]), hash, try row.stamp(2))
    }

    private static func stored(_ row: GRDB.Row) throws(RecordFault) -> Stored {
        let epoch: Int64 = row[2]
        return Stored(
            place: BatchPlace(rowID: row[0]), stamp: try row.stamp(1),
            epoch: UInt64(bitPattern: epoch), hash: try row.identifier(3, as: BatchHash.self),
            body: row.bytes(4), signature: Signature(row.bytes(5)),
            branch: BranchName(bytes: row.bytes(6)))
    }
}
