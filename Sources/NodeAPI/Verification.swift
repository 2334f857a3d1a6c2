public import Contract

/// The request of `verify run`.
public struct Verify: CommandRequest {
    /// The key of the only device, or of the only person, to compare with; all if nil.
    public var peer: NameOrKey?

    /// Creates the value.
    public init(peer: NameOrKey? = nil) { self.peer = peer }

    /// The help of each property.
    public static let help = [
        "peer": "A device's or person's key, or at least its first six digits."
    ]
    /// The properties read by position.
    public static let positional = ["peer"]
}

/// The answer of `verify run`.
public struct Verification: Codable, Hashable, Sendable {
    /// Whether all digests were equal.
    public var equal: Bool
    /// Whether everything was equal and nothing stays damaged.
    public var content: Bool
    /// The number of batches whose hashes were compared.
    public var audited: Count
    /// The number of batches that differ between the two sides.
    public var differing: Count
    /// The number of batches that were damaged on this disk.
    public var damaged: Count
    /// The number of damaged batches that were fetched again.
    public var mended: Count
    /// Advice about the batches that are still damaged.
    public var advice: ShownSentence?
    /// The devices with which this device was compared.
    public var peers: [Key]
    /// Each space on each of these devices.
    public var spaces: [Comparison]
    /// The damaged batches.
    public var batches: [Damage]
    /// The damaged photos, which were removed.
    public var photos: [DamagedPhoto]

    /// Creates the value.
    public init(
        equal: Bool, content: Bool, audited: Int, differing: Int, damaged: Int, mended: Int,
        advice: Sentence?, peers: [Key], spaces: [Comparison], batches: [Damage],
        photos: [DamagedPhoto]
    ) {
        self.equal = equal
        self.content = content
        self.audited = Count(clamping: audited)
        self.differing = Count(clamping: differing)
        self.damaged = Count(clamping: damaged)
        self.mended = Count(clamping: mended)
        self.advice = advice.map(ShownSentence.init(_:))
        self.peers = peers
        self.spaces = spaces
        self.batches = batches
        self.photos = photos
    }

    /// The comparison of a space with a linked device.
    public struct Comparison: Codable, Hashable, Sendable {
        /// The space's id.
        public var id: Key
        /// The space's kind.
        public var kind: NodeStatus.Space.Kind
        /// The linked device.
        public var device: Key
        /// Whether the digests are equal.
        public var equal: Bool
        /// The digest on this device, in hexadecimal digits.
        public var mine: DigestDigits
        /// The digest on the other device, if it sent one.
        public var theirs: DigestDigits?

        /// Creates the value.
        public init(
            id: Key, kind: NodeStatus.Space.Kind, device: Key, equal: Bool, mine: DigestDigits,
            theirs: DigestDigits?
        ) {
            self.id = id
            self.kind = kind
            self.device = device
            self.equal = equal
            self.mine = mine
            self.theirs = theirs
        }
    }

    /// Damaged batches of one log.
    public struct Damage: Codable, Hashable, Sendable {
        /// The space's id.
        public var space: Key
        /// The space's kind.
        public var kind: NodeStatus.Space.Kind
        /// The device that wrote them.
        public var device: Key
        /// The number of the first batch.
        public var first: Ordinal
        /// The number of the last batch.
        public var last: Ordinal
        /// Whether they were fetched again.
        public var mended: Bool

        /// Creates the value.
        public init(
            space: Key, kind: NodeStatus.Space.Kind, device: Key, first: Int, last: Int,
            mended: Bool
        ) {
            self.space = space
            self.kind = kind
            self.device = device
            self.first = Ordinal(clamping: first)
            self.last = Ordinal(clamping: last)
            self.mended = mended
        }
    }
}

/// A photo whose file was damaged and removed.
public struct DamagedPhoto: Codable, Hashable, Sendable {
    /// The SHA-256 of its content.
    public var hash: Key
    /// The length that it should have, in bytes.
    public var bytes: Count
    /// A space in which a record names it; none if no record does any more.
    public var space: Key?
    /// Whether it was fetched again.
    public var mended: Bool

    /// Creates the value.
    public init(hash: Key, bytes: Int, space: Key?, mended: Bool) {
        self.hash = hash
        self.bytes = Count(clamping: bytes)
        self.space = space
        self.mended = mended
    }
}

/// The answer of `doctor run`: the checks in their order.
public struct NodeDiagnosis: Codable, Hashable, Sendable {
    /// The checks, in their order.
    public var checks: [Check]
    /// A sentence about a person who comes back by recovery words.
    public var recovery: ShownSentence?

    /// Creates the value.
    public init(checks: [Check], recovery: Sentence? = nil) {
        self.checks = checks
        self.recovery = recovery.map(ShownSentence.init(_:))
    }

    /// The first check that failed: the cause to remove first.
    public var firstFailure: Check? { checks.first { $0.state == .failed } }

    /// The check of one possible cause.
    public struct Check: Codable, Hashable, Sendable {
        /// The possible cause that is checked.
        public enum Cause: String, OpenChoice {
            case bus, daemon, interface, port, clock, dialBack, unknown
        }

        /// The result of a check.
        public enum State: String, Choice { case ok, failed, skipped }

        /// The cause.
        public var id: Cause
        /// The result of the check.
        public var state: State
        /// The finding, or the reason why the check was skipped.
        public var finding: ShownSentence
        /// The remedy, if the check failed.
        public var fix: Fix?

        /// Creates the value.
        public init(id: Cause, state: State, finding: Sentence, fix: Fix?) {
            self.id = id
            self.state = state
            self.finding = ShownSentence(finding)
            self.fix = fix
        }
    }

    /// A command line for a shell.
    public typealias ShellLine = ShownText<300>

    /// The remedy for a cause.
    public struct Fix: Codable, Hashable, Sendable {
        /// The advice as a sentence.
        public var advice: ShownSentence
        /// A command that carries it out.
        public var command: ShellLine?

        /// Creates the value.
        public init(advice: Sentence, command: String?) {
            self.advice = ShownSentence(advice)
            self.command = command.map(ShellLine.init(clipping:))
        }
    }
}
