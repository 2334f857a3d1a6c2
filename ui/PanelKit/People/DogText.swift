public import Contract

extension DogSex {
    /// The sex in words.
    public var text: String {
        switch self {
        case .male: localized("male")
        case .female: localized("female")
        }
    }
}

extension DogSize {
    /// The size in words.
    public var text: String {
        switch self {
        case .small: localized("small")
        case .medium: localized("medium")
        case .big: localized("big")
        }
    }
}

extension DogKeyword {
    /// The keyword in words.
    public var text: String {
        switch self {
        case .energetic: localized("energetic")
        case .smart: localized("smart")
        case .friendly: localized("friendly")
        case .shy: localized("shy")
        case .independent: localized("independent")
        }
    }
}

/// A dog's age in words.
public enum DogAgeText {
    /// Returns an age, as in "3 years".
    public static func years(_ count: Int) -> String {
        localized(Sentence(count: count, one: "1 year", other: "\(count) years"))
    }
}
