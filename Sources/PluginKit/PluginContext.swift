/// All that a plugin may touch. What its manifest does not declare, these refuse.
public struct PluginContext: Sendable {
    /// The person whose node this is.
    public let me: PersonID
    /// The device this node runs on.
    public let device: DeviceID
    /// The keys under which this device wrote before it went on under a new one.
    public let formerDevices: Set<DeviceID>
    public let replica: any ReplicaAccess
    public let topics: any TopicAccess
    public let events: any EventPublisher
    public let core: any CoreServices
    public let nearby: any NearbyAccess
    public let groups: any GroupAccess
    public let location: any LocationAccess
    public let clock: any NodeClock
    /// Unpredictable bytes; seeded in a simulation.
    public let random: any RandomSource
    public let logger: Logger

    /// Joins the services of a plugin.
    public init(
        me: PersonID, device: DeviceID, formerDevices: Set<DeviceID>,
        replica: any ReplicaAccess, topics: any TopicAccess, events: any EventPublisher,
        core: any CoreServices, nearby: any NearbyAccess, groups: any GroupAccess,
        location: any LocationAccess, clock: any NodeClock, random: any RandomSource, logger: Logger
    ) {
        self.me = me
        self.device = device
        self.formerDevices = formerDevices
        self.replica = replica
        self.topics = topics
        self.events = events
        self.core = core
        self.nearby = nearby
        self.groups = groups
        self.location = location
        self.clock = clock
        self.random = random
        self.logger = logger
    }
}

/// Reads of one's own tables and the core's views, and authorship in one's own collections.
public protocol ReplicaAccess: Sendable {
    /// Opens a space on this device; opening it again changes nothing.
    func open(_ space: SpaceDescriptor) async throws
    /// Authors one batch; it is on the disk when this returns.
    /// - Returns: the ids of created entities, in the order of their `create` edits.
    /// - Throws: ``CommandFault`` where an edit breaks a declared limit or rule.
    @discardableResult
    func author(_ edits: [Edit], in space: SpaceDescriptor) async throws -> [EntityID]
    /// Rows of a read-only query.
    func rows(_ sql: String, _ arguments: [Value]) async throws -> [Row]
}

extension ReplicaAccess {
    /// Rows of a read-only query without arguments.
    public func rows(_ sql: String) async throws -> [Row] { try await rows(sql, []) }
}

/// Messages that are never stored, on declared topics.
public protocol TopicAccess: Sendable {
    /// Sends to every linked member of a space, or to those of them who are named; nobody linked
    /// is no fault. Who is invited to a group and has not accepted counts as a member here. The
    /// `expiry` goes with the message, at least a millisecond; what is queued for a link is sent
    /// however late.
    func sendEphemeral(
        _ topic: String, _ body: [UInt8], to space: SpaceDescriptor, only people: Set<PersonID>?,
        expiry: Duration) async throws
    /// Sends to one linked device, mate or stranger.
    /// - Throws: ``CommandFault/notFound(_:)`` where no such device is linked.
    func sendDirect(_ topic: String, _ body: [UInt8], to device: DeviceID) async throws
    /// Lets direct messages of a topic in until it is closed. All topics start closed.
    func setDirect(_ topic: String, isOpen: Bool) async
}

extension TopicAccess {
    /// Sends to every linked member of a space.
    public func sendEphemeral(
        _ topic: String, _ body: [UInt8], to space: SpaceDescriptor, expiry: Duration
    ) async throws {
        try await sendEphemeral(topic, body, to: space, only: nil, expiry: expiry)
    }
}

/// Events to whoever follows the node: the window, `waggle watch`, any program.
public protocol EventPublisher: Sendable {
    /// Publishes on a declared topic.
    func publish(_ topic: String, _ event: JSONValue) async
}

/// What the core feature set does for every plugin.
public protocol CoreServices: Sendable {
    /// The fields of my profile that a card carries: those I keep private are not in it.
    func myCard() async throws -> [String: JSONValue]
    /// The names of the profile's fields that I keep private.
    func keptPrivate() async throws -> [String]
    /// Writes my edge to a person whose card I accepted. The two are mates when both edges name
    /// the same meeting, 16 bytes that both sides know from having met.
    func proposeMate(_ person: PersonID, meeting: Bytes16, card: [String: JSONValue]) async throws
    /// Says that a meeting will not become a mateship: takes my edge back where it names this
    /// meeting, and tells the other side when it is next in reach. A mateship of another meeting
    /// stays as it is.
    func withdrawMate(_ person: PersonID, meeting: Bytes16) async throws
    /// What of a card that came from outside may be shown: known fields, cut to their limits.
    func checkedCard(_ card: [String: JSONValue]) async -> [String: JSONValue]
    /// How I stand with a person.
    func relation(to person: PersonID) async throws -> Relation
    /// What to call the people I know; where two share a name, both carry the end of their key.
    func names() async throws -> [PersonID: String]
    /// The person a command's parameter names: by the whole key, or by the first digits of a
    /// mate's.
    /// - Throws: ``CommandFault`` usage naming the field, conflict where several keys begin so, or
    ///   notFound.
    func person(_ text: String, field: String) async throws -> PersonID
    /// Puts something into the inbox, where it stays until handled; a notification shows it too.
    /// - Parameter reference: what makes a later item with the same one replace this.
    func postToInbox(_ item: InboxItem) async throws
    /// The references of one kind that were ever put into the inbox, and whether each was handled.
    func inboxReferences(ofKind kind: String) async throws -> [String: Bool]
    /// Marks the inbox item of this reference as handled.
    func settleInbox(reference: String) async throws
}

/// How I stand with a person.
public enum Relation: String, Hashable, Sendable {
    case stranger
    /// My edge stands and theirs is not here yet.
    case waiting
    case mate
    case blocked
}

/// Something a person should see, now or when they come back.
public struct InboxItem: Hashable, Sendable {
    /// The plugin's word for what this is, as in `walk`.
    public let kind: String
    /// The id of what it is about; one item per kind and reference.
    public let reference: String
    public let title: String
    public let body: String
    /// Verbs of the plugin's commands that answer it, as in `accept`.
    public let actions: [String]
    /// Whom it comes from; nil for nobody. It is not shown while I block them.
    public let person: PersonID?

    /// Names an item's parts.
    public init(
        kind: String, reference: String, title: String, body: String, actions: [String],
        from person: PersonID? = nil
    ) {
        self.kind = kind
        self.reference = reference
        self.title = title
        self.body = body
        self.actions = actions
        self.person = person
    }
}

/// Who is near, and what of me is announced to them.
public protocol NearbyAccess: Sendable {
    /// Those linked or sighted now; nobody blocked is among them.
    func people() async -> [NearbyPerson]
    /// Why nobody is seen, after 10 s without anyone: the first failing cause and its fix.
    func emptyReason() async -> (cause: String, fix: String)?
    /// Sets what is announced on the LAN.
    func announce(_ field: AnnouncedField) async
}

/// One thing announced on the LAN.
public enum AnnouncedField: Hashable, Sendable {
    /// A drop can be started with me now.
    case dropOpen(Bool)
    /// My names, shown to everyone; nil hides them.
    case names(nickname: String, dogName: String)
    case noNames
}

/// Somebody near. Every field that may be unknown is absent then, never zero.
public struct NearbyPerson: Hashable, Sendable {
    /// The linked device, or nil while only an announcement was seen.
    public let device: DeviceID?
    public let person: PersonID?
    /// As announced by the person while visible to everyone.
    public let nickname: String?
    public let dogName: String?
    public let dropOpen: Bool
    public let distanceMetres: Double?
    public let bearingDegrees: Double?
    /// When they were first seen in this visit, in milliseconds since 1970.
    public let sinceMilliseconds: Int64

    /// Names what is known.
    public init(
        device: DeviceID?, person: PersonID?, nickname: String?, dogName: String?, dropOpen: Bool,
        distanceMetres: Double? = nil, bearingDegrees: Double? = nil, sinceMilliseconds: Int64
    ) {
        self.device = device
        self.person = person
        self.nickname = nickname
        self.dogName = dogName
        self.dropOpen = dropOpen
        self.distanceMetres = distanceMetres
        self.bearingDegrees = bearingDegrees
        self.sinceMilliseconds = sinceMilliseconds
    }
}

/// The node's clocks. Code in plugins uses no other, so that a simulation can drive it.
public protocol NodeClock: Sendable {
    /// Milliseconds since 1970, corrected by the median offset of linked peers.
    var wallMilliseconds: Int64 { get }
    /// Time since an arbitrary start; it never jumps.
    var uptime: Duration { get }
    /// Waits.
    /// - Throws: `CancellationError`.
    func sleep(for duration: Duration) async throws
}

/// Unpredictable bytes.
public protocol RandomSource: Sendable {
    /// Fresh random bytes.
    func bytes(_ count: Int) -> [UInt8]
}

extension RandomSource {
    /// Sixteen fresh random bytes.
    public func nonce() -> Bytes16 {
        guard let nonce = Bytes16(bytes(16)) else { preconditionFailure("16 bytes were asked") }
        return nonce
    }
}

/// The plugin that answers for mates, profiles and the inbox; the host finds it by this.
public protocol CorePlugin: Plugin, CoreServices {
    /// A mate was given a role in a group: tells them of it, and what opens it on their device.
    func invited(_ person: PersonID, by notice: GroupNotice) async throws
    /// A person was removed from a group, which tells them nothing any more: tells them, where
    /// they are a mate.
    func removed(_ person: PersonID, from group: SpaceDescriptor) async throws
    /// What ends every mateship of mine, to be written when my edges are gone: so that no mate
    /// takes me for one who has not answered yet.
    func farewells() async throws -> [Farewell]
}

/// The last words to one mate.
public struct Farewell: Hashable, Sendable {
    /// The space of the two.
    public let space: SpaceDescriptor
    /// What is written there.
    public let edits: [Edit]

    /// Joins the two.
    public init(space: SpaceDescriptor, edits: [Edit]) {
        self.space = space
        self.edits = edits
    }
}
