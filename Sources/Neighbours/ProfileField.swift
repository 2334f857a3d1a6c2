internal import PluginKit

/// One field of a profile. Each is written on its own, so edits of two fields never collide.
enum ProfileField: String, CaseIterable, Sendable {
    case nickname, dogName, age, sex, neutered, size, keywords

    /// Years a dog may have.
    static let ageYears: ClosedRange<Int64> = 0...99
    /// How many keywords a profile has, where it has any.
    static let keywordsCount = 1...2
    /// The sexes, as they stand in JSON and on the wire.
    static let sexes = ["male", "female"]
    /// The sizes.
    static let sizes = ["small", "medium", "big"]
    /// The keywords there are.
    static let knownKeywords = ["energetic", "smart", "friendly", "shy", "independent"]
    /// Bytes of UTF-8 that a word of a fixed list may have.
    static let wordBytesMax = 32

    /// The name in JSON.
    var name: String { rawValue }

    /// The column, and the name in the collection.
    var column: String { self == .dogName ? "dog_name" : rawValue }

    /// Whether a profile is complete without it, so that it may be left out or kept private.
    var isOptional: Bool { self != .nickname && self != .dogName }

    /// The number on the wire.
    var number: UInt64 {
        switch self {
        case .nickname: 1
        case .dogName: 2
        case .age: 3
        case .sex: 4
        case .neutered: 5
        case .size: 6
        case .keywords: 7
        }
    }

    /// What the field holds in a record.
    var type: FieldType {
        switch self {
        case .nickname: .text(bytesMax: TextRule.nickname.bytesMax)
        case .dogName: .text(bytesMax: TextRule.dogName.bytesMax)
        case .age: .integer(Self.ageYears)
        case .sex, .size: .text(bytesMax: Self.wordBytesMax)
        case .neutered: .boolean
        case .keywords:
            .texts(countMax: Self.keywordsCount.upperBound, bytesMax: Self.wordBytesMax)
        }
    }

    /// What a command takes for it.
    var parameter: Parameter {
        switch self {
        case .nickname: .optional(name, .text, "Your name, 2 to 8 characters.")
        case .dogName: .optional(name, .text, "Your dog's name, 1 to 15 characters.")
        case .age: .optional(name, .integer, "Your dog's age, 0 to 99 years.")
        case .sex: .optional(name, .choice(Self.sexes), "Your dog's sex.")
        case .neutered: .optional(name, .boolean, "Whether your dog is neutered.")
        case .size: .optional(name, .choice(Self.sizes), "Your dog's size.")
        case .keywords:
            .optional(
                name, .texts,
                "One or two of \(Self.knownKeywords.joined(separator: ", ")).")
        }
    }

    /// The shape of the field in a result.
    var shape: Shape {
        switch self {
        case .nickname, .dogName, .sex, .size: .text
        case .age: .integer
        case .neutered: .boolean
        case .keywords: .list(.text)
        }
    }
}

extension ProfileField {
    /// The value to write for what a person gave.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule it breaks.
    func checked(_ given: JSONValue) throws(CommandFault) -> Value {
        switch (self, given) {
        case (.nickname, .string(let text)):
            return .text(try TextRule.nickname.check(text, field: name))
        case (.dogName, .string(let text)):
            return .text(try TextRule.dogName.check(text, field: name))
        case (.age, _):
            guard let years = given.integer, Self.ageYears.contains(years) else {
                throw .usage("An age is a whole number from 0 to 99 years.", field: name)
            }
            return .integer(years)
        case (.sex, .string(let word)) where Self.sexes.contains(word): return .text(word)
        case (.size, .string(let word)) where Self.sizes.contains(word): return .text(word)
        case (.neutered, .boolean(let isNeutered)): return .boolean(isNeutered)
        case (.keywords, .array(let elements)): return try checkedKeywords(elements)
        default: throw .usage("'\(name)' has no such value.", field: name)
        }
    }

    private func checkedKeywords(_ elements: [JSONValue]) throws(CommandFault) -> Value {
        var words: [String] = []
        for element in elements {
            guard let word = element.string, Self.knownKeywords.contains(word) else {
                throw .usage(
                    "A keyword is one of \(Self.knownKeywords.joined(separator: ", ")).",
                    field: name)
            }
            if !words.contains(word) { words.append(word) }
        }
        guard Self.keywordsCount.contains(words.count) else {
            throw .usage(
                "Choose one or two keywords; these are \(words.count). To have none, clear them.",
                field: name)
        }
        return .list(words.map { .text($0) })
    }

    /// What of a value from outside may be shown; nil where it breaks the field's rule.
    func shown(_ value: Value) -> JSONValue? {
        switch (self, value) {
        case (.nickname, .text(let text)): return TextRule.nickname.clip(text).map { .string($0) }
        case (.dogName, .text(let text)): return TextRule.dogName.clip(text).map { .string($0) }
        case (.neutered, .integer(let number)): return .boolean(number != 0)
        case (.keywords, .list(let elements)):
            let known = elements.compactMap { element -> JSONValue? in
                guard case .text(let word) = element, Self.knownKeywords.contains(word) else {
                    return nil
                }
                return .string(word)
            }
            let words = known.prefix(Self.keywordsCount.upperBound)
            return words.isEmpty ? nil : .array(Array(words))
        default:
            guard let given = JSONValue(value) else { return nil }
            return (try? checked(given)) == nil ? nil : given
        }
    }
}
