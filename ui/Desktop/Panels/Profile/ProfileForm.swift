import Contract
import ControlAPI
import FeaturesAPI
import PanelKit

/// The fields of the profile form, and the faults in them.
///
/// The limits are those of ``EditProfile``. The node checks them again and decides.
struct ProfileForm: Equatable, Sendable {
    /// A line of the form.
    enum Field: CaseIterable, Sendable {
        case photo, nickname, dogName, age, sex, neutered, size, keywords

        /// The field that its owner may keep out of the card or clear; nil for the nickname.
        var optional: OptionalField? {
            switch self {
            case .nickname: nil
            case .photo: .photo
            case .dogName: .dogName
            case .age: .age
            case .sex: .sex
            case .neutered: .neutered
            case .size: .size
            case .keywords: .keywords
            }
        }
    }

    var nickname = ""
    var dogName = ""
    /// The text as typed; blank means no age.
    var age = ""
    var sex: DogSex?
    var neutered: Bool?
    var size: DogSize?
    var keywords: [DogKeyword] = []
    var keptPrivate: Set<OptionalField> = []

    /// Creates an empty form.
    init() {}

    /// Creates the form from the stored profile.
    init(_ me: MyProfile) {
        nickname = me.nickname?.string ?? ""
        dogName = me.dogName?.string ?? ""
        age = me.age.map { "\($0.value)" } ?? ""
        sex = me.sex
        neutered = me.neutered
        size = me.size
        keywords = me.keywords ?? []
        keptPrivate = Set(me.keptPrivate)
    }

    /// Returns a sentence about the fault in a field, or nil.
    func fault(in field: Field) -> String? {
        do {
            switch field {
            case .nickname: _ = try checkedNickname()
            case .dogName: _ = try checkedDogName()
            case .age: _ = try checkedAge()
            case .keywords:
                let countMax = DogKeywords.count.upperBound
                return keywords.count <= countMax ? nil : localized("Choose at most \(countMax).")
            case .photo, .sex, .neutered, .size: break
            }
            return nil
        } catch {
            return CommandFault(error).shown(labels: Self.labels)
        }
    }

    private static let labels = [
        "nickname": localized("Your name"), "dogName": localized("The dog's name"),
        "age": localized("The age"),
    ]

    /// Whether it can be sent.
    var isValid: Bool { Field.allCases.allSatisfy { fault(in: $0) == nil } }

    /// Returns the request that is sent to the node: blank fields are cleared.
    /// - Throws: ``CommandFault/usage(_:field:)`` for the first field that breaks its rule.
    func edit() throws(CommandFault) -> EditProfile {
        let (dogName, age) = (try checkedDogName(), try checkedAge())
        let blank: [(OptionalField, Bool)] = [
            (.dogName, dogName == nil), (.age, age == nil), (.sex, sex == nil),
            (.neutered, neutered == nil), (.size, size == nil), (.keywords, keywords.isEmpty),
        ]
        return EditProfile(
            nickname: try checkedNickname(), dogName: dogName, age: age, sex: sex,
            neutered: neutered, size: size,
            keywords: keywords.isEmpty ? nil : try DogKeywords(keywords),
            keptPrivate: OptionalField.allCases.filter(keptPrivate.contains),
            clear: blank.filter(\.1).map(\.0))
    }

    private func checkedNickname() throws(CommandFault) -> Nickname {
        try Nickname(nickname, field: "nickname")
    }

    private func checkedDogName() throws(CommandFault) -> DogName? {
        dogName.trimmed.isEmpty ? nil : try Text(dogName, field: "dogName")
    }

    private func checkedAge() throws(CommandFault) -> DogAge? {
        guard !age.trimmed.isEmpty else { return nil }
        guard let years = Int(age.trimmed) else {
            throw .usage("'age' must be a whole number from 0 to 99", field: "age")
        }
        return try Whole(years, field: "age")
    }
}
