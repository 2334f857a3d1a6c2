public import Contract

/// The commands for people nearby and for this person's visibility.
///
/// ```swift
/// let nearby = try await node.call(NearbyCommands.list)
/// let waiting = nearby.people.filter { $0.isOpenToMeet && !$0.mate }.map(\.device)
/// ```
public enum NearbyCommands {
    /// Lists people nearby.
    public static let list = Command<NoParameters, NearbyList>(
        .query, "nearby", "list",
        help: "Lists the people nearby, or the reason why there are none.",
        topics: [
            .example(
                .start, command: "waggle nearby", effect: "lists who is here, or why nobody is")
        ])
    /// Shows which people see my names.
    public static let visibility = Command<NoParameters, Visibility>(
        .query, "visibility", "show", help: "Shows who sees your name and your dog's.",
        topics: [
            .example(
                .privacy, command: "waggle visibility", effect: "shows who sees your names now")
        ])
    /// Shows my names to everyone nearby for 10 minutes.
    public static let showToEveryone = Command<NoParameters, Visibility>(
        .action, "visibility", "everyone",
        help: "Shows your name and your dog's to everyone nearby for 10 minutes.",
        topics: [
            .example(
                .privacy, command: "waggle visibility everyone",
                effect: "shows your names to everyone for ten minutes")
        ])
    /// Shows my names to mates only.
    public static let showToMates = Command<NoParameters, Visibility>(
        .action, "visibility", "mates", help: "Shows your name and your dog's to mates only.")
}

/// The answer of the visibility commands.
public struct Visibility: Codable, Hashable, Sendable {
    /// The people who see my names.
    public enum Level: String, Choice { case mates, everyone }

    /// The people who see my names: mates or everyone.
    public var level: Level
    /// The number of seconds until only mates see them again.
    public var secondsLeft: Count?

    /// Creates the value.
    public init(level: Level, secondsLeft: Int? = nil) {
        self.level = level
        self.secondsLeft = secondsLeft.map { Count(clamping: $0) }
    }
}

/// The answer of `nearby list`.
public struct NearbyList: Codable, Hashable, Sendable {
    /// The people whose devices are linked, without blocked ones.
    public var people: [Person]
    /// The people whose devices are not linked yet, and whose names are known: mates, and those who
    /// show their name to everyone.
    public var announced: [Announced]
    /// The number of other devices that are announced without a name and not linked yet.
    public var unnamedCount: Count
    /// The reason why no device is seen, after 10 s without any.
    public var emptyReason: EmptyReason?

    /// Creates the value.
    public init(
        people: [Person], announced: [Announced] = [], unnamedCount: Int = 0,
        emptyReason: EmptyReason? = nil
    ) {
        self.people = people
        self.announced = announced
        self.unnamedCount = Count(clamping: unnamedCount)
        self.emptyReason = emptyReason
    }

    /// A person nearby. A property that is not known is absent.
    public struct Person: Codable, Hashable, Sendable {
        /// The key of their device.
        public var device: Key
        /// The person's key, if it is known.
        public var person: Key?
        /// The first digits of the key, which tell people with the same name apart.
        public var suffix: KeySuffix
        /// The person's name, as this person knows it or as it is announced.
        public var name: PersonName?
        /// The name of their dog, as it is announced.
        public var dogName: DogName.Shown?
        /// Whether they are a mate.
        public var mate: Bool
        /// Whether they wait to meet another person, as an open drop says.
        public var isOpenToMeet: Bool
        /// Their distance in metres, if it is measured.
        public var distanceMetres: DistanceMetres?
        /// The distance by which that may be wrong, in metres.
        public var uncertaintyMetres: DistanceMetres?
        /// The measured turn to the right that makes this device point at theirs, in degrees;
        /// negative to the left.
        public var turnDegrees: TurnDegrees?
        /// The age of the measurement in seconds.
        public var ageSeconds: Count?
        /// Their direction in degrees from north.
        public var bearingDegrees: BearingDegrees?
        /// The time at which they were first seen in this visit.
        public var sinceMs: Timestamp
        /// The reason why the links with them keep ending, if they do.
        public var trouble: ConnectionTrouble?

        private enum CodingKeys: String, CodingKey {
            case device, person, suffix, name, dogName, mate
            case isOpenToMeet = "dropOpen"
            case distanceMetres, uncertaintyMetres, turnDegrees, ageSeconds, bearingDegrees
            case sinceMs, trouble
        }

        /// Creates the value.
        public init(
            device: Key, person: Key? = nil, suffix: KeySuffix, name: String? = nil,
            dogName: String? = nil, mate: Bool, isOpenToMeet: Bool, distanceMetres: Double? = nil,
            bearingDegrees: Double? = nil, measured: MeasuredWay? = nil, sinceMs: Timestamp,
            trouble: ConnectionTrouble? = nil
        ) {
            self.device = device
            self.person = person
            self.suffix = suffix
            self.name = name.map(PersonName.init(clipping:))
            self.dogName = dogName.map(DogName.Shown.init(clipping:))
            self.mate = mate
            self.isOpenToMeet = isOpenToMeet
            self.distanceMetres =
                measured?.distanceMetres ?? distanceMetres.flatMap { try? DistanceMetres($0) }
            uncertaintyMetres = measured?.uncertaintyMetres
            turnDegrees = measured?.turnDegrees
            ageSeconds = measured?.ageSeconds
            self.bearingDegrees = bearingDegrees.flatMap { try? BearingDegrees($0) }
            self.sinceMs = sinceMs
            self.trouble = trouble
        }
    }

    /// A person whose device is announced and not linked yet.
    public struct Announced: Codable, Hashable, Sendable {
        /// The tag that the device announces; 'drop start' takes it.
        public var tag: AnnouncedTag
        /// The name of the mate, or the name that is announced.
        public var name: PersonName
        /// The name of their dog, as it is announced.
        public var dogName: DogName.Shown?
        /// Whether they are a mate.
        public var mate: Bool
        /// Whether they wait to meet another person, as an open drop says.
        public var isOpenToMeet: Bool
        /// The time at which they were first seen in this visit.
        public var sinceMs: Timestamp
        /// The reason why they cannot be reached, after several attempts.
        public var trouble: ConnectionTrouble?

        private enum CodingKeys: String, CodingKey {
            case tag, name, dogName, mate
            case isOpenToMeet = "dropOpen"
            case sinceMs, trouble
        }

        /// Creates the value.
        public init(
            tag: AnnouncedTag, name: String, dogName: String? = nil, mate: Bool = false,
            isOpenToMeet: Bool = false, sinceMs: Timestamp, trouble: ConnectionTrouble? = nil
        ) {
            self.tag = tag
            self.name = PersonName(clipping: name)
            self.dogName = dogName.map(DogName.Shown.init(clipping:))
            self.mate = mate
            self.isOpenToMeet = isOpenToMeet
            self.sinceMs = sinceMs
            self.trouble = trouble
        }
    }

    /// The first cause that prevents people from being found, and its fix.
    public struct EmptyReason: Codable, Hashable, Sendable {
        /// The cause as a sentence.
        public var cause: ShownSentence
        /// The fix as a sentence.
        public var fix: ShownSentence
        /// The command for a shell that carries out the fix.
        public var command: ShownText<300>?

        /// Creates the value.
        public init(cause: Sentence, fix: Sentence, command: String? = nil) {
            self.cause = ShownSentence(cause)
            self.fix = ShownSentence(fix)
            self.command = command.map(ShownText.init(clipping:))
        }
    }
}

extension NearbyList.Person: LeadingMembers, DetailMembers {
    /// The dog's name.
    public static let leadingMembers: Set = ["dogName"]
    /// The keys, of which the suffix is enough, and the time.
    public static let detailMembers = ["sinceMs", "device", "person", "uncertaintyMetres"]
}

extension NearbyList.Announced: LeadingMembers, DetailMembers {
    /// The dog's name.
    public static let leadingMembers: Set = ["dogName"]
    /// The time.
    public static let detailMembers = ["sinceMs"]
}
