public import Contract

/// More about the reason for a block.
public typealias BlockText = Text<1, 100>

/// The commands of mates and blocked people.
///
/// ```swift
/// let mates = try await node.call(MateCommands.list).mates.filter { $0.state == .mate }
/// _ = try await node.call(MateCommands.remove, MateReference(person: NameOrKey(mates[0].person)))
/// ```
public enum MateCommands {
    /// Lists mates, and people who have not accepted yet.
    public static let list = Command<NoParameters, MateList>(
        .query, "mates", "list", help: "Lists your mates and the people you are waiting for.",
        topics: [
            .example(
                .people, command: "waggle mates", effect: "lists your mates with their keys"),
            .example(
                .scripts, command: "waggle mates list --json", effect: "one line of JSON"),
        ])
    /// Shows the photo of a mate, and fetches it if it is not here.
    public static let photo = Command<PhotoRequest, PersonPhoto>(
        .query, "mates", "photo",
        help: "Says since when a mate has their photo, and in which file it is.",
        topics: [
            .example(
                .people, command: "waggle mates photo Mina",
                effect: "names the file with her photo, or fetches it")
        ])
    /// Writes a mate as a contact for other programs.
    public static let export = Command<ExportMate, SavedFile>(
        .action, "mates", "export",
        help: "Writes what a mate shared, and their photo if it is here, to a contact file (.vcf).",
        topics: [
            .example(
                .people, command: "waggle mates export Mina --vcard mina.vcf",
                effect: "saves Mina as a contact for other programs")
        ])
    /// Ends a mateship on both sides.
    public static let remove = Command<MateReference, Done>(
        .action, "mates", "remove", help: "Removes a mate, on both sides.")
    /// Gives a mate a nickname of my own.
    public static let rename = Command<RenameMate, Done>(
        .action, "mates", "rename", aliases: ["nickname"],
        help: "Gives a mate a nickname of your own, which only you see.",
        topics: [
            .example(
                .people, command: "waggle mates rename Mina --as 'Mina next door'",
                effect: "shows her by that name; both names find her")
        ])
    /// Blocks a person.
    public static let block = Command<BlockPerson, Done>(
        .action, "mates", "block",
        help: "Blocks a person: they are not shown and are sent nothing.",
        topics: [
            .example(
                .privacy, command: "waggle mates block 3fa2c1 --reason unpleasant",
                effect: "hides them, and sends them nothing")
        ])
    /// Removes a block.
    public static let unblock = Command<UnblockPerson, Done>(
        .action, "mates", "unblock", help: "Unblocks a person.")
    /// Lists blocked people.
    public static let blocked = Command<NoParameters, BlockList>(
        .query, "mates", "blocked", help: "Lists the people you have blocked.")
}

/// A mate, named by their key.
public struct MateReference: CommandRequest {
    /// The mate's name or key; six digits of a key are enough.
    public var person: NameOrKey

    /// Creates the value.
    public init(person: NameOrKey) {
        self.person = person
    }

    /// The help of each property.
    public static let help = ["person": "The person's name or key; six digits of a key are enough."]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// The request of `mates export`.
public struct ExportMate: CommandRequest {
    /// The mate's name or key; six digits of a key are enough.
    public var person: NameOrKey
    /// The contact file to create.
    public var vcard: FilePath

    /// Creates the value.
    public init(person: NameOrKey, vcard: FilePath) {
        self.person = person
        self.vcard = vcard
    }

    /// The help of each property.
    public static let help = [
        "person": "The person's name or key; six digits of a key are enough.",
        "vcard": "The contact file to create.",
    ]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// The request of `mates photo`.
public struct PhotoRequest: CommandRequest {
    /// The mate's name or key; this person's own key is one too.
    public var person: NameOrKey
    /// Whether the thumbnail is answered too.
    public var thumbnail: Bool?

    /// Creates the value.
    public init(person: NameOrKey, thumbnail: Bool? = nil) {
        self.person = person
        self.thumbnail = thumbnail
    }

    /// The help of each property.
    public static let help = [
        "person": "The mate's name or key, or your own key.",
        "thumbnail": "Also answers the thumbnail, a JPEG in hexadecimal digits.",
    ]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// The answer of `mates photo`.
public struct PersonPhoto: Codable, Hashable, Sendable {
    /// The time at which the person chose it.
    public var atMs: Timestamp
    /// Whether the whole photo is on this device. If not, it is fetched from the next device that
    /// has it, and an event tells of its arrival.
    public var here: Bool
    /// The file with the whole photo, a JPEG, which may be read and not changed. It may be removed
    /// at any time.
    public var file: FilePath?
    /// The thumbnail, if it was asked for and the person sent one.
    public var thumbnail: ThumbnailDigits?

    /// Creates the value.
    public init(
        atMs: Timestamp, here: Bool, file: FilePath? = nil, thumbnail: ThumbnailDigits? = nil
    ) {
        self.atMs = atMs
        self.here = here
        self.file = file
        self.thumbnail = thumbnail
    }
}

/// The reason for a block, which only this person sees.
public enum BlockReason: String, Choice { case violent, unpleasant, other }

/// The request of `mates block`.
public struct BlockPerson: CommandRequest {
    /// The person's name or key; six digits of a key are enough.
    public var person: NameOrKey
    /// The reason, which only this person sees.
    public var reason: BlockReason
    /// More about the reason, one line of 1 to 100 characters.
    public var text: BlockText?

    /// Creates the value.
    public init(person: NameOrKey, reason: BlockReason, text: BlockText? = nil) {
        self.person = person
        self.reason = reason
        self.text = text
    }

    /// The help of each property.
    public static let help = [
        "person": "The person's name or key; six digits of a key are enough.",
        "reason": "The reason, which only you see.",
        "text": "A note, at most 100 characters.",
    ]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// The request of `mates unblock`.
public struct UnblockPerson: CommandRequest {
    /// The person's name or key; six digits of a key are enough.
    public var person: NameOrKey

    /// Creates the value.
    public init(person: NameOrKey) {
        self.person = person
    }

    /// The help of each property.
    public static let help = ["person": "The person's name or key; six digits of a key are enough."]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// The answer of `mates list`.
public struct MateList: Codable, Hashable, Sendable {
    /// Mates and people who have not accepted yet, by name.
    public var mates: [Mate]

    /// Creates the value.
    public init(mates: [Mate]) {
        self.mates = mates
    }

    /// One mate.
    public struct Mate: Codable, Hashable, Sendable {
        /// The mate's key.
        public var person: Key
        /// The first digits of the key, which tell people with the same name apart.
        public var suffix: KeySuffix
        /// `mate`, or `waiting` until the other side accepts.
        public var state: State
        /// The fields of the profile that they share.
        public var profile: ShownProfile
        /// The time at which they chose their photo; absent if they show none.
        public var photoMs: Timestamp?
        /// My own nickname for them, which is shown in place of the name in their profile.
        public var ownNickname: ShownNickname?
        /// Whether a device of theirs is linked now.
        public var present: Bool
        /// The time at which their records last arrived or they were last linked.
        public var lastExchangeMs: Timestamp?
        /// The location that they share with mates.
        public var location: SharedLocation?

        /// Creates the value.
        public init(
            person: Key, suffix: KeySuffix, state: State, profile: ProfileFields,
            photoMs: Timestamp? = nil, ownNickname: String? = nil, present: Bool,
            lastExchangeMs: Timestamp? = nil,
            location: SharedLocation? = nil
        ) {
            self.person = person
            self.suffix = suffix
            self.state = state
            self.profile = ShownProfile(profile)
            self.photoMs = photoMs
            self.ownNickname = ownNickname.map(ShownNickname.init(clipping:))
            self.present = present
            self.lastExchangeMs = lastExchangeMs
            self.location = location
        }

        /// The name that is shown: my own nickname for them, else the one in their profile.
        public var shownNickname: ShownNickname? { ownNickname ?? profile.nickname }
    }

    /// Whether both sides accepted.
    public enum State: String, Choice { case mate, waiting }

    /// A location that a mate shares.
    public struct SharedLocation: Codable, Hashable, Sendable {
        /// Degrees north, −90 to 90.
        public var latitude: Latitude
        /// Degrees east, −180 to 180.
        public var longitude: Longitude
        /// The radius in metres within which the true location lies.
        public var accuracyMetres: AccuracyMetres?
        /// The time at which they were there.
        public var atMs: Timestamp
        /// The age of the location in seconds.
        public var ageSeconds: Count

        /// Creates the value.
        public init(
            latitude: Double, longitude: Double, accuracyMetres: Double? = nil, atMs: Timestamp,
            ageSeconds: Int
        ) {
            self.latitude = Latitude(clamping: latitude)
            self.longitude = Longitude(clamping: longitude)
            self.accuracyMetres = accuracyMetres.map { AccuracyMetres(clamping: $0) }
            self.atMs = atMs
            self.ageSeconds = Count(clamping: ageSeconds)
        }
    }
}

extension MateList.Mate: LeadingMembers, DetailMembers {
    /// My own nickname for them.
    public static let leadingMembers: Set = ["ownNickname"]
    /// Their location, which a map shows better, and the time of their photo.
    public static let detailMembers = ["location", "photoMs"]
}

/// The answer of `mates blocked`.
public struct BlockList: Codable, Hashable, Sendable {
    /// The blocked people.
    public var blocked: [Entry]

    /// Creates the value.
    public init(blocked: [Entry]) {
        self.blocked = blocked
    }

    /// One blocked person.
    public struct Entry: Codable, Hashable, Sendable {
        /// The person's key.
        public var person: Key
        /// The first digits of the key, which tell people with the same name apart.
        public var suffix: KeySuffix
        /// The person's name, if it is known.
        public var name: PersonName?
        /// The reason for the block.
        public var reason: BlockReason?
        /// More about the reason.
        public var text: BlockText.Shown?
        /// The time at which they were blocked.
        public var atMs: Timestamp?

        /// Creates the value.
        public init(
            person: Key, suffix: KeySuffix, name: String? = nil, reason: BlockReason? = nil,
            text: String? = nil, atMs: Timestamp? = nil
        ) {
            self.person = person
            self.suffix = suffix
            self.name = name.map(PersonName.init(clipping:))
            self.reason = reason
            self.text = text.map(BlockText.Shown.init(clipping:))
            self.atMs = atMs
        }
    }
}
