import Foundation

/// The fields of a card, whatever they are, in the order in which people read them.
struct CardFields: Equatable, Sendable {
    /// One field, ready to be shown.
    struct Row: Equatable, Sendable {
        var label: String
        var value: String
    }

    /// Known fields in their order, then the others by name.
    var rows: [Row]

    static let none = CardFields(rows: [])

    private static let known: [(name: String, label: String)] = [
        ("nickname", "Name"), ("dogName", "Dog"), ("age", "Age"), ("sex", "Sex"),
        ("neutered", "Neutered"), ("size", "Size"), ("keywords", "Keywords"),
    ]

    /// The label of a field; one that is not known is called what the card calls it.
    static func label(of name: String) -> String {
        known.first { $0.name == name }?.label ?? name
    }

    private static func rank(of name: String) -> Int {
        known.firstIndex { $0.name == name } ?? known.count
    }
}

extension CardFields: Decodable {
    /// Reads a JSON object of texts, numbers, truths and lists of texts; anything else is refused.
    init(from decoder: any Decoder) throws {
        let values = try [String: CardValue](from: decoder)
        let names = values.keys.sorted {
            (Self.rank(of: $0), $0) < (Self.rank(of: $1), $1)
        }
        rows = names.compactMap { name in
            values[name].map { Row(label: Self.label(of: name), value: $0.text(of: name)) }
        }
    }
}

/// The value of one field.
enum CardValue: Equatable, Sendable, Decodable {
    case truth(Bool)
    case number(Int)
    case text(String)
    case texts([String])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let truth = try? value.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else {
            self = .texts(try value.decode([String].self))
        }
    }

    /// The value in words.
    func text(of name: String) -> String {
        switch self {
        case .truth(let truth): truth ? "yes" : "no"
        case .number(1) where name == "age": "1 year"
        case .number(let number): name == "age" ? "\(number) years" : "\(number)"
        case .text(let text): text
        case .texts(let texts): texts.joined(separator: ", ")
        }
    }
}
