public import Contract

/// The answer of `status show`.
public struct NodeStatus: Codable, Hashable, Sendable {
    /// The program's version.
    public var version: ShownText<40>
    /// The person whose node this is.
    public var person: Key
    /// The device that the node runs on.
    public var device: Key
    /// The first digits of the person's key, which tell people with the same name apart.
    public var suffix: KeySuffix
    /// The directory of the node's files.
    public var home: ShownPath
    /// The time at which the node started.
    public var startedMs: Timestamp
    /// The node's present time.
    public var nowMs: Timestamp
    /// The TCP port that other nodes link to.
    public var port: PortNumber
    /// Whether people are found by Avahi.
    public var discovery: Discovery
    /// The median difference between mates' clocks and this one, its own zero included, in
    /// milliseconds; the correction limits each difference to ten minutes.
    public var clockSkewMs: TimeDifference
    /// Whether the database is older than the device's last start, as after a restore, and the
    /// device has not yet caught up with its own log.
    public var startsDisagree: Bool
    /// A sentence that says why this device must not write yet.
    public var unsettled: ShownSentence?
    /// A sentence about a person who comes back by recovery words.
    public var recovery: ShownSentence?
    /// The result of the last comparison with peers.
    public var audited: Audit?
    /// Sentences that this person should read.
    public var notices: [Notice]
    /// The linked devices.
    public var links: [Link]
    /// The amount of stored data, and its limits.
    public var storage: Storage
    /// The spaces on this device.
    public var spaces: [Space]
    /// The members of each group, past ones too.
    public var members: [Member]
    /// The room that each joined neighbourhood takes.
    public var neighbourhoods: [Neighbourhood]
    /// The logs in neighbourhoods of which no more is read for now.
    public var overAllowance: [OverAllowance]

    /// Creates the value.
    public init(
        version: String, person: Key, device: Key, suffix: KeySuffix, home: String,
        startedMs: Timestamp, nowMs: Timestamp, port: Int, discovery: Discovery, clockSkewMs: Int,
        startsDisagree: Bool, unsettled: Sentence?, recovery: Sentence? = nil, audited: Audit?,
        notices: [Notice],
        links: [Link], storage: Storage, spaces: [Space], members: [Member],
        neighbourhoods: [Neighbourhood], overAllowance: [OverAllowance]
    ) {
        self.version = ShownText<40>(clipping: version)
        self.person = person
        self.device = device
        self.suffix = suffix
        self.home = ShownPath(clipping: home)
        self.startedMs = startedMs
        self.nowMs = nowMs
        self.port = PortNumber(clamping: port)
        self.discovery = discovery
        self.clockSkewMs = TimeDifference(clamping: clockSkewMs)
        self.startsDisagree = startsDisagree
        self.unsettled = unsettled.map(ShownSentence.init(_:))
        self.recovery = recovery.map(ShownSentence.init(_:))
        self.audited = audited
        self.notices = notices
        self.links = links
        self.storage = storage
        self.spaces = spaces
        self.members = members
        self.neighbourhoods = neighbourhoods
        self.overAllowance = overAllowance
    }

    /// The state of discovery.
    public struct Discovery: Codable, Hashable, Sendable {
        /// A state of discovery.
        public enum State: String, OpenChoice {
            /// Discovery has just started.
            case starting
            /// Others can see this node, under its first name or under another one.
            case announcing, renamed
            /// Nothing is announced on the network.
            case quiet
            /// The system bus does not answer, or no Avahi daemon is on it.
            case noBus, noDaemon
            /// No network interface can be used.
            case noInterface
            /// The daemon refused.
            case failed
            /// Discovery was stopped.
            case stopped
            /// A state that a newer node added.
            case unknown
        }

        /// The state.
        public var state: State
        /// The state as a sentence.
        public var detail: ShownSentence

        /// Creates the value.
        public init(state: State, detail: Sentence) {
            self.state = state
            self.detail = ShownSentence(detail)
        }
    }

    /// The result of a comparison of batches with peers.
    public struct Audit: Codable, Hashable, Sendable {
        /// The time at which the comparison ended.
        public var atMs: Timestamp
        /// Whether everything was equal and nothing stays damaged.
        public var content: Bool
        /// The number of batches whose hashes were compared.
        public var audited: Count
        /// The number of batches that were damaged on this disk.
        public var damaged: Count
        /// The number of damaged batches that were fetched again.
        public var mended: Count
        /// Advice about the batches that are still damaged.
        public var advice: ShownSentence?

        /// Creates the value.
        public init(
            atMs: Timestamp, content: Bool, audited: Int, damaged: Int, mended: Int,
            advice: Sentence?
        ) {
            self.atMs = atMs
            self.content = content
            self.audited = Count(clamping: audited)
            self.damaged = Count(clamping: damaged)
            self.mended = Count(clamping: mended)
            self.advice = advice.map(ShownSentence.init(_:))
        }
    }

    /// A sentence about this device or a peer's device that its person should read.
    public struct Notice: Codable, Hashable, Sendable {
        /// The cause of a notice.
        public enum Kind: String, OpenChoice {
            /// This device continues under a new key.
            case newDevice
            /// A peer held batches of this device that were missing here, and they were stored.
            case adopted
            /// A device signed two batches with one number.
            case forked
            /// A device is in use on two hosts at once.
            case clone
            /// A stored batch was damaged.
            case damaged
            /// A limit of what is stored is reached.
            case full
            /// Something came back by recovery words.
            case recovered
            /// This device was removed by another one of its person.
            case removed
            /// A device was added to this person.
            case added
            /// A cause that a newer node added.
            case unknown
        }

        /// The cause.
        public var kind: Kind
        /// The sentence.
        public var text: ShownSentence
        /// The time at which the cause arose.
        public var atMs: Timestamp

        /// Creates the value.
        public init(kind: Kind, text: Sentence, atMs: Timestamp) {
            self.kind = kind
            self.text = ShownSentence(text)
            self.atMs = atMs
        }
    }

    /// A link with another device.
    public struct Link: Codable, Hashable, Sendable {
        /// The direction in which the link was dialled.
        public enum Direction: String, Choice { case `in`, out }

        /// The device at the other end.
        public var device: Key
        /// The person of that device.
        public var person: Key
        /// The address at the other end.
        public var address: NetworkAddress.Shown?
        /// `out` if this device dialled.
        public var direction: Direction
        /// The time since which the link is open.
        public var sinceMs: Timestamp
        /// Whether the person is a mate.
        public var mate: Bool
        /// The other device's clock minus this one's, in milliseconds.
        public var clockOffsetMs: TimeDifference
        /// The number of bytes sent over the link.
        public var sentBytes: Count

        /// Creates the value.
        public init(
            device: Key, person: Key, address: String?, direction: Direction, sinceMs: Timestamp,
            mate: Bool, clockOffsetMs: Int, sentBytes: Int
        ) {
            self.device = device
            self.person = person
            self.address = address.map(NetworkAddress.Shown.init(clipping:))
            self.direction = direction
            self.sinceMs = sinceMs
            self.mate = mate
            self.clockOffsetMs = TimeDifference(clamping: clockOffsetMs)
            self.sentBytes = Count(clamping: sentBytes)
        }
    }

    /// A space on this device.
    public struct Space: Codable, Hashable, Sendable {
        /// The people of a space.
        public enum Kind: String, OpenChoice {
            /// One person's devices.
            case own = "self"
            /// One person's devices, and the people who read that person's profile.
            case card
            /// Two people.
            case pair
            /// The members of a group.
            case group
            /// Every reachable person.
            case open
            /// A kind that a newer node added.
            case unknown
        }

        /// The space's id.
        public var id: Key
        /// The space's kind.
        public var kind: Kind
        /// The other person of a pair, or the owner of a card.
        public var withPerson: Key?
        /// The digest of the batches that count, in hexadecimal digits.
        public var digest: DigestDigits
        /// The number of stored batches.
        public var batches: Count
        /// The number of batches dated ahead of the clock, which wait until they are due.
        public var held: Count
        /// The time at which the first of them is due.
        public var nextDueMs: Timestamp?
        /// The number of batches that count for nothing.
        public var void: Count
        /// The number of batches that wait for those they build on.
        public var waiting: Count
        /// The number of batches that are known and not on this device.
        public var missing: Count
        /// The devices that signed two batches with one number.
        public var forkedDevices: [Key]

        /// Creates the value.
        public init(
            id: Key, kind: Kind, withPerson: Key?, digest: DigestDigits, batches: Int, held: Int,
            nextDueMs: Timestamp?, void: Int, waiting: Int, missing: Int, forkedDevices: [Key]
        ) {
            self.id = id
            self.kind = kind
            self.withPerson = withPerson
            self.digest = digest
            self.batches = Count(clamping: batches)
            self.held = Count(clamping: held)
            self.nextDueMs = nextDueMs
            self.void = Count(clamping: void)
            self.waiting = Count(clamping: waiting)
            self.missing = Count(clamping: missing)
            self.forkedDevices = forkedDevices
        }
    }

    /// A present or past member of a group.
    public struct Member: Codable, Hashable, Sendable {
        /// The role of a member: reading, also writing, or also inviting and removing.
        public enum Role: String, OpenChoice { case reader, writer, owner, unknown }
        /// The state of a member.
        public enum State: String, OpenChoice { case invited, member, left, removed, unknown }

        /// The group's id.
        public var group: Key
        /// The member's key.
        public var person: Key
        /// The member's role.
        public var role: Role
        /// The member's state.
        public var state: State

        /// Creates the value.
        public init(group: Key, person: Key, role: Role, state: State) {
            self.group = group
            self.person = person
            self.role = role
            self.state = state
        }
    }
}
