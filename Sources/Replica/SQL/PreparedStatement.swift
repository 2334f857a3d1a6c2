internal import GRDB
internal import GRDBSQLite
internal import Records

/// A statement run through SQLite's own calls: values are bound and read where they stand, without
/// the boxes in which GRDB carries them. GRDB prepares it, keeps it with its connection and ends
/// it.
@safe struct PreparedStatement {
    private let statement: Statement
    private let handle: SQLiteStatement

    /// The statement of this text, prepared once per connection.
    init(_ database: Database, _ sql: String) throws {
        self.init(try database.cachedStatement(sql: sql))
    }

    /// The same, or one of its own while that one is being run further out.
    init(nesting database: Database, _ sql: String) throws {
        let kept = PreparedStatement(try database.cachedStatement(sql: sql))
        self = kept.isBusy ? PreparedStatement(try database.makeStatement(sql: sql)) : kept
    }

    private var isBusy: Bool { unsafe sqlite3_stmt_busy(handle) != 0 }

    private init(_ statement: Statement) {
        self.statement = statement
        unsafe handle = statement.sqliteStatement
    }

    /// Runs it to its end; rows are passed over.
    func run(_ bind: (inout Bindings) -> Void) throws {
        try begin(bind)
        defer { unsafe sqlite3_reset(handle) }
        while try step() {}
    }

    /// Runs it and reads its first row, or nil where there is none.
    func first<Result>(
        _ bind: (inout Bindings) -> Void, _ read: (Columns) throws -> Result
    ) throws -> Result? {
        try begin(bind)
        defer { unsafe sqlite3_reset(handle) }
        return try step() ? read(unsafe Columns(handle)) : nil
    }

    /// Runs it and reads row by row.
    /// - Parameter read: returns whether to go on.
    func rows(
        _ bind: (inout Bindings) -> Void, _ read: (Columns) throws -> Bool
    ) throws {
        try begin(bind)
        defer { unsafe sqlite3_reset(handle) }
        while try step(), try read(unsafe Columns(handle)) {}
    }

    private func begin(_ bind: (inout Bindings) -> Void) throws {
        // A walk over a log may be under way with the same statement further out; that is a
        // mistake of ours which SQLite would hide by starting the walk anew.
        precondition(!isBusy, "a statement is run inside itself")
        // GRDB leaves one that it ran at its end, where SQLite takes no values.
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

/// The values of a statement's marks, bound from the first on.
@safe struct Bindings {
    private let handle: SQLiteStatement
    private var mark: CInt = 0
    /// What SQLite said of the first value it refused.
    private(set) var code = SQLITE_OK

    /// SQLite copies what it is given before the call returns.
    private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    fileprivate init(_ handle: SQLiteStatement) { unsafe self.handle = handle }

    /// A whole number.
    mutating func append(_ number: Int64) {
        mark += 1
        note(unsafe sqlite3_bind_int64(handle, mark, number))
    }

    /// A stamp, which is below 2⁶³.
    mutating func append(_ stamp: Stamp) { append(Int64(clamping: stamp.rawValue)) }

    /// Nothing.
    mutating func appendNull() {
        mark += 1
        note(unsafe sqlite3_bind_null(handle, mark))
    }

    /// A blob of an identifier's bytes.
    mutating func append(_ identifier: some Identifier) {
        identifier.raw.withBytes { append(blob: $0) }
    }

    /// A blob; nil is null.
    mutating func append(_ bytes: [UInt8]?) {
        guard let bytes else { return appendNull() }
        append(blob: unsafe bytes.span.bytes)
    }

    /// A value as it stands in a column.
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
        mark += 1
        note(unsafe sqlite3_bind_double(handle, mark, number))
    }

    private mutating func append(_ text: String) {
        mark += 1
        var text = text
        let code = text.withUTF8 { utf8 in
            unsafe sqlite3_bind_text(
                handle, mark, utf8.baseAddress, CInt(utf8.count), Bindings.copied)
        }
        note(code)
    }

    private mutating func append(blob bytes: RawSpan) {
        mark += 1
        let code = unsafe bytes.withUnsafeBytes { bytes in
            // Without an address SQLite would take an empty blob for null.
            guard let start = bytes.baseAddress else {
                return unsafe sqlite3_bind_zeroblob(handle, mark, 0)
            }
            return unsafe sqlite3_bind_blob(
                handle, mark, start, CInt(bytes.count), Bindings.copied)
        }
        note(code)
    }

    private mutating func note(_ code: CInt) {
        if self.code == SQLITE_OK { self.code = code }
    }
}

/// The columns of the row a statement stands at; they are gone with its next step.
@safe struct Columns {
    private let handle: SQLiteStatement

    fileprivate init(_ handle: SQLiteStatement) { unsafe self.handle = handle }

    /// A whole number; 0 where the column is null.
    func integer(_ index: CInt) -> Int64 { unsafe sqlite3_column_int64(handle, index) }

    /// Whether the column is null.
    func isNull(_ index: CInt) -> Bool {
        unsafe sqlite3_column_type(handle, index) == SQLITE_NULL
    }

    /// The bytes of a column; none where it is null.
    func bytes(_ index: CInt) -> [UInt8] { unsafe withBytes(index) { unsafe Array($0) } }

    /// An identifier.
    /// - Throws: ``RecordFault/truncated`` where the column holds something else.
    func identifier<ID: Identifier>(_ index: CInt, as type: ID.Type) throws(RecordFault) -> ID {
        guard let raw = unsafe withBytes(index, { unsafe ID.Raw($0) }) else { throw .truncated }
        return ID(raw: raw)
    }

    /// A stamp.
    /// - Throws: ``RecordFault/notCanonical(_:)`` where the column holds no stamp.
    func stamp(_ index: CInt) throws(RecordFault) -> Stamp {
        guard let raw = UInt64(exactly: integer(index)), let stamp = Stamp(rawValue: raw) else {
            throw .notCanonical("a stored stamp")
        }
        return stamp
    }

    /// A batch's hash as it was stored; ``BatchHash/none``, which is no batch's, where the disk
    /// damaged it.
    func storedHash(_ index: CInt) -> BatchHash {
        (try? identifier(index, as: BatchHash.self)) ?? .none
    }

    /// A batch's stamp as it was stored; the first there is where the disk damaged it.
    func storedStamp(_ index: CInt) -> Stamp {
        (try? stamp(index)) ?? Stamp(milliseconds: 0)
    }

    private func withBytes<Result>(
        _ index: CInt, _ read: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let start = unsafe sqlite3_column_blob(handle, index)
        let count = unsafe Int(sqlite3_column_bytes(handle, index))
        return unsafe read(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
