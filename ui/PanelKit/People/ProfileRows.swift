public import Contract

extension OptionalField {
    /// The label of the field on a card.
    public var label: String {
        switch self {
        case .dogName: localized("Dog's name")
        case .age: localized("Dog's age")
        case .sex: localized("Dog's sex")
        case .neutered: localized("Neutered")
        case .size: localized("Dog's size")
        case .keywords: localized("Keywords")
        case .photo: localized("Photo")
        }
    }
}

extension ShownProfile {
    /// The fields that have a value, each with its label, in the order of the form.
    public var rows: [(field: OptionalField, text: String)] {
        OptionalField.allCases.compactMap { field in text(of: field).map { (field, $0) } }
    }

    private func text(of field: OptionalField) -> String? {
        switch field {
        case .dogName: dogName?.string
        case .photo: nil
        case .age: age.map { DogAgeText.years($0.value) }
        case .sex: sex?.text.capitalised
        case .neutered: neutered.map { $0 ? localized("Yes") : localized("No") }
        case .size: size?.text.capitalised
        case .keywords:
            keywords.flatMap {
                $0.isEmpty ? nil : $0.map(\.text).joined(separator: ", ").capitalised
            }
        }
    }
}

extension String {
    /// The text with an upper-case first letter.
    fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
