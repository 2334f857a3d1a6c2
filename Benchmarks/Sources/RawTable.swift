import Foundation
import GRDBSQLite

/// The reference for all writes: a keyed upsert with SQLite's own calls in the same mode.
@safe final class RawTable {
    private let connection: OpaquePointer
    private let upsert: OpaquePointer

    /// Opens a new file with a write-ahead log that is synced at each commit.
    init(path: String) throws {
        var opened: OpaquePointer?
        guard unsafe sqlite3_open(path, &opened) == SQLITE_OK, let connection = unsafe opened else {
            throw BenchFault.sqlite("open")
        }
        unsafe self.connection = connection
        for sql in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
            """
            CREATE TABLE field (entity BLOB NOT NULL, field INTEGER NOT NULL, value TEXT,
                PRIMARY KEY (entity, field)) WITHOUT ROWID
            """,
        ] {
            guard unsafe sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
                throw BenchFault.sqlite(sql)
            }
        }
        var prepared: OpaquePointer?
        let sql = """
            INSERT INTO field VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET value = excluded.value
            """
        guard unsafe sqlite3_prepare_v2(connection, sql, -1, &prepared, nil) == SQLITE_OK,
            let upsert = unsafe prepared
        else { throw BenchFault.sqlite(sql) }
        unsafe self.upsert = upsert
    }

    deinit {
        unsafe sqlite3_finalize(upsert)
        unsafe sqlite3_close(connection)
    }

    /// Writes one field in its own transaction.
    func write(entity: [UInt8], field: Int, value: String) throws {
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        unsafe sqlite3_bind_blob(upsert, 1, entity, Int32(entity.count), transient)
        unsafe sqlite3_bind_int64(upsert, 2, Int64(field))
        unsafe sqlite3_bind_text(upsert, 3, value, -1, transient)
        guard unsafe sqlite3_step(upsert) == SQLITE_DONE else { throw BenchFault.sqlite("step") }
        unsafe sqlite3_reset(upsert)
    }
}
