import Contract

/// Ids by their first digits, as a terminal shows them. Every command accepts them in this form.
enum ShortID {
    /// Returns the number of digits that tells all ids of a result apart: six, unless two of its
    /// ids begin with the same six.
    static func digitsCount(for result: JSONValue, of schema: Schema) -> Int {
        let ids = ids(in: result, of: schema)
        var count = KeySuffix.digitsCount
        while Set(ids.map { $0.prefix(count) }).count < ids.count { count += 1 }
        return count
    }

    /// Returns the ids, and the digests, in a text of this shape that are longer than their short
    /// form. A member `ref` has the id that the commands of an item expect, or a word before it.
    static func all(in text: String, named name: String, of schema: Schema) -> [String] {
        switch schema {
        case .text(.hexadecimal(let count)):
            count.lowerBound > KeySuffix.digitsCount ? [text] : []
        case .text where name == "ref":
            text.split(separator: "-").map(String.init).filter { $0.count >= 32 && $0.isKey }
        default: []
        }
    }

    private static func ids(
        in value: JSONValue, named name: String = "", of schema: Schema
    ) -> Set<String> {
        switch value {
        case .string(let text): Set(all(in: text, named: name, of: schema))
        case .array(let elements):
            elements.reduce(into: []) { $0.formUnion(ids(in: $1, named: name, of: schema.element)) }
        case .object(let members):
            members.reduce(into: []) { found, member in
                let (name, value) = member
                found.formUnion(ids(in: value, named: name, of: schema.shape(of: name)))
            }
        default: []
        }
    }
}

extension Schema {
    /// The shape of a list's elements.
    var element: Schema {
        if case .list(let element, _) = self { element } else { .any }
    }

    /// Returns the shape of an object's member; any for one that is not declared.
    func shape(of name: String) -> Schema {
        switch self {
        case .map(let value): value
        case .object(let members, _): members.first { $0.name == name }?.schema ?? .any
        default: .any
        }
    }

    /// The words of a choice, or of a list of choices.
    var choiceWords: [String] {
        switch self {
        case .text(.choice(let words)): words
        case .list(let element, _): element.choiceWords
        default: []
        }
    }
}
