internal import FeaturesAPI
internal import PluginKit

/// The rules of a profile's fields. Each field is written separately, so edits of two fields never
/// conflict.
extension ProfileField {
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
    var optional: OptionalField? { OptionalField(rawValue: rawValue) }

    /// Returns the field that a request names; nil for the photo, which is a record of its own.
    init?(_ field: OptionalField) {
        switch field {
        case .dogName: self = .dogName
        case .age: self = .age
        case .sex: self = .sex
        case .neutered: self = .neutered
        case .size: self = .size
        case .keywords: self = .keywords
        case .photo: return nil
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

extension ProfileFields {
    /// The part of fields from outside that may be shown: texts and lists cut to their limits, and
    /// no value that breaks its rule.
    var shown: ProfileFields {
        var shown = self
        shown.nickname = nickname.flatMap { TextRule.nickname.clip($0) }
        shown.dogName = dogName.flatMap { TextRule.dogName.clip($0) }
        shown.age = age.flatMap { ProfileField.ageYears.contains(Int64($0)) ? $0 : nil }
        let keywords = (keywords ?? []).prefix(DogKeywords.count.upperBound)
        shown.keywords = keywords.isEmpty ? nil : Array(keywords)
        return shown
    }
}
