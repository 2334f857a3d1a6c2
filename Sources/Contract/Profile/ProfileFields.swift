/// The sex of a dog.
public enum DogSex: String, Choice { case male, female }

/// The size of a dog.
public enum DogSize: String, Choice { case small, medium, big }

/// A word that describes a dog.
public enum DogKeyword: String, Choice { case energetic, smart, friendly, shy, independent }

/// A field of a profile that may be left out, kept private or cleared.
public enum OptionalField: String, Choice {
    case dogName, age, sex, neutered, size, keywords
    /// The photo, which is no field of a card: it is sent apart from it.
    case photo
}

/// The name of a dog.
public typealias DogName = Text<1, 15>
/// The age of a dog in years.
public typealias DogAge = Whole<0, 99>

/// The fields of a profile that have a value: a card as a drop sends it and as mates receive it.
/// Each was written by its owner, and a card from outside is not cut to its limits. An answer has
/// ``ShownProfile`` instead.
public struct ProfileFields: Hashable, Sendable {
    /// The person's name.
    public var nickname: String?
    /// The dog's name.
    public var dogName: String?
    /// The dog's age in years.
    public var age: Int?
    /// The dog's sex.
    public var sex: DogSex?
    /// Whether the dog is neutered.
    public var neutered: Bool?
    /// The dog's size.
    public var size: DogSize?
    /// The words that describe the dog.
    public var keywords: [DogKeyword]?

    /// Creates the value.
    public init(
        nickname: String? = nil, dogName: String? = nil, age: Int? = nil, sex: DogSex? = nil,
        neutered: Bool? = nil, size: DogSize? = nil, keywords: [DogKeyword]? = nil
    ) {
        self.nickname = nickname
        self.dogName = dogName
        self.age = age
        self.sex = sex
        self.neutered = neutered
        self.size = size
        self.keywords = keywords
    }
}
