/// A row of a query's result: column names with their values.
public struct Row: Hashable, Sendable {
    private let columns: [String: Value]

    /// Creates a row from its columns.
    public init(_ columns: [String: Value]) { self.columns = columns }

    /// The value of a column; `.null` also if there is no such column.
    public subscript(_ column: String) -> Value { columns[column] ?? .null }

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
