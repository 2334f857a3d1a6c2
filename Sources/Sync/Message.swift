public import Identity
public import Records

/// The messages between two linked devices. Each message is one frame; docs/protocol.md has the
/// bytes.
public enum Message: Hashable, Sendable {
    /// The first message of each side.
    case hello(Hello)
    /// The spaces that the sender shares with the receiver, each with the digest of its logs.
    case have(Have)
    /// The range of each log of a space that the sender holds.
    case vector(Vector)
    /// Batches of one log.
    case push(Push)
    /// The range of each log of a space that is on the sender's disk now.
    case acknowledge(Vector)
    /// The channel names no space that the sender shares with the receiver.
    case none(channel: UInt64)
    /// The records of people whose devices write in a space that both share.
    case identity([ClaimedPersonRecord])
    /// A message to the members of a space that is never stored.
    case ephemeral(Ephemeral)
    /// A message to this device alone that is never stored.
    case direct(Direct)
    /// Requests an answer with the peer's clock.
    case ping(nonce: UInt64)
    /// The answer to a ping: its nonce and the wall clock.
    case pong(nonce: UInt64, wallTime: Timestamp)
    /// Requests that the peer dials the sender's listening port, at the address that the peer sees.
    case dialBack(nonce: UInt64, port: UInt16)
    /// The result of dialling back.
    case dialResult(nonce: UInt64, DialResult)
    /// The hash of a range of a log, used to find damage.
    case audit(Audit)
    /// The reason for ending the link.
    case bye(ByeReason)
    /// The sender's announcement on the LAN, for a peer that has not seen it and supports version 1
    /// only.
    case presence(Presence)
    /// The same for a peer that supports version 2: all fields.
    case announced(AnnouncedFields)
    /// Asks for the person of a recovery key.
    case recoveryQuestion(RecoveryQuestion)
    /// The person's record; nil if the sender shares nothing with that person or knows no such
    /// person.
    case recoveryAnswer(ClaimedPersonRecord?)
    /// Asks for the spaces that the receiver shares with the sender's person, in the order of their
    /// ids: those after an id, or the first ones.
    case askSpaces(after: SpaceID)
    /// The answer: some of these spaces.
    case spaces(SpacePage)
    /// Asks whether the receiver shows a joining code, and proves that the sender knows it.
    case joinQuestion(JoinQuestion)
    /// The proof of the device that shows the code, and its person; nil if the sender shows no such
    /// code to the receiver, whatever the reason is.
    case joinAnswer(JoinAnswer?)
    /// The new device's consent to belong to that person.
    case joinConsent(JoinConsent)
    /// The person's record, which lists the new device; nil if there is no room for it.
    case joined(ClaimedPersonRecord?)
    /// Asks for a piece of a blob's content.
    case want(ContentRequest)
    /// A piece of a blob's content.
    case piece(ContentPiece)
    /// The answer if the sender has no such piece for the receiver, whatever the reason is.
    case lacking(ContentRequest)
    /// Logs of an open space that the sender has.
    case offer(Offer)
    /// Asks for a page of the offer of an open space, or for a piece of one of its logs.
    case ask(OpenQuestion)
    /// A piece of a log of an open space.
    case passed(Passed)
    /// The answer if the sender has no such batches.
    case notPassed(NotPassed)
    /// Asks for content of an open space.
    case seek(Seek)
    /// Says that the sender has content for which the receiver asked.
    case found(Found)
}

extension Message {
    /// The lowest protocol version that has this message.
    public var versionMin: UInt8 {
        switch self {
        case .joinQuestion, .joinAnswer, .joinConsent, .joined: Hello.joiningVersion
        case .want, .piece, .lacking: Hello.contentVersion
        case .offer, .ask, .passed, .notPassed: Hello.openVersion
        case .seek, .found: Hello.seekingVersion
        case .recoveryQuestion, .recoveryAnswer, .askSpaces, .spaces: 3
        case .announced: 2
        default: 1
        }
    }
}

/// Some of the pairs and groups that two people share, in the order of their ids.
public struct SpacePage: Hashable, Sendable {
    /// The spaces; pairs and groups only, at most ``Limits/pageSpacesMax``.
    public var spaces: [SpaceDescriptor]
    /// Whether there are further ones after the last of these.
    public var hasMore: Bool

    /// Returns the page after an id.
    /// - Parameter shared: all spaces; those that are neither pairs nor groups are left out.
    public init(of shared: [SpaceDescriptor], after id: SpaceID) {
        let rest = shared.filter { $0.isRegained && id < $0.id }.sorted { $0.id < $1.id }
        spaces = Array(rest.prefix(Limits.pageSpacesMax))
        hasMore = rest.count > spaces.count
    }
}

extension SpaceDescriptor {
    /// Whether a device that comes back learns this space from others. It knows its own spaces, and
    /// it learns the cards of mates from the pairs.
    var isRegained: Bool { kind == .pair || kind == .group }
}

/// The first message of each side.
public struct Hello: Hashable, Sendable {
    /// The lowest and highest protocol versions that the sender supports.
    public var versions: ClosedRange<UInt8>
    /// A random value, new at each start of the node.
    public var bootID: Bytes16
    /// The number of starts of the node; the higher number is the newer start.
    public var startCount: UInt64
    /// A random value that changes if the replica may have lost batches that it acknowledged.
    public var replicaEpoch: Bytes16
    /// A random value, new for each link. It keys the tokens of spaces.
    public var nonce: Bytes16
    /// The sender's wall clock.
    public var wallTime: Timestamp
    /// The TCP port on which the node listens.
    public var port: UInt16
    /// The longest frame that the sender accepts, in bytes.
    public var frameBytesMax: UInt64
    /// The record of the device's person, with the entries that list the device. It is not checked.
    public var person: ClaimedPersonRecord

    /// The lowest and highest supported versions: each adds messages, by ``Message/versionMin``.
    public static let spoken: ClosedRange<UInt8> = 1...7

    /// The version from which on content of blobs is exchanged.
    public static let contentVersion: UInt8 = 4
    /// The version from which on a new device can join by a code.
    public static let joiningVersion: UInt8 = 5
    /// The version from which on open spaces are exchanged.
    public static let openVersion: UInt8 = 6
    /// The version from which on content of open spaces is looked for.
    public static let seekingVersion: UInt8 = 7

    /// The highest version that both this node and the peer support, or nil.
    public var commonVersion: UInt8? {
        versions.overlaps(Self.spoken)
            ? min(versions.upperBound, Self.spoken.upperBound) : nil
    }

    /// Creates a message from its fields.
    public init(
        versions: ClosedRange<UInt8> = Hello.spoken, bootID: Bytes16,
        startCount: UInt64, replicaEpoch: Bytes16, nonce: Bytes16, wallTime: Timestamp,
        port: UInt16, frameBytesMax: UInt64 = UInt64(Limits.frameBytesMax),
        person: ClaimedPersonRecord
    ) {
        self.versions = versions
        self.bootID = bootID
        self.startCount = startCount
        self.replicaEpoch = replicaEpoch
        self.nonce = nonce
        self.wallTime = wallTime
        self.port = port
        self.frameBytesMax = frameBytesMax
        self.person = person
    }
}

/// Spaces by their tokens. The n-th token that a side sends on a link has the channel number n,
/// counted from 0; a repeated token keeps its number.
public struct Have: Hashable, Sendable {
    /// Whether the message announces, asks or answers.
    public var round: Round
    /// The spaces, in the order that assigns channel numbers.
    public var entries: [Entry]

    /// The role of a HAVE message.
    public enum Round: UInt8, Hashable, Sendable {
        /// Announces newly shared spaces; no answer is expected.
        case announcement = 0
        /// Asks the peer for its digests.
        case question = 1
        /// Answers a question.
        case answer = 2
    }

    /// A space's token and the digest of its logs: 24 bytes.
    public struct Entry: Hashable, Sendable {
        /// The space's token on this link.
        public var token: Token
        /// The digest of the logs that the sender holds.
        public var digest: Bytes16
    }
}

/// The ranges of a space's logs that the sender holds.
public struct Vector: Hashable, Sendable {
    /// The sender's channel number of the space.
    public var channel: UInt64
    /// The logs, in ascending order of their names.
    public var logs: [Reach]

    /// One log's range: the sender holds the batches `low` to `high`, and `prefix` begins the hash
    /// of `high`.
    public struct Reach: Hashable, Sendable {
        /// The log.
        public var log: LogName
        /// The number of the first batch.
        public var low: UInt64
        /// The number of the last batch.
        public var high: UInt64
        /// The first eight bytes of the last header's hash.
        public var prefix: UInt64
    }
}

/// Batches of one log of a space.
public struct Push: Hashable, Sendable {
    /// The sender's channel number of the space.
    public var channel: UInt64
    /// The batches.
    public var run: Run

    /// Creates a message from a channel number and a run.
    public init(channel: UInt64, run: Run) {
        self.channel = channel
        self.run = run
    }
}

/// A message to a space's members.
public struct Ephemeral: Hashable, Sendable {
    /// The sender's channel number of the space.
    public var channel: UInt64
    /// The topic, which the sender's and receiver's plugin agree on.
    public var topic: String
    /// A number that rises with each message of a link, so that a repeated message is recognised.
    public var counter: UInt64
    /// The time after which the message is worthless, in whole milliseconds.
    public var expiry: Duration
    /// The content.
    public var body: [UInt8]
}

/// A message to one device.
public struct Direct: Hashable, Sendable {
    /// The topic, which the sender's and receiver's plugin agree on.
    public var topic: String
    /// A number that rises with each message of a link.
    public var counter: UInt64
    /// The content.
    public var body: [UInt8]

    /// Creates a message from its fields.
    public init(topic: String, counter: UInt64, body: [UInt8]) {
        self.topic = topic
        self.counter = counter
        self.body = body
    }
}

/// The result of dialling back.
public enum DialResult: UInt8, Hashable, Sendable {
    /// The connection was opened.
    case reached = 0
    /// The connection was refused.
    case refused = 1
    /// No answer arrived in time.
    case timedOut = 2
    /// The peer did not dial.
    case notTried = 3
}

/// A range of a log and the hash over its headers' hashes.
public struct Audit: Hashable, Sendable {
    /// The sender's channel number of the space.
    public var channel: UInt64
    /// The log.
    public var log: LogName
    /// The number of the first batch of the range.
    public var from: UInt64
    /// The number of the last batch of the range.
    public var through: UInt64
    /// The hash over the headers' hashes.
    public var hash: Bytes32
}

/// The announcement of a node about its person, the same for every receiver.
public struct Presence: Hashable, Sendable {
    /// Whether a drop can be started now.
    public var dropOpen: Bool
    /// Whether the person is looking for company.
    public var seeking: Bool
    /// The nickname if the person is visible to everyone, otherwise empty.
    public var nickname: String
    /// The dog's name if the person is visible to everyone, otherwise empty.
    public var dogName: String

    /// Creates an announcement, which is empty by default.
    public init(
        dropOpen: Bool = false, seeking: Bool = false, nickname: String = "", dogName: String = ""
    ) {
        self.dropOpen = dropOpen
        self.seeking = seeking
        self.nickname = nickname
        self.dogName = dogName
    }
}

/// The reason for ending a link.
public enum ByeReason: UInt8, Hashable, Sendable {
    /// The node stops.
    case leaving = 0
    /// Another link to the same device replaces this one.
    case replaced = 1
    /// The nodes have no protocol version in common.
    case version = 2
    /// The peer violated the protocol.
    case fault = 3
    /// The node has too many links.
    case tooMany = 4
}
