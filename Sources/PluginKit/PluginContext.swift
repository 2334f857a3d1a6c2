/// Everything that a plugin may use. These services refuse what its manifest does not declare.
public struct PluginContext: Sendable {
    /// The person whose node this is.
    public let me: PersonID
    /// The device this node runs on.
    public let device: DeviceID
    /// The keys under which this device wrote before it changed to its present one.
    public let formerDevices: Set<DeviceID>
    /// Reads the plugin's own tables and authors records.
    public let replica: any ReplicaAccess
    /// Photos and other content that records name.
    public let blobs: any BlobAccess
    /// Reads pictures that this person chose.
    public let photos: any PhotoAccess
    /// Files that this person names.
    public let files: any FileAccess
    /// Messages that are not stored.
    public let topics: any TopicAccess
    /// Publishes events to every program that follows the node.
    public let events: any EventPublisher
    /// The services of the core features.
    public let core: any CoreServices
    /// People nearby, and the announcements to them.
    public let nearby: any NearbyAccess
    /// Spaces of several people.
    public let groups: any GroupAccess
    /// The neighbourhoods that this person joined.
    public let neighbourhoods: any NeighbourhoodAccess
    /// The notices of the desktop.
    public let desktop: any DesktopAccess
    /// The location of this device.
    public let location: any LocationAccess
    /// The plugin's journal on this device.
    public let journal: any JournalAccess
    /// Measured distances and directions of linked devices.
    public let ranging: any RangingAccess
    /// Statements that prove their author to everyone.
    public let statements: any StatementAccess
    /// The node's clocks; use no others.
    public let clock: any NodeClock
    /// Unpredictable bytes; in a simulation they depend on a seed.
    public let random: any RandomSource
    /// A logger that names the plugin.
    public let logger: Logger

    /// Creates a context from a plugin's services.
    public init(
        me: PersonID, device: DeviceID, formerDevices: Set<DeviceID>,
        replica: any ReplicaAccess, blobs: any BlobAccess, photos: any PhotoAccess,
        files: any FileAccess, topics: any TopicAccess, events: any EventPublisher,
        core: any CoreServices, nearby: any NearbyAccess, groups: any GroupAccess,
        neighbourhoods: any NeighbourhoodAccess, desktop: any DesktopAccess,
        location: any LocationAccess, journal: any JournalAccess, ranging: any RangingAccess,
        statements: any StatementAccess, clock: any NodeClock,
        random: any RandomSource, logger: Logger
    ) {
        self.me = me
        self.device = device
        self.formerDevices = formerDevices
        self.replica = replica
        self.blobs = blobs
        self.photos = photos
        self.files = files
        self.topics = topics
        self.events = events
        self.core = core
        self.nearby = nearby
        self.groups = groups
        self.neighbourhoods = neighbourhoods
        self.desktop = desktop
        self.location = location
        self.journal = journal
        self.ranging = ranging
        self.statements = statements
        self.clock = clock
        self.random = random
        self.logger = logger
    }
}

/// Reads one's own tables and the core's views, and authors records in one's own collections.
///
/// ```swift
/// let ids = try await context.replica.author(
///     [
///         .create(
///             collection: Self.waves.name, nonce: context.random.nonce(),
///             fields: [
///                 "greeting": .text(greeting),
///                 "at_ms": .integer(context.clock.wallTime.milliseconds),
///             ])
///     ], in: .between(context.me, person))
/// let rows = try await context.replica.rows(
///     "SELECT * FROM wave_waves ORDER BY at_ms DESC LIMIT ?", [.integer(Self.listedCountMax)])
/// ```
public protocol ReplicaAccess: Sendable {
    /// Checks that this device may write now. A device that waits for its person's data, because
    /// the person came back or a backup was restored, does not run plugins, and authors nothing.
    /// - Throws: ``CommandFault/refused(_:)`` with the reason, as ``author(_:in:)`` does.
    func requireWritable() async throws
    /// Opens a space on this device; opening it again changes nothing.
    func open(_ space: SpaceDescriptor) async throws
    /// Authors one batch; it is on the disk when this returns.
    /// - Returns: the ids of created entities, in the order of their `create` edits.
    /// - Throws: ``CommandFault`` if an edit breaks a declared limit or rule.
    @discardableResult
    func author(_ edits: [Edit], in space: SpaceDescriptor) async throws -> [EntityID]
    /// Returns the rows of a read-only query.
    func rows(_ sql: String, _ arguments: [Value]) async throws -> [Row]
}

extension ReplicaAccess {
    /// Returns the rows of a read-only query without arguments.
    public func rows(_ sql: String) async throws -> [Row] { try await rows(sql, []) }
}

/// Messages that are never stored, on declared topics.
///
/// ```swift
/// try await context.topics.sendEphemeral(
///     Self.topic, message.encoded, to: .between(context.me, person), expiry: Self.expiry)
/// ```
///
/// A direct message is received only while the receiver holds its topic open:
///
/// ```swift
/// await context.topics.setDirect(Self.topic, isOpen: true)
/// try await context.topics.sendDirect(Self.topic, message.encoded, to: device)
/// ```
public protocol TopicAccess: Sendable {
    /// Sends to every linked member of a space, or only to those of them who are named. It is no
    /// fault if none is linked. A person who is invited to a group and has not accepted counts as a
    /// member here. The `expiry` travels with the message and is at least a millisecond; a message
    /// that is queued for a link is sent however late.
    func sendEphemeral(
        _ topic: String, _ body: [UInt8], to space: SpaceDescriptor, only people: Set<PersonID>?,
        expiry: Duration) async throws
    /// Sends to one linked device, mate or stranger.
    /// - Throws: ``CommandFault/notFound(_:)`` if no such device is linked.
    func sendDirect(_ topic: String, _ body: [UInt8], to device: DeviceID) async throws
    /// Opens a topic for direct messages, or closes it. All topics start closed.
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

/// Publishes events to the programs that follow the node: the window, `waggle watch` or any other.
public protocol EventPublisher: Sendable {
    /// Publishes an event that the manifest declares.
    func publish(_ message: EventMessage) async
}

extension EventPublisher {
    /// Publishes an event that the manifest declares.
    public func publish<Body>(_ event: Event<Body>, _ body: Body) async {
        await publish(EventMessage(event, body))
    }

    /// Publishes the events after one change, each once; see ``EventMessage/merged(_:)``.
    public func publish(_ messages: some Sequence<EventMessage> & Sendable) async {
        for message in EventMessage.merged(messages) { await publish(message) }
    }
}

/// The node's clocks. Code in plugins uses no other, so that a simulation can drive it.
public protocol NodeClock: Sendable {
    /// The time, corrected by the median clock offset of linked mates.
    var wallTime: Timestamp { get }
    /// The time since an arbitrary start; it never jumps.
    var uptime: Duration { get }
    /// Waits for a duration.
    /// - Throws: `CancellationError`.
    func sleep(for duration: Duration) async throws
}

/// A source of unpredictable bytes.
public protocol RandomSource: Sendable {
    /// Returns fresh random bytes.
    func bytes(_ count: Int) -> [UInt8]
}

extension RandomSource {
    /// Returns sixteen fresh random bytes.
    public func nonce() -> Bytes16 {
        guard let nonce = Bytes16(bytes(16)) else { preconditionFailure("16 bytes were asked") }
        return nonce
    }
}
