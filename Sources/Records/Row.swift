/// A row of a query's result: column names with their values.
public struct Row: Sendable {
    private let columns: Columns
    private let values: [Value]

    /// Creates a row from its columns.
    public init(_ columns: [String: Value]) {
        let names = columns.keys.sorted()
        self.init(Columns(names), names.compactMap { columns[$0] })
    }

    /// Creates a row of a result.
    /// - Parameter values: a value for each of the columns, in their order.
    public init(_ columns: Columns, _ values: [Value]) {
        precondition(values.count == columns.count, "a row has a value for each column")
        self.columns = columns
        self.values = values
    }

    /// The value of a column; `.null` also if there is no such column.
    public subscript(_ column: String) -> Value {
        columns.indexes[column].map { values[$0] } ?? .null
    }

    /// Returns text, or nil if the column is null or of another type.
    public func text(_ column: String) -> String? {
        if case .text(let text) = self[column] { text } else { nil }
    }

    /// Returns a whole number, or nil.
    public func integer(_ column: String) -> Int64? {
        if case .integer(let number) = self[column] { number } else { nil }
    }

    /// Returns a number, or nil. Whole numbers are converted.
    public func real(_ column: String) -> Double? {
        switch self[column] {
        case .real(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    /// Returns bytes, or nil.
    public func bytes(_ column: String) -> [UInt8]? {
        if case .bytes(let bytes) = self[column] { bytes } else { nil }
    }

    /// Whether a column holds a number other than zero.
    public func isTrue(_ column: String) -> Bool { (integer(column) ?? 0) != 0 }

    /// Returns a person's id, or nil.
    public func person(_ column: String) -> PersonID? {
        bytes(column).flatMap { PersonID(bytes: $0) }
    }

    /// Returns a device's key, or nil.
    public func device(_ column: String) -> DeviceID? {
        bytes(column).flatMap { DeviceID(bytes: $0) }
    }

    /// Returns a space's descriptor, decoded from bytes, or nil.
    public func descriptor(_ column: String) -> SpaceDescriptor? {
        bytes(column).flatMap { try? SpaceDescriptor(decoding: $0) }
    }

    /// Returns a blob's hash, size and media type, decoded from bytes, or nil.
    public func blob(_ column: String) -> Blob? {
        bytes(column).flatMap { try? Blob(decoding: $0) }
    }

    /// Returns an entity's id, or nil.
    public func entity(_ column: String) -> EntityID? {
        bytes(column).flatMap { EntityID(bytes: $0) }
    }
}

extension Row {
    /// The names of a result's columns. All rows of the result share them, so none has a copy.
    public struct Columns: Sendable {
        /// The number of columns.
        public let count: Int
        fileprivate let indexes: [String: Int]

        /// Creates the columns from their names in order. If two have one name, the first has it.
        public init(_ names: [String]) {
            count = names.count
            indexes = Dictionary(
                names.enumerated().map { ($0.element, $0.offset) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    private var named: [String: Value] { columns.indexes.mapValues { values[$0] } }
}

extension Row: Hashable {
    /// Whether two rows have the same names with the same values, in any order.
    public static func == (one: Row, other: Row) -> Bool { one.named == other.named }

    /// Hashes the names and values.
    public func hash(into hasher: inout Hasher) { hasher.combine(named) }
}
