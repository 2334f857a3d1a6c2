/// What is typed into the profile form, and what is wrong with it.
///
/// The limits are those of the profile; the node checks them again, and its word counts.
struct ProfileForm: Equatable, Sendable {
    /// A line of the form.
    enum Field: String, CaseIterable, Sendable {
        case nickname, dogName, age, sex, neutered, size, keywords

        /// Whether the owner may keep it out of the card.
        var isOptional: Bool { self != .nickname && self != .dogName }
    }

    /// Letters as a person would count them.
    static let nicknameCharacters = 2...8
    static let dogNameCharacters = 1...15
    static let ageYears = 0...99
    static let keywordsCountMax = 2

    static let sexes = ["male", "female"]
    static let sizes = ["small", "medium", "big"]
    static let keywordChoices = ["energetic", "smart", "friendly", "shy", "independent"]

    var nickname = ""
    var dogName = ""
    /// As typed; blank says nothing.
    var age = ""
    var sex: String?
    var neutered: Bool?
    var size: String?
    var keywords: [String] = []
    var keptPrivate: Set<Field> = []

    /// An empty form.
    init() {}

    /// The form as it stands in the node.
    init(_ me: Me) {
        nickname = me.nickname ?? ""
        dogName = me.dogName ?? ""
        age = me.age.map(String.init) ?? ""
        sex = me.sex
        neutered = me.neutered
        size = me.size
        keywords = me.keywords ?? []
        keptPrivate = Set((me.keptPrivate ?? []).compactMap(Field.init(rawValue:)))
    }

    /// What is wrong with a field as it stands, or nil.
    func fault(in field: Field) -> String? {
        switch field {
        case .nickname:
            Self.nicknameCharacters.contains(nickname.trimmed.count)
                ? nil : "2 to 8 characters, please; this has \(nickname.trimmed.count)."
        case .dogName:
            Self.dogNameCharacters.contains(dogName.trimmed.count)
                ? nil : "1 to 15 characters, please; this has \(dogName.trimmed.count)."
        case .age:
            age.trimmed.isEmpty || ageInYears != nil ? nil : "A whole number from 0 to 99, please."
        case .keywords:
            keywords.count <= Self.keywordsCountMax ? nil : "At most two, please."
        case .sex, .neutered, .size: nil
        }
    }

    /// The age as a number, where it is one within the limits.
    var ageInYears: Int? {
        Int(age.trimmed).flatMap { Self.ageYears.contains($0) ? $0 : nil }
    }

    /// Whether it can be sent.
    var isValid: Bool { Field.allCases.allSatisfy { fault(in: $0) == nil } }

    /// What is sent to the node: what is blank is cleared.
    var edit: ProfileEdit {
        var clear: [String] = []
        if age.trimmed.isEmpty { clear.append(Field.age.rawValue) }
        if sex == nil { clear.append(Field.sex.rawValue) }
        if neutered == nil { clear.append(Field.neutered.rawValue) }
        if size == nil { clear.append(Field.size.rawValue) }
        if keywords.isEmpty { clear.append(Field.keywords.rawValue) }
        return ProfileEdit(
            nickname: nickname.trimmed, dogName: dogName.trimmed, age: ageInYears, sex: sex,
            neutered: neutered, size: size, keywords: keywords.isEmpty ? nil : keywords,
            keptPrivate: keptPrivate.map(\.rawValue).sorted(), clear: clear)
    }
}

/// The body of "me edit".
struct ProfileEdit: Encodable, Equatable, Sendable {
    var nickname: String
    var dogName: String
    var age: Int?
    var sex: String?
    var neutered: Bool?
    var size: String?
    var keywords: [String]?
    var keptPrivate: [String]
    var clear: [String]
}

extension String {
    /// The text without the white space around it.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}
