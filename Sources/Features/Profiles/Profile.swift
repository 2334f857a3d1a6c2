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
            } else if field.type == .boolean {
                // SQLite has no booleans: the column holds 0 or 1.
                values[field] = row.integer(field.column).map { .boolean($0 != 0) }
            } else {
                values[field] = row[field.column]
            }
        }
        self.init(values)
    }

    /// Reads the profile in a card from outside, without values that break a rule.
    init(card: ProfileFields) {
        let shown = card.shown
        var values: [ProfileField: Value] = [:]
        for field in ProfileField.allCases { values[field] = field.value(in: shown) }
        self.init(values)
    }

    /// The person's nickname, cut to its limit.
    var nickname: String? { shown { $0 == .nickname }.nickname }

    /// Whether it has every field that is not optional.
    var isComplete: Bool {
        let shown = shown { !$0.isOptional }
        return ProfileField.allCases.allSatisfy { $0.isOptional || $0.value(in: shown) != nil }
    }

    /// The fields that may be shown, as answers and cards have them.
    var fields: ProfileFields { shown { _ in true } }

    /// Returns the wanted ones of these fields. A list of names reads many profiles for one field.
    private func shown(_ isWanted: (ProfileField) -> Bool) -> ProfileFields {
        var fields = ProfileFields()
        for (field, value) in values where isWanted(field) { field.set(value, in: &fields) }
        return fields.shown
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
