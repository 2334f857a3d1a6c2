public import Contract

extension ShownProfile {
    /// The fields that have a value, each with its label, in the order of the form.
    public var rows: [(title: String, text: String)] {
        let fields: [(String, String?)] = [
            (localized("Dog's name"), dogName?.string),
            (
                localized("Dog's age"),
                age.map { DogAgeText.years($0.value) }
            ),
            (localized("Dog's sex"), sex?.text.capitalised),
            (localized("Neutered"), neutered.map { $0 ? localized("Yes") : localized("No") }),
            (localized("Dog's size"), size?.text.capitalised),
            (
                localized("Keywords"),
                keywords.flatMap {
                    $0.isEmpty ? nil : $0.map(\.text).joined(separator: ", ")
                }
            ),
        ]
        return fields.compactMap { title, text in text.map { (title, $0) } }
    }
}

extension String {
    /// The text with an upper-case first letter.
    fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
