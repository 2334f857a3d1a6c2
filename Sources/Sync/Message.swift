public import Identity
public import Records

/// What two linked devices say to each other; each is one frame. docs/protocol.md has the bytes.
public enum Message: Hashable, Sendable {
    case hello(Hello)
    /// Which spaces I share with you, each with the digest of its logs.
    case have(Have)
    /// How far each log of a space reaches here.
    case vector(Vector)
    /// Batches of one log.
    case push(Push)
    /// What of a space is on my disk now.
    case acknowledge(Vector)
    /// The channel names nothing that I share with you.
    case none(channel: UInt64)
    /// Persons whose devices write in a space we share.
    case identity([PersonRecord])
    /// A message to the members of a space that is never stored.
    case ephemeral(Ephemeral)
    /// A message to this device alone that is never stored.
    case direct(Direct)
    /// Asks for an answer with the clock.
    case ping(nonce: UInt64)
    /// The answer: the nonce and the wall clock in milliseconds since 1970.
    case pong(nonce: UInt64, wallMilliseconds: Int64)
    /// Asks the peer to dial my listening port at the address it sees of me.
    case dialBack(nonce: UInt64, port: UInt16)
    /// What came of it.
    case dialResult(nonce: UInt64, DialResult)
    /// The hash of a range of a log, to find damage.
    case audit(Audit)
    /// Why the link ends.
    case bye(ByeReason)
    /// What this node announces on the LAN, for a peer that has not seen the announcement.
    case presence(Presence)
}

/// The first message of each side.
public struct Hello: Hashable, Sendable {
    /// The lowest and highest protocol versions spoken.
    public var versions: ClosedRange<UInt8>
    /// Random, new at each start of the node.
    public var bootID: Bytes16
    /// How often the node was started; the higher boot is the newer.
    public var startCount: UInt64
    /// Changes when the replica may have lost batches it once acknowledged.
    public var replicaEpoch: Bytes16
    /// Random, new for each link; keys the tokens of spaces.
    public var nonce: Bytes16
    /// Milliseconds since 1970.
    public var wallMilliseconds: Int64
    /// Where the node listens.
    public var port: UInt16
    /// The longest frame taken.
    public var frameBytesMax: UInt64
    /// Whose device this is, with the entries that say so.
    public var person: PersonRecord

    /// The version spoken here.
    public static let version: UInt8 = 1

    /// Joins the parts.
    public init(
        versions: ClosedRange<UInt8> = Hello.version...Hello.version, bootID: Bytes16,
        startCount: UInt64, replicaEpoch: Bytes16, nonce: Bytes16, wallMilliseconds: Int64,
        port: UInt16, frameBytesMax: UInt64 = UInt64(Limits.frameBytesMax), person: PersonRecord
    ) {
        self.versions = versions
        self.bootID = bootID
        self.startCount = startCount
        self.replicaEpoch = replicaEpoch
        self.nonce = nonce
        self.wallMilliseconds = wallMilliseconds
        self.port = port
        self.frameBytesMax = frameBytesMax
        self.person = person
    }
}

/// Spaces by keyed tokens. The n-th token that a side names on a link is its channel n, from 0;
/// naming it again keeps the number.
public struct Have: Hashable, Sendable {
    /// Whether this wants, or is, an answer.
    public var round: Round
    public var entries: [Entry]

    /// What a HAVE is part of.
    public enum Round: UInt8, Hashable, Sendable {
        case announcement = 0
        case question = 1
        case answer = 2
    }

    /// A space and what of it is here: 24 bytes.
    public struct Entry: Hashable, Sendable {
        public var token: Token
        public var digest: Bytes16
    }
}

/// How far logs reach.
public struct Vector: Hashable, Sendable {
    /// The sender's channel of the space.
    public var channel: UInt64
    public var logs: [Reach]

    /// One log: batches `low` to `high` are here, and `prefix` begins the hash of `high`.
    public struct Reach: Hashable, Sendable {
        public var log: LogName
        public var low: UInt64
        public var high: UInt64
        /// The first eight bytes of the header's hash.
        public var prefix: UInt64
    }
}

/// Batches of one log of a space.
public struct Push: Hashable, Sendable {
    /// The sender's channel of the space.
    public var channel: UInt64
    public var run: Run

    /// Joins a channel and a run.
    public init(channel: UInt64, run: Run) {
        self.channel = channel
        self.run = run
    }
}

/// A message to a space's members.
public struct Ephemeral: Hashable, Sendable {
    /// The sender's channel of the space.
    public var channel: UInt64
    public var topic: String
    /// Rises with each message of a link, so that a repeated one is known.
    public var counter: UInt64
    /// How long the message is worth anything, in milliseconds.
    public var expiryMilliseconds: UInt64
    public var body: [UInt8]
}

/// A message to one device.
public struct Direct: Hashable, Sendable {
    public var topic: String
    /// Rises with each message of a link.
    public var counter: UInt64
    public var body: [UInt8]

    /// Joins the parts.
    public init(topic: String, counter: UInt64, body: [UInt8]) {
        self.topic = topic
        self.counter = counter
        self.body = body
    }
}

/// What came of dialling back.
public enum DialResult: UInt8, Hashable, Sendable {
    case reached = 0
    case refused = 1
    case timedOut = 2
    case notTried = 3
}

/// A range of a log and the hash over its headers' hashes.
public struct Audit: Hashable, Sendable {
    public var channel: UInt64
    public var log: LogName
    public var from: UInt64
    public var through: UInt64
    public var hash: Bytes32
}

/// What a node announces of its person, to everyone alike.
public struct Presence: Hashable, Sendable {
    /// Whether a drop can be started now.
    public var dropOpen: Bool
    /// Whether the person looks for company.
    public var seeking: Bool
    /// The nickname while the person is visible to everyone, else empty.
    public var nickname: String
    /// The dog's name while the person is visible to everyone, else empty.
    public var dogName: String

    /// Joins the parts; nothing is announced by default.
    public init(
        dropOpen: Bool = false, seeking: Bool = false, nickname: String = "", dogName: String = ""
    ) {
        self.dropOpen = dropOpen
        self.seeking = seeking
        self.nickname = nickname
        self.dogName = dogName
    }
}

/// Why a link ends.
public enum ByeReason: UInt8, Hashable, Sendable {
    case leaving = 0
    case replaced = 1
    case version = 2
    case fault = 3
    case tooMany = 4
}
