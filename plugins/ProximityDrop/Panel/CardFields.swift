import Contract

/// The fields of a card, known or not, in the order in which people read them.
struct CardFields: Equatable, Sendable {
    /// One field, ready to be shown.
    struct Row: Equatable, Sendable {
        var label: String
        var value: String
    }

    /// The known fields in their order, then the others by name.
    var rows: [Row]

    static let none = CardFields(rows: [])

    private static let known: [(name: String, label: String)] = [
        ("nickname", "Name"), ("dogName", "Dog"), ("age", "Age"), ("sex", "Sex"),
        ("neutered", "Neutered"), ("size", "Size"), ("keywords", "Keywords"),
    ]

    /// Returns the label of a field; that of an unknown field is its name in the card.
    static func label(of name: String) -> String {
        known.first { $0.name == name }?.label ?? name
    }

    private static func rank(of name: String) -> Int {
        known.firstIndex { $0.name == name } ?? known.count
    }
}

extension CardFields {
    /// The fields of a card by name. A value that is not a text, number, Boolean or list of texts
    /// is left out.
    init(_ card: [String: JSONValue]) {
        let names = card.keys.sorted { (Self.rank(of: $0), $0) < (Self.rank(of: $1), $1) }
        rows = names.compactMap { name in
            card[name].flatMap { Self.text(of: $0, named: name) }
                .map { Row(label: Self.label(of: name), value: $0) }
        }
    }

    /// Returns the text of a value; nil if its type is not supported.
    private static func text(of value: JSONValue, named name: String) -> String? {
        switch value {
        case .boolean(let isTrue): isTrue ? "yes" : "no"
        case .integer(1) where name == "age": "1 year"
        case .integer(let number): name == "age" ? "\(number) years" : "\(number)"
        case .string(let text): text
        case .array(let elements): elements.compactMap(\.string).joined(separator: ", ")
        case .number, .null, .object: nil
        }
    }
}
