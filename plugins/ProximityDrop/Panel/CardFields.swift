import Contract

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
        case .dogName: "Dog"
        case .age: "Dog's age"
        case .sex: "Sex"
        case .neutered: "Neutered"
        case .size: "Size"
        case .keywords: "Keywords"
        }
    }
}

extension CardFields {
    /// The fields of a card.
    init(_ card: ShownProfile) {
        let name = card.nickname.map { Row(label: "Name", value: $0.string) }
        rows =
            [name].compactMap { $0 }
            + OptionalField.allCases.compactMap { field in
                Self.text(of: field, in: card).map { Row(label: Self.label(of: field), value: $0) }
            }
    }

    private static func text(of field: OptionalField, in card: ShownProfile) -> String? {
        switch field {
        case .dogName: card.dogName?.string
        case .age: card.age.map { $0 == 1 ? "1 year" : "\($0) years" }
        case .sex: card.sex?.rawValue
        case .neutered: card.neutered.map { $0 ? "yes" : "no" }
        case .size: card.size?.rawValue
        case .keywords: card.keywords.map { $0.map(\.rawValue).joined(separator: ", ") }
        }
    }
}
