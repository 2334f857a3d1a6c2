internal import GRDB
internal import GRDBSQLite
internal import Records

/// A statement run through SQLite's own calls: values are bound and read in place, without the
/// boxes in which GRDB carries them. GRDB prepares, caches and finalizes it.
@safe struct PreparedStatement {
    private let statement: Statement
    private let handle: SQLiteStatement

    /// Returns the statement of this text, prepared once per connection.
    init(_ database: Database, _ sql: String) throws {
        self.init(try database.cachedStatement(sql: sql))
    }

    /// Does the same, with a new statement if the cached one is running.
    init(nesting database: Database, _ sql: String) throws {
        let kept = PreparedStatement(try database.cachedStatement(sql: sql))
        self = kept.isBusy ? PreparedStatement(try database.makeStatement(sql: sql)) : kept
    }

    private var isBusy: Bool { unsafe sqlite3_stmt_busy(handle) != 0 }

    private init(_ statement: Statement) {
        self.statement = statement
        unsafe handle = statement.sqliteStatement
    }

    /// Runs the statement to its end and ignores its rows.
    func run(_ bind: (inout Bindings) -> Void) throws {
        try begin(bind)
        defer { unsafe sqlite3_reset(handle) }
        while try step() {}
    }

    /// Runs the statement and reads its first row, or returns nil if it has none.
    func first<Result>(
        _ bind: (inout Bindings) -> Void, _ read: (Columns) throws -> Result
    ) throws -> Result? {
        try begin(bind)
        defer { unsafe sqlite3_reset(handle) }
        return try step() ? read(unsafe Columns(handle)) : nil
    }

    /// Runs the statement and reads row by row.
    /// - Parameter read: returns whether to continue.
    func rows(
        _ bind: (inout Bindings) -> Void, _ read: (Columns) throws -> Bool
    ) throws {
        try begin(bind)
        defer { unsafe sqlite3_reset(handle) }
        while try step(), try read(unsafe Columns(handle)) {}
    }

    private func begin(_ bind: (inout Bindings) -> Void) throws {
        // An outer walk over a log may be running the same statement. That is our bug, and SQLite
        // would hide it by restarting the walk.
        precondition(!isBusy, "a statement is run inside itself")
        // GRDB leaves a finished statement in a state in which SQLite binds no values.
        unsafe sqlite3_reset(handle)
        var bindings = unsafe Bindings(handle)
        bind(&bindings)
        guard bindings.code == SQLITE_OK else { throw fault(bindings.code) }
    }

    private func step() throws -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw fault(code)
        }
    }

    private func fault(_ code: CInt) -> DatabaseError {
        let connection = unsafe sqlite3_db_handle(handle)
        return DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) },
            sql: statement.sql)
    }
}

/// The values of a statement's parameters, bound from the first on.
@safe struct Bindings {
    private let handle: SQLiteStatement
    private var parameter: CInt = 0
    /// SQLite's code for the first value it refused.
    private(set) var code = SQLITE_OK

    /// Tells SQLite to copy a value before the call returns.
    private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    fileprivate init(_ handle: SQLiteStatement) { unsafe self.handle = handle }

    /// Binds an integer.
    mutating func append(_ number: Int64) {
        parameter += 1
        record(unsafe sqlite3_bind_int64(handle, parameter, number))
    }

    /// Binds a stamp, which is below 2⁶³.
    mutating func append(_ stamp: Stamp) { append(Int64(clamping: stamp.rawValue)) }

    /// Binds null.
    mutating func appendNull() {
        parameter += 1
        record(unsafe sqlite3_bind_null(handle, parameter))
    }

    /// Binds an identifier's bytes as a blob.
    mutating func append(_ identifier: some Identifier) {
        identifier.raw.withBytes { append(blob: $0) }
    }

    /// Binds a blob; nil is null.
    mutating func append(_ bytes: [UInt8]?) {
        guard let bytes else { return appendNull() }
        append(blob: unsafe bytes.span.bytes)
    }

    /// Binds a value in the form of a column.
    mutating func append(_ value: Value) {
        switch value {
        case .null: appendNull()
        case .boolean(let isTrue): append(Int64(isTrue ? 1 : 0))
        case .integer(let number): append(number)
        case .real(let number): append(number)
        case .text(let text): append(text)
        case .bytes(let bytes): append(bytes)
        case .list(let elements): append(Value.json(elements))
        }
    }

    private mutating func append(_ number: Double) {
        parameter += 1
        record(unsafe sqlite3_bind_double(handle, parameter, number))
    }

    private mutating func append(_ text: String) {
        parameter += 1
        var text = text
        let code = text.withUTF8 { utf8 in
            unsafe sqlite3_bind_text(
                handle, parameter, utf8.baseAddress, CInt(utf8.count), Bindings.copied)
        }
        record(code)
    }

    private mutating func append(blob bytes: RawSpan) {
        parameter += 1
        let code = unsafe bytes.withUnsafeBytes { bytes in
            // Without an address SQLite would bind null instead of an empty blob.
            guard let start = bytes.baseAddress else {
                return unsafe sqlite3_bind_zeroblob(handle, parameter, 0)
            }
            return unsafe sqlite3_bind_blob(
                handle, parameter, start, CInt(bytes.count), Bindings.copied)
        }
        record(code)
    }

    private mutating func record(_ code: CInt) {
        if self.code == SQLITE_OK { self.code = code }
    }
}

/// The columns of a statement's current row; they are invalid after its next step.
@safe struct Columns {
    private let handle: SQLiteStatement

    fileprivate init(_ handle: SQLiteStatement) { unsafe self.handle = handle }

    /// Returns an integer; 0 if the column is null.
    func integer(_ index: CInt) -> Int64 { unsafe sqlite3_column_int64(handle, index) }

    /// Whether the column is null.
    func isNull(_ index: CInt) -> Bool {
        unsafe sqlite3_column_type(handle, index) == SQLITE_NULL
    }

    /// Returns the bytes of a column; none if it is null.
    func bytes(_ index: CInt) -> [UInt8] { unsafe withBytes(index) { unsafe Array($0) } }

    /// Returns an identifier.
    /// - Throws: ``RecordFault/truncated`` if the column holds something else.
    func identifier<ID: Identifier>(_ index: CInt, as type: ID.Type) throws(RecordFault) -> ID {
        guard let raw = unsafe withBytes(index, { unsafe ID.Raw($0) }) else { throw .truncated }
        return ID(raw: raw)
    }

    /// Returns a stamp.
    /// - Throws: ``RecordFault/notCanonical(_:)`` if the column holds no stamp.
    func stamp(_ index: CInt) throws(RecordFault) -> Stamp {
        guard let raw = UInt64(exactly: integer(index)), let stamp = Stamp(rawValue: raw) else {
            throw .notCanonical("a stored stamp")
        }
        return stamp
    }

    /// Returns a batch's stored hash. If it is damaged, returns ``BatchHash/none``, which no batch
    /// has.
    func storedHash(_ index: CInt) -> BatchHash {
        (try? identifier(index, as: BatchHash.self)) ?? .none
    }

    /// Returns a batch's stored stamp; the earliest one if it is damaged.
    func storedStamp(_ index: CInt) -> Stamp {
        (try? stamp(index)) ?? Stamp(.min)
    }

    private func withBytes<Result>(
        _ index: CInt, _ read: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let start = unsafe sqlite3_column_blob(handle, index)
        let count = unsafe Int(sqlite3_column_bytes(handle, index))
        return unsafe read(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
