/// A feature: a manifest that is also its permission, and a few functions.
///
/// The host makes one instance per start and calls `applied`, `received` and `linkChanged` one at
/// a time, in order. A plugin that throws from `run` is started again with back-off.
public protocol Plugin: Sendable {
    /// What the plugin declares and so may do.
    static var manifest: Manifest { get }
    /// The commands people and programs give it.
    static var commands: [Command] { get }

    /// Makes the plugin with all it may touch.
    init(context: PluginContext)

    /// Work that lasts as long as the node; returning at once is fine.
    func run() async throws
    /// Records of the plugin's collections changed, by this device or another.
    func applied(_ changes: [RecordChange]) async throws
    /// A message on one of the plugin's topics arrived.
    func received(_ message: TopicMessage) async throws
    /// A device was linked or lost.
    func linkChanged(_ peer: Peer, isUp: Bool) async throws
    /// A peer's device has more of a space on its disk than before: what was queued is delivered.
    func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws
    /// Who is in a group changed, and with it, perhaps, what of its records counts: read again
    /// what you show of it. Only for who declares ``Manifest/Service/groups``.
    func membersChanged(in group: SpaceDescriptor) async throws
    /// This device is somewhere else, or its source of places says something new; what a later
    /// report overtook is left out. Only for who declares ``Manifest/Service/location``.
    func moved(_ whereabouts: Whereabouts) async throws
}

extension Plugin {
    public static var commands: [Command] { [] }
    public func run() async throws {}
    public func applied(_ changes: [RecordChange]) async throws {}
    public func received(_ message: TopicMessage) async throws {}
    public func linkChanged(_ peer: Peer, isUp: Bool) async throws {}
    public func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws {}
    public func membersChanged(in group: SpaceDescriptor) async throws {}
    public func moved(_ whereabouts: Whereabouts) async throws {}
}

/// A command: its declaration and what it does with a plugin's instance.
public struct Command: Sendable {
    public let declaration: CommandDeclaration
    /// Does it. The instance is the plugin's own.
    public let perform: @Sendable (any Plugin, Arguments) async throws -> JSONValue

    /// Declares a command of one plugin.
    public init<Owner: Plugin>(
        _ declaration: CommandDeclaration,
        of owner: Owner.Type = Owner.self,
        perform: @escaping @Sendable (Owner, Arguments) async throws -> JSONValue
    ) {
        self.declaration = declaration
        self.perform = { plugin, arguments in
            guard let plugin = plugin as? Owner else {
                preconditionFailure("the host runs a command with the plugin that declares it")
            }
            return try await perform(plugin, arguments)
        }
    }
}

/// A person's device at the other end of a link, both proven.
public struct Peer: Hashable, Sendable {
    public let device: DeviceID
    public let person: PersonID

    /// Names a device and its person.
    public init(device: DeviceID, person: PersonID) {
        self.device = device
        self.person = person
    }
}

/// A message that is never stored.
public struct TopicMessage: Hashable, Sendable {
    public let topic: String
    /// Who sent it, proven by the link it came over.
    public let from: Peer
    /// The space it was sent to, or nil for a direct message.
    public let space: SpaceDescriptor?
    public let body: [UInt8]

    /// Names a message's parts.
    public init(topic: String, from: Peer, space: SpaceDescriptor?, body: [UInt8]) {
        self.topic = topic
        self.from = from
        self.space = space
        self.body = body
    }
}
