/// A person's profile as the API spells it; every field may be missing.
struct Profile: Decodable, Equatable, Sendable {
    var nickname: String?
    var dogName: String?
    /// In years.
    var age: Int?
    var sex: String?
    var neutered: Bool?
    var size: String?
    var keywords: [String]?

    /// What the person is called; a name nobody gave is said in words.
    var displayName: String { nickname ?? "Someone without a name" }

    /// The dog in one line, such as "Bori, 3 years, small, energetic and smart".
    var dogLine: String? {
        let years = age.map { $0 == 1 ? "1 year" : "\($0) years" }
        let traits = keywords.flatMap { $0.isEmpty ? nil : $0.joined(separator: " and ") }
        let parts = [dogName, years, size, traits].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
