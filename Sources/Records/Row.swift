/// One row of a query: column names with their values.
public struct Row: Hashable, Sendable {
    private let columns: [String: Value]

    /// Names the columns' values.
    public init(_ columns: [String: Value]) { self.columns = columns }

    /// The value of a column; `.null` also where there is no such column.
    public subscript(_ column: String) -> Value { columns[column] ?? .null }

    /// Text, or nil where the column is null or of another type.
    public func text(_ column: String) -> String? {
        if case .text(let text) = self[column] { text } else { nil }
    }

    /// A whole number, or nil.
    public func integer(_ column: String) -> Int64? {
        if case .integer(let number) = self[column] { number } else { nil }
    }

    /// A number, or nil; whole numbers count.
    public func real(_ column: String) -> Double? {
        switch self[column] {
        case .real(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    /// Bytes, or nil.
    public func bytes(_ column: String) -> [UInt8]? {
        if case .bytes(let bytes) = self[column] { bytes } else { nil }
    }

    /// Whether a column holds a number other than zero.
    public func isTrue(_ column: String) -> Bool { (integer(column) ?? 0) != 0 }

    /// A person's key, or nil.
    public func person(_ column: String) -> PersonID? {
        bytes(column).flatMap { PersonID(bytes: $0) }
    }

    /// A device's key, or nil.
    public func device(_ column: String) -> DeviceID? {
        bytes(column).flatMap { DeviceID(bytes: $0) }
    }

    /// What a space is, from its encoded descriptor, or nil.
    public func descriptor(_ column: String) -> SpaceDescriptor? {
        bytes(column).flatMap { try? SpaceDescriptor(decoding: $0) }
    }

    /// An entity's id, or nil.
    public func entity(_ column: String) -> EntityID? {
        bytes(column).flatMap { EntityID(bytes: $0) }
    }
}
