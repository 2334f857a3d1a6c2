internal import PluginKit

/// The fields of one profile that have a value.
struct Profile: Hashable, Sendable {
    /// The values as they stand in records, from outside or not.
    var values: [ProfileField: Value]

    /// A profile of these values.
    init(_ values: [ProfileField: Value] = [:]) {
        self.values = values.filter { $0.value != .null }
    }

    /// The profile in a row, whose columns are the fields.
    init(_ row: Row) {
        var values: [ProfileField: Value] = [:]
        for field in ProfileField.allCases {
            if field == .keywords {
                values[field] = row.texts(field.column).map { .list($0.map { .text($0) }) }
            } else {
                values[field] = row[field.column]
            }
        }
        self.init(values)
    }

    /// The profile in a card that came from outside; what breaks a rule is left out.
    init(card: [String: JSONValue]) {
        var values: [ProfileField: Value] = [:]
        for field in ProfileField.allCases {
            guard let raw = card[field.name].flatMap(Value.init), let shown = field.shown(raw)
            else { continue }
            values[field] = Value(shown)
        }
        self.init(values)
    }

    /// The name a person goes by, cut to its limit.
    var nickname: String? { shown[ProfileField.nickname.name]?.string }

    /// Whether every field that must be there is there.
    var isComplete: Bool {
        ProfileField.allCases.allSatisfy { $0.isOptional || shown[$0.name] != nil }
    }

    /// The fields that may be shown, by their names in JSON.
    var shown: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (field, value) in values { members[field.name] = field.shown(value) }
        return members
    }

    /// The profile as JSON.
    var json: JSONValue { .object(shown) }

    /// All columns, null where there is no value.
    var columns: [String: Value] {
        var columns: [String: Value] = [:]
        for field in ProfileField.allCases { columns[field.column] = values[field] ?? .null }
        return columns
    }

    /// The profile's columns as fields of a collection, with their numbers from 1 to 7.
    static func fields(writer: WriterRule) -> [RecordCollection.Field] {
        ProfileField.allCases.map {
            RecordCollection.Field($0.number, $0.column, $0.type, writer: writer)
        }
    }

    /// The shape of the fields in a result; each may be absent.
    static let shape: [String: Shape] = Dictionary(
        uniqueKeysWithValues: ProfileField.allCases.map { ($0.name + "?", $0.shape) })
}
