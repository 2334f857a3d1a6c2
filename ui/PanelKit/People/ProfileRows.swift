public import Contract

extension ShownProfile {
    /// The fields that have a value, each with its label, in the order of the form.
    public var rows: [(title: String, text: String)] {
        let fields: [(String, String?)] = [
            ("Dog's name", dogName?.string),
            ("Dog's age", age.map { $0 == 1 ? "1 year" : "\($0) years" }),
            ("Dog's sex", sex?.rawValue.capitalised),
            ("Neutered", neutered.map { $0 ? "Yes" : "No" }),
            ("Dog's size", size?.rawValue.capitalised),
            (
                "Keywords",
                keywords.flatMap {
                    $0.isEmpty ? nil : $0.map(\.rawValue).joined(separator: ", ")
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
