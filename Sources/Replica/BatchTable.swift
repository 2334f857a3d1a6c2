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
        /// The body, or what stands for one that was erased.
        let encodedContent: [UInt8]
        let signature: Signature?
        /// The branch its header names, where that is not the log it belongs to in the end.
        let branch: BranchName?

        /// What is here of the operations.
        func content() throws(RecordFault) -> BatchContent {
            try BatchContent(decoding: encodedContent)
        }

        /// The same; nil where the disk damaged it, so that it counts for nothing.
        var readableContent: BatchContent? { try? content() }
    }

    static let columns = "id, stamp, epoch, hash, body, signature, branch"

    /// Stores checked batches of one row.
    struct Insertion {
        /// The log the row belongs to in the end.
        let root: LogName
        /// Milliseconds since 1970.
        let arrived: Int64
        fileprivate let statement: PreparedStatement

        /// - Parameter signature: where one was given for this very batch.
        func insert(
            _ batch: CheckedBatch, at place: BatchPlace, signature: Signature?
        ) throws {
            let branch = batch.header.log.branch
            try statement.run {
                $0.append(place.rowID)
                $0.append(batch.header.stamp)
                $0.append(Int64(bitPattern: batch.header.epoch))
                $0.append(arrived)
                $0.append(batch.hash)
                $0.append(batch.encodedContent)
                $0.append(signature?.bytes)
                $0.append(branch == root.branch ? nil : branch.bytes)
            }
        }
    }

    /// What stores batches of a row.
    func insertion(root: LogName, arrived: Int64) throws -> Insertion {
        Insertion(
            root: root, arrived: arrived,
            statement: try PreparedStatement(
                database,
                """
                INSERT \(Planted.numberReused.isIn ? "OR REPLACE" : "") INTO batch (id, stamp, epoch, arrived, hash, body, signature, branch)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """))
    }

    /// The hash of a batch, or nil where there is none.
    func hash(at place: BatchPlace) throws -> BatchHash? {
        try PreparedStatement(database, "SELECT hash FROM batch WHERE id = ?")
            .first({ $0.append(place.rowID) }) { $0.storedHash(0) }
    }

    /// A batch, or nil where there is none.
    func batch(at place: BatchPlace) throws -> Stored? {
        try PreparedStatement(database, "SELECT \(BatchTable.columns) FROM batch WHERE id = ?")
            .first({ $0.append(place.rowID) }, BatchTable.stored)
    }

    /// Walks over the batches of a log in order.
    /// - Parameter visit: returns whether to go on.
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

    /// A row as it stands there. What the disk damaged of it contradicts the batch's signature,
    /// which ``LogAudit`` sees.
    static func stored(_ columns: Columns) -> Stored {
        Stored(
            place: BatchPlace(rowID: columns.integer(0)), stamp: columns.storedStamp(1),
            epoch: UInt64(bitPattern: columns.integer(2)),
            hash: columns.storedHash(3), encodedContent: columns.bytes(4),
            signature: Signature(columns.bytes(5)), branch: BranchName(bytes: columns.bytes(6)))
    }
}
