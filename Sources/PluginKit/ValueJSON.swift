internal import Foundation

extension JSONValue {
    /// Converts a record's value to JSON; nil if it is null, and for bytes.
    public init?(_ value: Records.Value) {
        switch value {
        case .null, .bytes: return nil
        case .boolean(let value): self = .boolean(value)
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .number(number)
        case .text(let text): self = .string(text)
        case .list(let elements): self = .array(elements.compactMap { JSONValue($0) })
        }
    }
}

extension Value {
    /// Converts a JSON value to a record's value; nil for an object.
    public init?(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.compactMap { Value($0) })
        case .object: return nil
        }
    }
}

extension Row {
    /// Returns the texts of a column that holds a list (stored in the table as a JSON array), or
    /// nil.
    public func texts(_ column: String) -> [String]? {
        switch self[column] {
        case .list(let elements):
            elements.compactMap { if case .text(let text) = $0 { text } else { nil } }
        case .text(let json):
            try? JSONDecoder().decode([String].self, from: Data(json.utf8))
        default: nil
        }
    }
}
