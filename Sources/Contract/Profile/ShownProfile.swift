/// The nickname of a person in an answer.
public typealias ShownNickname = ShownText<20>
/// The name by which an answer calls a person: a nickname, with the ``KeySuffix`` after it if
/// others may have the same one, or the suffix alone.
public typealias PersonName = ShownText<29>

/// The fields of a profile in an answer, each within its limit. A field without a value is absent.
public struct ShownProfile: Codable, Hashable, Sendable {
    /// The person's name.
    public var nickname: ShownNickname?
    /// The dog's name.
    public var dogName: DogName.Shown?
    /// The dog's age in years.
    public var age: DogAge?
    /// The dog's sex.
    public var sex: DogSex?
    /// Whether the dog is neutered.
    public var neutered: Bool?
    /// The dog's size.
    public var size: DogSize?
    /// The words that describe the dog.
    public var keywords: [DogKeyword]?

    /// Creates a profile; texts are cut to their limits, and an age out of range is left out.
    public init(_ fields: ProfileFields = ProfileFields()) {
        nickname = fields.nickname.map(ShownNickname.init(clipping:))
        dogName = fields.dogName.map(DogName.Shown.init(clipping:))
        age = fields.age.flatMap { try? DogAge($0) }
        sex = fields.sex
        neutered = fields.neutered
        size = fields.size
        keywords = fields.keywords
    }
}

extension ShownProfile: LeadingMembers {
    /// The dog's name.
    public static let leadingMembers: Set = ["dogName"]
}
