internal import GRDBSQLite
internal import Glibc

/// A fault of SQLite, by its result code.
enum DatabaseFault: Error, Equatable {
    /// The file is no database, or lacks a table.
    case notADatabase
    /// The database is damaged or cannot be read.
    case damaged
    /// The answer took more instructions than allowed.
    case tooSlow
}

/// An SQLite file from outside, opened without locks and without writing anything beside it. It
/// turns SQLite's pointers into values; one caller at a time uses it.
@safe final class TileDatabase {
    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = unsafe [:]
    /// The instructions that the current answer may still use, as SQLite counts them down.
    private let budget: UnsafeMutablePointer<Int>

    /// The number of instructions between two looks at ``budget``.
    private static let instructionsPerLook = 10_000

    /// Opens a file.
    init(path: String) throws(DatabaseFault) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(Self.address(of: path), &opened, flags, nil)
        guard let opened = unsafe opened else { throw .damaged }
        guard code == SQLITE_OK else {
            unsafe sqlite3_close_v2(opened)
            throw Self.fault(code)
        }
        unsafe handle = opened
        unsafe budget = .allocate(capacity: 1)
        unsafe budget.initialize(to: TileLimits.instructionsMax)
        limit()
    }

    deinit {
        unsafe statements.values.forEach { unsafe _ = sqlite3_finalize($0) }
        unsafe sqlite3_close_v2(handle)
        unsafe budget.deallocate()
    }

    /// Runs a query, and reads each row with `read` until it returns false. A row with a value
    /// that is too long ends the query.
    func rows(
        _ query: String, _ arguments: [Int] = [], _ read: (TileRow) -> Bool
    ) throws(DatabaseFault) {
        unsafe budget.pointee = TileLimits.instructionsMax
        let statement = unsafe try prepared(query)
        defer { unsafe sqlite3_reset(statement) }
        for (index, argument) in arguments.enumerated() {
            unsafe sqlite3_bind_int64(statement, Int32(index + 1), Int64(argument))
        }
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW: if !read(unsafe TileRow(statement: statement)) { return }
            case SQLITE_DONE, SQLITE_TOOBIG: return
            case let code: throw Self.fault(code)
            }
        }
    }

    private func prepared(_ query: String) throws(DatabaseFault) -> OpaquePointer {
        if let known = unsafe statements[query] { return unsafe known }
        var made: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(handle, query, -1, &made, nil)
        guard code == SQLITE_OK, let made = unsafe made else { throw Self.fault(code) }
        unsafe statements[query] = made
        return unsafe made
    }

    /// Distrusts the schema, and limits the length of a value and the time of an answer.
    private func limit() {
        for line in [
            "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0",
            "PRAGMA cache_size = -2000", "PRAGMA temp_store = MEMORY",
        ] { unsafe sqlite3_exec(handle, line, nil, nil, nil) }
        let longest = Int32(TileLimits.tileBytesMax + 64)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest)
        unsafe sqlite3_progress_handler(
            handle, Int32(Self.instructionsPerLook),
            { budget in
                guard let left = unsafe budget?.assumingMemoryBound(to: Int.self) else { return 1 }
                unsafe left.pointee -= TileDatabase.instructionsPerLook
                return unsafe left.pointee > 0 ? 0 : 1
            }, budget)
    }

    /// Returns the address that opens a file without locks: nobody else is expected to write it,
    /// and it may lie in a folder in which nothing can be written.
    private static func address(of path: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        let digits = Array("0123456789ABCDEF")
        let encoded = path.utf8.map { byte in
            let (high, low) = (digits[Int(byte >> 4)], digits[Int(byte & 15)])
            return plain.contains(byte) ? String(UnicodeScalar(byte)) : "%\(high)\(low)"
        }
        // Two slashes at the beginning of a path would name a host.
        return "file://\(path.hasPrefix("/") ? "" : "/")\(encoded.joined())?mode=ro&immutable=1"
    }

    private static func fault(_ code: Int32) -> DatabaseFault {
        switch code & 0xFF {
        case SQLITE_NOTADB, SQLITE_ERROR: .notADatabase
        case SQLITE_INTERRUPT: .tooSlow
        default: .damaged
        }
    }
}

/// One row of an answer, valid while it is read.
@safe struct TileRow {
    fileprivate let statement: OpaquePointer

    fileprivate init(statement: OpaquePointer) { unsafe self.statement = statement }

    /// Returns the whole number in a column; nil if it is NULL.
    func integer(_ column: Int32) -> Int? {
        guard unsafe sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
        return Int(unsafe sqlite3_column_int64(statement, column))
    }

    /// Returns the text in a column; nil if it is NULL.
    func text(_ column: Int32) -> String? {
        guard let text = unsafe sqlite3_column_text(statement, column) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// Returns the bytes in a column; nil if it is NULL.
    func bytes(_ column: Int32) -> [UInt8]? {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
