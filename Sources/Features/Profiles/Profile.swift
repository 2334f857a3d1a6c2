internal import FeaturesAPI
internal import PluginKit

/// The fields of one profile that have a value.
struct Profile: Hashable, Sendable {
    /// The values as records hold them, also from outside.
    var values: [ProfileField: Value]

    /// Creates a profile of these values.
    init(_ values: [ProfileField: Value] = [:]) {
        self.values = values.filter { $0.value != .null }
    }

    /// Reads the profile in a row, whose columns are the fields.
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

    /// Reads the profile in a card from outside, without values that break a rule.
    init(card: [String: JSONValue]) {
        var values: [ProfileField: Value] = [:]
        for field in ProfileField.allCases {
            guard let raw = card[field.name].flatMap(Value.init), let shown = field.shown(raw)
            else { continue }
            values[field] = Value(shown)
        }
        self.init(values)
    }

    /// The person's nickname, cut to its limit.
    var nickname: String? { shown[ProfileField.nickname.name]?.string }

    /// Whether it has every field that is not optional.
    var isComplete: Bool {
        ProfileField.allCases.allSatisfy { $0.isOptional || shown[$0.name] != nil }
    }

    /// The fields that may be shown, by their names in JSON.
    var shown: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (field, value) in values { members[field.name] = field.shown(value) }
        return members
    }

    /// The fields that may be shown, as answers have them.
    var fields: ProfileFields {
        let shown = shown
        let value = { (field: ProfileField) in shown[field.name] }
        return ProfileFields(
            nickname: value(.nickname)?.string, dogName: value(.dogName)?.string,
            age: value(.age)?.integer.map { Int($0) }, sex: value(.sex)?.string,
            neutered: value(.neutered)?.boolean, size: value(.size)?.string,
            keywords: value(.keywords)?.array?.compactMap(\.string))
    }

    /// All columns, null for a field without a value.
    var columns: [String: Value] {
        var columns: [String: Value] = [:]
        for field in ProfileField.allCases { columns[field.column] = values[field] ?? .null }
        return columns
    }

    /// Returns the profile's columns as fields of a collection, with their numbers from 1 to 7.
    static func fields(writer: WriterRule) -> [RecordCollection.Field] {
        ProfileField.allCases.map {
            RecordCollection.Field($0.number, $0.column, $0.type, writer: writer)
        }
    }
}
