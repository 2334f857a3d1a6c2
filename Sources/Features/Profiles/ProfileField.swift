internal import FeaturesAPI
internal import PluginKit

/// One field of a profile. Each is written separately, so edits of two fields never conflict.
enum ProfileField: String, CaseIterable, Sendable {
    case nickname, dogName, age, sex, neutered, size, keywords

    /// The age that a dog may have, in years.
    static let ageYears = Int64(DogAge.min)...Int64(DogAge.max)
    /// The limit of a word from a fixed list, in bytes of UTF-8.
    static let wordBytesMax = 32

    /// The name in JSON.
    var name: String { rawValue }

    /// The column, and the name in the collection.
    var column: String { self == .dogName ? "dog_name" : rawValue }

    /// Whether a profile is complete without it, so that it may be omitted or kept private.
    var isOptional: Bool { optional != nil }

    /// The field as requests and answers name it; nil for the nickname.
    var optional: OptionalField? {
        switch self {
        case .nickname: nil
        case .dogName: .dogName
        case .age: .age
        case .sex: .sex
        case .neutered: .neutered
        case .size: .size
        case .keywords: .keywords
        }
    }

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

    /// Sets the field to the part of a value from outside that may be shown; the field stays empty
    /// if the value breaks its rule.
    func show(_ value: Value, in fields: inout ProfileFields) {
        switch (self, value) {
        case (.nickname, .text(let text)): fields.nickname = TextRule.nickname.clip(text)
        case (.dogName, .text(let text)): fields.dogName = TextRule.dogName.clip(text)
        case (.age, _):
            guard let age = JSONValue(value)?.integer, Self.ageYears.contains(age) else { return }
            fields.age = Int(age)
        case (.sex, .text(let word)): fields.sex = DogSex(rawValue: word)
        case (.size, .text(let word)): fields.size = DogSize(rawValue: word)
        case (.neutered, .integer(let number)): fields.neutered = number != 0
        case (.neutered, .boolean(let isNeutered)): fields.neutered = isNeutered
        case (.keywords, .list(let elements)): fields.keywords = Self.keywords(elements)
        default: break
        }
    }

    private static func keywords(_ elements: [Value]) -> [DogKeyword]? {
        let known = elements.compactMap { element -> DogKeyword? in
            guard case .text(let word) = element else { return nil }
            return DogKeyword(rawValue: word)
        }
        return known.isEmpty ? nil : Array(known.prefix(DogKeywords.count.upperBound))
    }

    /// Returns the value of the field as a record holds it; nil if it has none.
    func value(in fields: ProfileFields) -> Value? {
        switch self {
        case .nickname: fields.nickname.map { .text($0) }
        case .dogName: fields.dogName.map { .text($0) }
        case .age: fields.age.map { .integer(Int64($0)) }
        case .sex: fields.sex.map { .text($0.rawValue) }
        case .neutered: fields.neutered.map { .boolean($0) }
        case .size: fields.size.map { .text($0.rawValue) }
        case .keywords: fields.keywords.map { .list($0.map { .text($0.rawValue) }) }
        }
    }
}
