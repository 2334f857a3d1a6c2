public import Contract

/// The commands for this person's profile.
public enum ProfileCommands {
    /// Shows my profile.
    public static let show = Command<NoParameters, MyProfile>(
        .query, "me", "show", help: "Shows your profile.")
    /// Changes my profile.
    public static let edit = Command<EditProfile, MyProfile>(
        .action, "me", "edit", help: "Changes your profile.",
        topics: [
            .example(
                .start, command: "waggle me edit --nickname Ann",
                effect: "sets the name that others see")
        ])
    /// Chooses my photo, or removes it.
    public static let photo = Command<ChangePhoto, MyProfile>(
        .action, "me", "photo", help: "Makes a picture your photo, or removes it.",
        topics: [
            .example(
                .start, command: "waggle me photo picture.jpg",
                effect: "shows your mates a photo; where it was taken is removed")
        ])
    /// Fills my profile from a contact file.
    public static let `import` = Command<ReadContact, MyProfile>(
        .action, "me", "import",
        help: "Fills your profile from a contact file (.vcf): your name, your dog and your photo.",
        topics: [
            .example(
                .start, command: "waggle me import me.vcf",
                effect: "uses the name and photo of your contact card")
        ])
}

/// The request of `me import`.
public struct ReadContact: CommandRequest {
    /// A vCard of at most 8 MiB.
    public var file: FilePath

    /// Creates the value.
    public init(file: FilePath) { self.file = file }

    /// The help of each property.
    public static let help = ["file": "A contact file (.vcf) of at most 8 MiB."]
    /// The properties read by position.
    public static let positional = ["file"]
}

/// A person's name: one line of 1 to 20 characters that follows ``TextRule/nickname``.
public struct Nickname: ConstrainedText, Hashable, Sendable {
    /// The name, without white space at its ends.
    public let string: String

    /// Checks a name.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule that the name breaks.
    public init(_ text: String, field: String = "nickname") throws(CommandFault) {
        string = try TextRule.nickname.check(text, field: field)
    }

    private init(checked string: String) { self.string = string }

    /// One line within the limits.
    public static var schema: Schema { .text(.line(TextRule.nickname.characters)) }
    /// A name of one letter.
    public static var example: Nickname { Nickname(checked: "A") }
}

extension Nickname {
    /// A name in an answer, with the same maximum.
    public typealias Shown = ShownNickname
}

/// One or two words that describe a dog.
public struct DogKeywords: Codable, Hashable, Sendable, SchemaDescribing {
    /// The words in the order they were given.
    public let words: [DogKeyword]

    /// The admitted number of words.
    public static let count = 1...2

    /// Checks the number of the words.
    /// - Throws: ``CommandFault/usage(_:field:)`` for no words or too many.
    public init(_ words: [DogKeyword], field: String = "keywords") throws(CommandFault) {
        try Self.schema.check(.array(words.map { .string($0.rawValue) }), field: field)
        self.words = words
    }

    private init(checked words: [DogKeyword]) { self.words = words }

    /// Reads and checks the words.
    public init(from decoder: any Decoder) throws {
        let words = try decoder.singleValueContainer().decode([DogKeyword].self)
        self = try Self(words, field: decoder.codingPath.first?.stringValue ?? "keywords")
    }

    /// Writes the words.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(words)
    }

    /// A list of one or two words.
    public static var schema: Schema { .list(DogKeyword.schema, count: count) }
    /// One word.
    public static var example: DogKeywords { DogKeywords(checked: [.energetic]) }
}

/// The request of `me edit`: the fields that change.
public struct EditProfile: CommandRequest {
    /// The person's name, 1 to 20 characters.
    public var nickname: Nickname?
    /// The dog's name, 1 to 15 characters.
    public var dogName: DogName?
    /// The dog's age in years, 0 to 99.
    public var age: DogAge?
    /// The dog's sex.
    public var sex: DogSex?
    /// Whether the dog is neutered.
    public var neutered: Bool?
    /// The dog's size.
    public var size: DogSize?
    /// One or two words that describe the dog.
    public var keywords: DogKeywords?
    /// The complete list of fields that mates never see.
    public var keptPrivate: [OptionalField]?
    /// The optional fields to remove.
    public var clear: [OptionalField]?

    /// Creates the value.
    public init(
        nickname: Nickname? = nil, dogName: DogName? = nil, age: DogAge? = nil,
        sex: DogSex? = nil, neutered: Bool? = nil, size: DogSize? = nil,
        keywords: DogKeywords? = nil, keptPrivate: [OptionalField]? = nil,
        clear: [OptionalField]? = nil
    ) {
        self.nickname = nickname
        self.dogName = dogName
        self.age = age
        self.sex = sex
        self.neutered = neutered
        self.size = size
        self.keywords = keywords
        self.keptPrivate = keptPrivate
        self.clear = clear
    }

    /// The help of each property.
    public static let help = [
        "nickname": "Your name, 1 to 20 characters.",
        "dogName": "Your dog's name, 1 to 15 characters.",
        "age": "Your dog's age, 0 to 99 years.",
        "sex": "Your dog's sex.",
        "neutered": "Whether your dog is neutered.",
        "size": "Your dog's size.",
        "keywords": "One or two of energetic, smart, friendly, shy, independent.",
        "keptPrivate": "A field that mates never see; repeat it for more. "
            + "'' shows all fields again.",
        "clear": "An optional field to remove.",
    ]
    /// The minimum of one field, since a request must change something.
    public static let memberCountMin = 1
}

/// The request of `me photo`: a picture, or the wish to have none.
public struct ChangePhoto: CommandRequest {
    /// A JPEG or PNG of at most 20 megapixels and 20 MiB.
    public var file: FilePath?
    /// Whether the photo is removed.
    public var remove: Bool?

    /// Creates the value.
    public init(file: FilePath? = nil, remove: Bool? = nil) {
        self.file = file
        self.remove = remove
    }

    /// The help of each property.
    public static let help = [
        "file": "A JPEG or PNG of at most 20 megapixels and 20 MiB.",
        "remove": "Removes your photo, on your mates' devices too.",
    ]
    /// The properties read by position.
    public static let positional = ["file"]
    /// The minimum of one field, since a request must change something.
    public static let memberCountMin = 1
}

/// The answer of `me show`, `me edit` and `me photo`.
public struct MyProfile: Codable, Hashable, Sendable {
    /// The person's name.
    public var nickname: Nickname.Shown?
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
    /// The person's key.
    public var person: Key
    /// The key of this device.
    public var device: Key
    /// The first digits of the person's key, which tell people with the same name apart.
    public var suffix: KeySuffix
    /// Whether the profile has a nickname.
    public var complete: Bool
    /// The names of the fields that mates never see.
    public var keptPrivate: [OptionalField]
    /// The time at which the photo was chosen; absent without a photo.
    public var photoMs: Timestamp?
    /// Whether the whole photo is on this device; absent without a photo.
    public var photoHere: Bool?

    /// Creates the value.
    public init(
        nickname: String? = nil, dogName: String? = nil, age: Int? = nil, sex: DogSex? = nil,
        neutered: Bool? = nil, size: DogSize? = nil, keywords: [DogKeyword]? = nil, person: Key,
        device: Key, suffix: KeySuffix, complete: Bool, keptPrivate: [OptionalField],
        photoMs: Timestamp? = nil, photoHere: Bool? = nil
    ) {
        self.nickname = nickname.map(Nickname.Shown.init(clipping:))
        self.dogName = dogName.map(DogName.Shown.init(clipping:))
        self.age = age.map(DogAge.init(clamping:))
        self.sex = sex
        self.neutered = neutered
        self.size = size
        self.keywords = keywords
        self.person = person
        self.device = device
        self.suffix = suffix
        self.complete = complete
        self.keptPrivate = keptPrivate
        self.photoMs = photoMs
        self.photoHere = photoHere
    }
}

extension MyProfile: LeadingMembers {
    /// The dog's name.
    public static let leadingMembers: Set = ["dogName"]
}
