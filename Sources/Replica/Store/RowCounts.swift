internal import GRDB
internal import Records

/// The rows that the batches of one log have in tables whose length their author decides.
struct RowCounts: Hashable {
    /// The operations that broke a rule, in `void`.
    var void = 0
    /// The operations whose entity is not known yet, in `waiting`.
    var waiting = 0
    /// The batches without a body although no erase names them, in `missing_body`.
    var missing = 0

    /// The bytes that these rows are counted with in quotas. A batch without a body is counted as a
    /// batch.
    var storedBytes: Int {
        void * Limits.voidRowBytes + waiting * Limits.waitingRowBytes
    }

    static func += (one: inout RowCounts, other: RowCounts) {
        one.void += other.void
        one.waiting += other.waiting
        one.missing += other.missing
    }

    static func -= (one: inout RowCounts, other: RowCounts) {
        one.void -= other.void
        one.waiting -= other.waiting
        one.missing -= other.missing
    }
}

/// The columns of the table `log` with the counts of each log, so that a start counts no rows.
struct RowCountColumns {
    let database: Database

    /// The columns, in the order in which they are read.
    static let names = "void_rows, waiting_rows, missing_rows"

    /// Stores the counts of a log.
    func store(_ counts: RowCounts, ofLog log: Int64) throws {
        try PreparedStatement(
            database,
            """
            UPDATE log SET void_rows = ?, waiting_rows = ?, missing_rows = ? WHERE number = ?
            """
        ).run {
            $0.append(Int64(counts.void))
            $0.append(Int64(counts.waiting))
            $0.append(Int64(counts.missing))
            $0.append(log)
        }
    }

    /// Adds the columns to a database that had none, and counts the rows of all logs.
    static func create(in database: Database) throws {
        for (column, table) in [
            ("void_rows", "void"), ("waiting_rows", "waiting"), ("missing_rows", "missing_body"),
        ] {
            try database.execute(
                sql: "ALTER TABLE log ADD COLUMN \(column) INTEGER NOT NULL DEFAULT 0")
            try database.execute(
                sql: """
                    UPDATE log SET \(column) = found.rows FROM
                        (SELECT batch >> 40 AS log, count(*) AS rows FROM \(table) GROUP BY 1)
                        AS found
                    WHERE log.number = found.log
                    """)
        }
    }
}

extension SpaceTransaction {
    /// Stores the counts of rows that differ from those in the file.
    func storeRowCounts() throws {
        let columns = RowCountColumns(database: database)
        for row in state.space.rowsToStore {
            guard let entry = state.space.logs[row], entry.rows != entry.storedRows else {
                continue
            }
            try columns.store(entry.rows, ofLog: entry.number)
            state.space.change(row) { $0.storedRows = $0.rows }
        }
    }
}
