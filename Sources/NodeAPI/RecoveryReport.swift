public import Contract

/// The answer of `recovery show`: how far this person was brought back by recovery words.
public struct RecoveryReport: Codable, Hashable, Sendable {
    /// A stage of coming back.
    public enum Stage: String, OpenChoice {
        /// The person was not brought back by recovery words on this device.
        case none
        /// Devices nearby are asked who the person is.
        case searching
        /// The person is known, and what others have of theirs comes back as they meet.
        case regaining
        /// A stage that a newer node added.
        case unknown
    }

    /// One person from whom something came back.
    public struct Source: Codable, Hashable, Sendable {
        /// The person; this one for another device of theirs.
        public var person: Key
        /// The first digits of the person's key.
        public var suffix: KeySuffix
        /// The person's name, if it is known.
        public var name: ShownName?
        /// Whether the two are mates again.
        public var mate: Bool
        /// The groups and promises that the two share.
        public var groups: Count
        /// The stored changes of the spaces that the two share.
        public var changes: Count

        /// A name that is shown.
        public typealias ShownName = ShownText<80>

        /// Creates the value.
        public init(
            person: Key, suffix: KeySuffix, name: String?, mate: Bool, groups: Int, changes: Int
        ) {
            self.person = person
            self.suffix = suffix
            self.name = name.map(ShownName.init(clipping:))
            self.mate = mate
            self.groups = Count(clamping: groups)
            self.changes = Count(clamping: changes)
        }
    }

    /// The stage.
    public var stage: Stage
    /// The stage as a sentence that says what to do.
    public var detail: ShownSentence
    /// The time at which the person came back.
    public var sinceMs: Timestamp?
    /// The reason why an answer did not bring the person back.
    public var problem: ShownSentence?
    /// The mates who are back.
    public var mates: Count
    /// The groups and promises that are back.
    public var groups: Count
    /// The people who have sent everything that they share.
    public var sources: [Source]
    /// Sentences about what does not come back.
    public var missing: [ShownSentence]

    /// Creates the value.
    public init(
        stage: Stage, detail: Sentence, sinceMs: Timestamp?, problem: Sentence?, mates: Int,
        groups: Int, sources: [Source], missing: [Sentence]
    ) {
        self.stage = stage
        self.detail = ShownSentence(detail)
        self.sinceMs = sinceMs
        self.problem = problem.map(ShownSentence.init(_:))
        self.mates = Count(clamping: mates)
        self.groups = Count(clamping: groups)
        self.sources = sources
        self.missing = missing.map(ShownSentence.init(_:))
    }
}

/// The answer of `recovery cancel`: the home has a new person.
public struct NewBeginning: Codable, Hashable, Sendable {
    /// The file with the new person's recovery words, to be removed once they are written down.
    public var file: ShownPath
    /// The next step, as a sentence.
    public var detail: ShownSentence

    /// Creates the value.
    public init(file: String, detail: Sentence) {
        self.file = ShownPath(clipping: file)
        self.detail = ShownSentence(detail)
    }
}

/// The request of `recovery begin`.
public struct RecoveryStart: CommandRequest {
    /// The nine words in their order.
    public var words: Text<1, 512>

    /// Creates the value.
    public init(words: Text<1, 512>) { self.words = words }

    /// The help of each property.
    public static let help = ["words": "The nine words, in their order."]
}
