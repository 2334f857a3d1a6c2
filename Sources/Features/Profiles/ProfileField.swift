internal import FeaturesAPI
internal import PluginKit

/// One field of a profile. Each is written separately, so edits of two fields never conflict.
enum ProfileField: String, CaseIterable, Sendable {
    case nickname, dogName, age, sex, neutered, size, keywords

    /// The age that a dog may have, in years.
    static let ageYears: ClosedRange<Int64> = 0...99
    /// The limit of a word from a fixed list, in bytes of UTF-8.
    static let wordBytesMax = 32

    /// The name in JSON.
    var name: String { rawValue }

    /// The column, and the name in the collection.
    var column: String { self == .dogName ? "dog_name" : rawValue }

    /// Whether a profile is complete without it, so that it may be omitted or kept private.
    var isOptional: Bool { OptionalField(rawValue: rawValue) != nil }

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

    /// The type of the field in a record.
    var type: FieldType {
        switch self {
        case .nickname: .text(bytesMax: TextRule.nickname.bytesMax)
        case .dogName: .text(bytesMax: TextRule.dogName.bytesMax)
        case .age: .integer(Self.ageYears)
        case .sex, .size: .text(bytesMax: Self.wordBytesMax)
        case .neutered: .boolean
        case .keywords:
            .texts(countMax: DogKeywords.count.upperBound, bytesMax: Self.wordBytesMax)
        }
    }
}

extension ProfileField {
    /// Returns the field that a request names.
    init(_ field: OptionalField) {
        self =
            switch field {
            case .dogName: .dogName
            case .age: .age
            case .sex: .sex
            case .neutered: .neutered
            case .size: .size
            case .keywords: .keywords
            }
    }

    /// Returns the part of a value from outside that may be shown; nil if it breaks the field's
    /// rule.
    func shown(_ value: Value) -> JSONValue? {
        switch (self, value) {
        case (.nickname, .text(let text)): TextRule.nickname.clip(text).map { .string($0) }
        case (.dogName, .text(let text)): TextRule.dogName.clip(text).map { .string($0) }
        case (.age, _):
            JSONValue(value)?.integer.flatMap {
                Self.ageYears.contains($0) ? .integer($0) : nil
            }
        case (.sex, .text(let word)): DogSex(rawValue: word).map { .string($0.rawValue) }
        case (.size, .text(let word)): DogSize(rawValue: word).map { .string($0.rawValue) }
        case (.neutered, .integer(let number)): .boolean(number != 0)
        case (.neutered, .boolean(let isNeutered)): .boolean(isNeutered)
        case (.keywords, .list(let elements)): Self.shownKeywords(elements)
        default: nil
        }
    }

    private static func shownKeywords(_ elements: [Value]) -> JSONValue? {
        let known = elements.compactMap { element -> JSONValue? in
            guard case .text(let word) = element else { return nil }
            return DogKeyword(rawValue: word).map { .string($0.rawValue) }
        }
        return known.isEmpty ? nil : .array(Array(known.prefix(DogKeywords.count.upperBound)))
    }
}
