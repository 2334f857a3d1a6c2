/// What "me show" answers.
struct Me: Decodable, Equatable, Sendable {
    var person: String
    /// Few characters of the key, shown where two people share a name.
    var suffix: String
    /// Whether every field that the profile must have stands.
    var complete: Bool
    var nickname: String?
    var dogName: String?
    var age: Int?
    var sex: String?
    var neutered: Bool?
    var size: String?
    var keywords: [String]?
    /// The optional fields that never enter the card.
    var keptPrivate: [String]?

    /// The fields that make up the profile.
    var profile: Profile {
        Profile(
            nickname: nickname, dogName: dogName, age: age, sex: sex, neutered: neutered,
            size: size, keywords: keywords)
    }
}
