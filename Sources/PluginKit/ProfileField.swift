/// One field of a profile: its number on the wire, and its value in a record and on a card.
public enum ProfileField: String, CaseIterable, Sendable {
    case nickname, dogName, age, sex, neutered, size, keywords

    /// The number in records and on cards. A number never changes, and new fields follow in
    /// ascending order.
    public var number: UInt64 {
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

    /// Returns the field with a number; nil for one of a newer version.
    public init?(number: UInt64) {
        guard let field = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = field
    }

    /// Returns the value of the field; nil if it has none.
    public func value(in fields: ProfileFields) -> Value? {
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

    /// Sets the field to a value from outside, if the value has its type. The value is not cut to
    /// the field's limits; words that this version does not know are left out.
    public func set(_ value: Value, in fields: inout ProfileFields) {
        switch (self, value) {
        case (.nickname, .text(let text)): fields.nickname = text
        case (.dogName, .text(let text)): fields.dogName = text
        case (.age, _): fields.age = JSONValue(value)?.integer.map { Int($0) }
        case (.sex, .text(let word)): fields.sex = DogSex(rawValue: word)
        case (.neutered, .boolean(let isNeutered)): fields.neutered = isNeutered
        case (.neutered, .integer(let number)): fields.neutered = number != 0
        case (.size, .text(let word)): fields.size = DogSize(rawValue: word)
        case (.keywords, .list(let elements)):
            fields.keywords = elements.compactMap { element in
                if case .text(let word) = element { DogKeyword(rawValue: word) } else { nil }
            }
        default: break
        }
    }
}
