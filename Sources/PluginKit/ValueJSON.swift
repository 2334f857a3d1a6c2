internal import Foundation

extension JSONValue {
    /// The JSON of a record's value; nil where there is none, and for bytes.
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
    /// The record's value that a JSON value stands for; nil for an object.
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
    /// The texts of a column that holds a list (a table keeps one as a JSON array), or nil.
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
