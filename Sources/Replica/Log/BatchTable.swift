internal import GRDB
internal import Records

/// The log: signed batches by their place.
struct BatchTable {
    let database: Database

    /// A stored batch with everything its header is rebuilt from.
    struct Stored {
        let place: BatchPlace
        let stamp: Stamp
        let epoch: UInt64
        let hash: BatchHash
        /// The body, or its hash if it was erased.
        let encodedContent: [UInt8]
        let signature: Signature?
        /// The branch in its header, if that is not the branch of the log's root row.
        let branch: BranchName?

        /// Decodes the operations, or the hash of a removed body.
        func content() throws(RecordFault) -> BatchContent {
            try BatchContent(decoding: encodedContent)
        }

        /// The decoded content; nil if it is damaged, so that the batch is ignored.
        var readableContent: BatchContent? { try? content() }
    }

    static let columns = "id, stamp, epoch, hash, body, signature, branch"

    /// Stores checked batches of one row.
    struct Insertion {
        /// The log of the root row, from which the row continues.
        let root: LogName
        let arrived: Timestamp
        fileprivate let statement: PreparedStatement

        /// - Parameter signature: the signature of this very batch, if there is one.
        func insert(
            _ batch: CheckedBatch, at place: BatchPlace, signature: Signature?
        ) throws {
            let branch = batch.header.log.branch
            try statement.run {
                $0.append(place.rowID)
                $0.append(batch.header.stamp)
                $0.append(Int64(bitPattern: batch.header.epoch))
                $0.append(arrived.milliseconds)
                $0.append(batch.hash)
                $0.append(batch.encodedContent)
                $0.append(signature?.bytes)
                $0.append(branch == root.branch ? nil : branch.bytes)
            }
        }
    }

    /// Returns the statement that stores batches of a row.
    func insertion(root: LogName, arrived: Timestamp) throws -> Insertion {
        Insertion(
            root: root, arrived: arrived,
            statement: try PreparedStatement(
                database,
                """
                INSERT INTO batch (id, stamp, epoch, arrived, hash, body, signature, branch)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """))
    }

    /// Returns the hash of a batch, or nil if it is not stored.
    func hash(at place: BatchPlace) throws -> BatchHash? {
        try PreparedStatement(database, "SELECT hash FROM batch WHERE id = ?")
            .first({ $0.append(place.rowID) }) { $0.storedHash(0) }
    }

    /// Returns a batch, or nil if it is not stored.
    func batch(at place: BatchPlace) throws -> Stored? {
        try PreparedStatement(database, "SELECT \(BatchTable.columns) FROM batch WHERE id = ?")
            .first({ $0.append(place.rowID) }, BatchTable.stored)
    }

    /// Whether two batches of one log name the same log and epoch in their headers, so that one run
    /// can carry both.
    func areInRun(_ one: BatchPlace, _ other: BatchPlace) throws -> Bool {
        guard let one = try batch(at: one), let other = try batch(at: other) else { return false }
        return one.epoch == other.epoch && one.branch == other.branch
    }

    /// Visits the batches of a log in order.
    /// - Parameter visit: returns whether to continue.
    func walk(
        log: Int64, after number: UInt64, _ visit: (Stored) throws -> Bool
    ) throws {
        let statement = try PreparedStatement(
            nesting: database,
            """
            SELECT \(BatchTable.columns) FROM batch
            WHERE id > ? AND id <= ? ORDER BY id
            """)
        let first = BatchPlace(log: log, number: min(number, Limits.batchNumberMax)).rowID
        let bounds = (first, BatchPlace.rows(ofLog: log).upperBound)
        try statement.rows({
            $0.append(bounds.0)
            $0.append(bounds.1)
        }) { try visit(BatchTable.stored($0)) }
    }

    /// Returns the first batch of a log, or nil if it has none.
    func first(ofLog log: Int64) throws -> (place: BatchPlace, stamp: Stamp)? {
        let rows = BatchPlace.rows(ofLog: log)
        return try PreparedStatement(
            database, "SELECT id, stamp FROM batch WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1"
        ).first({
            $0.append(rows.lowerBound)
            $0.append(rows.upperBound)
        }) { (BatchPlace(rowID: $0.integer(0)), $0.storedStamp(1)) }
    }

    /// Returns the last batch of a log, or nil if it has none.
    func head(ofLog log: Int64) throws -> (place: BatchPlace, hash: BatchHash, stamp: Stamp)? {
        try last(ofLog: log, where: "1")
    }

    /// Returns the last batch of a log that is not held, or nil.
    func lastApplied(
        ofLog log: Int64
    ) throws -> (place: BatchPlace, hash: BatchHash, stamp: Stamp)? {
        try last(
            ofLog: log,
            where: "NOT EXISTS (SELECT 1 FROM held WHERE held.batch = batch.id)")
    }

    private func last(
        ofLog log: Int64, where condition: String
    ) throws -> (place: BatchPlace, hash: BatchHash, stamp: Stamp)? {
        let rows = BatchPlace.rows(ofLog: log)
        return try PreparedStatement(
            database,
            """
            SELECT id, hash, stamp FROM batch
            WHERE id BETWEEN ? AND ? AND \(condition) ORDER BY id DESC LIMIT 1
            """
        ).first({
            $0.append(rows.lowerBound)
            $0.append(rows.upperBound)
        }) {
            (BatchPlace(rowID: $0.integer(0)), $0.storedHash(1), $0.storedStamp(2))
        }
    }

    /// Decodes a row. A damaged column contradicts the batch's signature, which ``LogAudit``
    /// detects.
    static func stored(_ columns: Columns) -> Stored {
        Stored(
            place: BatchPlace(rowID: columns.integer(0)), stamp: columns.storedStamp(1),
            epoch: UInt64(bitPattern: columns.integer(2)),
            hash: columns.storedHash(3), encodedContent: columns.bytes(4),
            signature: Signature(columns.bytes(5)), branch: BranchName(bytes: columns.bytes(6)))
    }
}
