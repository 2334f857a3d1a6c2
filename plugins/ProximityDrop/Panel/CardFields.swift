import Contract
import PanelKit

/// The fields of a card as text, in the order in which people read them.
struct CardFields: Equatable, Sendable {
    /// One field, ready to be shown.
    struct Row: Equatable, Sendable {
        var label: String
        var value: String
    }

    /// The fields that have a value.
    var rows: [Row]

    static let none = CardFields(rows: [])

    /// Returns the label of a field.
    static func label(of field: OptionalField) -> String {
        switch field {
        case .dogName: localized("Dog")
        case .age: localized("Dog's age")
        case .sex: localized("Sex")
        case .neutered: localized("Neutered")
        case .size: localized("Size")
        case .keywords: localized("Keywords")
        }
    }
}

extension CardFields {
    /// The fields of a card.
    init(_ card: ShownProfile) {
        let name = card.nickname.map { Row(label: localized("Name"), value: $0.string) }
        rows =
            [name].compactMap { $0 }
            + OptionalField.allCases.compactMap { field in
                Self.text(of: field, in: card).map { Row(label: Self.label(of: field), value: $0) }
            }
    }

    private static func text(of field: OptionalField, in card: ShownProfile) -> String? {
        switch field {
        case .dogName: card.dogName?.string
        case .age: card.age.map { DogAgeText.years($0.value) }
        case .sex: card.sex?.text
        case .neutered: card.neutered.map { $0 ? localized("yes") : localized("no") }
        case .size: card.size?.text
        case .keywords: card.keywords.map { $0.map(\.text).joined(separator: ", ") }
        }
    }
}
