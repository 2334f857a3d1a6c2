internal import GRDBSQLite
internal import Glibc

/// A fault of SQLite, by its result code.
enum DatabaseFault: Error, Equatable {
    /// The file is no database, lacks a table, or computes its tiles in a way that is not allowed.
    case notADatabase
    /// The database is damaged or cannot be read.
    case damaged
    /// The answer took more instructions or more time than allowed.
    case tooSlow
}

/// An SQLite file from outside, opened without locks and without writing anything beside it. It
/// turns SQLite's pointers into values; one caller at a time uses it.
///
/// The schema is from outside too, and `tiles` may be a view. A view may only read tables and call
/// a few functions: one with a recursive query is refused before it runs, and one that joins a
/// table with itself many times is ended by the limits of an answer.
@safe final class TileDatabase {
    /// The work that the current answer may still use.
    private struct Budget {
        var instructionsLeft: Int
        var deadline: SuspendingClock.Instant
    }

    private let handle: OpaquePointer
    private let answerTimeMax: Duration
    private var statements: [String: OpaquePointer] = unsafe [:]
    /// The budget, at an address that SQLite knows.
    private let budget: UnsafeMutablePointer<Budget>

    /// The number of instructions between two looks at ``budget``. One instruction may compare or
    /// copy a value of the largest length.
    private static let instructionsPerLook = 1000
    /// The functions that a view may call: each is quick, and its result is no longer than its
    /// arguments.
    private static let functions: Set<String> = [
        "abs", "coalesce", "count", "ifnull", "length", "max", "min",
    ]

    /// Opens a file.
    /// - Parameter answerTimeMax: the longest time of one answer.
    init(
        path: String, answerTimeMax: Duration = TileLimits.answerTimeMax
    ) throws(DatabaseFault) {
        self.answerTimeMax = answerTimeMax
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
        unsafe budget.initialize(to: Self.newBudget(answerTimeMax))
        try limit()
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
        unsafe budget.pointee = Self.newBudget(answerTimeMax)
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

    /// Distrusts the schema, and limits the length of a value, the time of an answer, and what a
    /// query may do.
    private func limit() throws(DatabaseFault) {
        limitTime()
        for line in [
            "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0",
            "PRAGMA cache_size = -2000", "PRAGMA temp_store = MEMORY",
        ] {
            let code = unsafe sqlite3_exec(handle, line, nil, nil, nil)
            guard code == SQLITE_OK else { throw Self.fault(code) }
        }
        let longest = Int32(TileLimits.tileBytesMax + 64)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest)
        // A table of a module, such as one for search, runs code that no limit knows.
        unsafe sqlite3_drop_modules(handle, nil)
        unsafe sqlite3_set_authorizer(
            handle,
            { _, action, _, name, _, _ in
                let function = unsafe name.map { unsafe String(cString: $0) }
                return TileDatabase.isAllowed(action, function: function) ? SQLITE_OK : SQLITE_DENY
            }, nil)
    }

    private func limitTime() {
        unsafe sqlite3_progress_handler(
            handle, Int32(Self.instructionsPerLook),
            { budget in
                guard let budget = unsafe budget?.assumingMemoryBound(to: Budget.self) else {
                    return 1
                }
                unsafe budget.pointee.instructionsLeft -= TileDatabase.instructionsPerLook
                let isLeft = unsafe budget.pointee.instructionsLeft > 0
                let isInTime = unsafe SuspendingClock().now < budget.pointee.deadline
                return isLeft && isInTime ? 0 : 1
            }, budget)
    }

    private static func newBudget(_ answerTimeMax: Duration) -> Budget {
        Budget(
            instructionsLeft: TileLimits.instructionsMax,
            deadline: SuspendingClock().now.advanced(by: answerTimeMax))
    }

    /// Whether a query may do this: read a table, and call one of the few functions.
    private static func isAllowed(_ action: Int32, function: String?) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_READ: true
        case SQLITE_FUNCTION: function.map { functions.contains($0) } ?? false
        default: false
        }
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
        case SQLITE_NOTADB, SQLITE_ERROR, SQLITE_AUTH: .notADatabase
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
