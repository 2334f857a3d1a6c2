/// A feature: a manifest that is also its permission, and a few functions.
///
/// The host makes one instance per start and calls `applied`, `received` and `linkChanged` one at
/// a time, in order. A plugin that throws from `run` is started again with back-off.
public protocol Plugin: Sendable {
    /// The plugin's declarations, which are also its permissions.
    static var manifest: Manifest { get }
    /// The commands that people and programs may give it.
    static var commands: [CommandHandler] { get }

    /// Whether a device that announces these bytes in a field of this plugin has its switch on.
    /// Called for fields that are shown ``Manifest/AnnouncedField/Shown/whileSwitchedOn``.
    static func isSwitchedOn(_ bytes: [UInt8], for key: String) -> Bool

    /// The part of a practice mate in this plugin; nil if it leaves the plugin alone.
    static var practice: PracticePart? { get }

    /// Creates the plugin with everything it may use.
    init(context: PluginContext)

    /// Does work that lasts until the node ends; it may return at once.
    func run() async throws
    /// Processes changes of records in the plugin's collections, made by this device or another.
    func applied(_ changes: [RecordChange]) async throws
    /// Processes a message on one of the plugin's topics.
    func received(_ message: TopicMessage) async throws
    /// Called when a device was linked or its link was lost.
    func linkChanged(_ peer: Peer, isUp: Bool) async throws
    /// Called when a peer's device has stored more of a space than before: the queued edits are
    /// delivered.
    func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws
    /// Called when a peer's device and this one have both said, on a new link or later, that they
    /// share a space. Earlier messages to the space did not reach the device, so send again what
    /// its members should know now. Only for a plugin that declares ``Manifest/ephemeralTopics``.
    func shared(_ space: SpaceDescriptor, with peer: Peer) async throws
    /// Called when the members of a group changed. Other records of the group may count now, so
    /// read again what you show of it. Only for a plugin that declares ``Manifest/Service/groups``.
    func membersChanged(in group: SpaceDescriptor) async throws
    /// Called when this person joined or left a neighbourhood, on any device. Only for a plugin
    /// that declares ``Manifest/Service/neighbourhoods``.
    func neighbourhoodsChanged() async throws
    /// Called when content that ``BlobAccess/find(_:in:)`` did not find has arrived. Only for a
    /// plugin that declares a blob field for spaces of this kind.
    func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws
    /// Called when people nearby came or went, or announce something else; several changes may be
    /// reported once. Only for a plugin that declares ``Manifest/Service/nearby``.
    func nearbyChanged() async throws
    /// Called when this device's location changed or its source reports something new; a report
    /// that a later one overtook is left out. Only for a plugin that declares
    /// ``Manifest/Service/location``.
    func moved(_ whereabouts: Whereabouts) async throws
    /// Exchanges cards with someone nearby, as another plugin has asked for. Only for a plugin that
    /// declares ``Manifest/Service/meetings``.
    /// - Throws: ``CommandFault`` with the reason why that is not possible now.
    func meet(_ wish: MeetingWish) async throws
    /// Returns the appointments to come, for this person's calendar. Only for a plugin that
    /// declares ``Manifest/appointments``.
    func appointments() async throws -> [CalendarEvent]
    /// Called with the newest measurement of each device that was measured since the last call,
    /// while this plugin asks for measurements. Only for a plugin that declares
    /// ``Manifest/Service/ranging``.
    func ranged(_ measurements: [RangeMeasurement]) async throws
    /// Called when records that decide relations may have changed: agreements, mateships or
    /// blocks. Only for a plugin that declares the service of an ``AgreementPurpose``.
    func relationsChanged() async throws
    /// Called when this person muted or unmuted words, on any device. Texts that you showed may be
    /// hidden now, and the reverse; see ``ReplicaAccess/mutedWords()``.
    func mutedWordsChanged() async throws
}

extension Plugin {
    /// An empty list.
    public static var commands: [CommandHandler] { [] }
    /// Nil.
    public static var practice: PracticePart? { nil }
    /// Returns true: any bytes mean that the switch is on.
    public static func isSwitchedOn(_ bytes: [UInt8], for key: String) -> Bool { true }
    /// Returns at once.
    public func run() async throws {}
    /// Does nothing.
    public func applied(_ changes: [RecordChange]) async throws {}
    /// Does nothing.
    public func received(_ message: TopicMessage) async throws {}
    /// Does nothing.
    public func linkChanged(_ peer: Peer, isUp: Bool) async throws {}
    /// Does nothing.
    public func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws {}
    /// Does nothing.
    public func shared(_ space: SpaceDescriptor, with peer: Peer) async throws {}
    /// Does nothing.
    public func membersChanged(in group: SpaceDescriptor) async throws {}
    /// Does nothing.
    public func neighbourhoodsChanged() async throws {}
    /// Does nothing.
    public func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws {}
    /// Does nothing.
    public func nearbyChanged() async throws {}
    /// Does nothing.
    public func moved(_ whereabouts: Whereabouts) async throws {}
    /// Does nothing.
    public func meet(_ wish: MeetingWish) async throws {}
    /// Returns none.
    public func appointments() async throws -> [CalendarEvent] { [] }
    /// Does nothing.
    public func ranged(_ measurements: [RangeMeasurement]) async throws {}
    /// Does nothing.
    public func relationsChanged() async throws {}
    /// Does nothing.
    public func mutedWordsChanged() async throws {}
}

/// A command together with the function that performs it on a plugin's instance.
public struct CommandHandler: Sendable {
    /// The name, the request and the answer of the command.
    public let declaration: CommandDeclaration
    /// Performs the command. The instance is the plugin's own.
    public let perform: @Sendable (any Plugin, Arguments) async throws -> JSONValue

    /// Joins a declaration and the function that performs it.
    public init<Owner: Plugin>(
        _ declaration: CommandDeclaration, of owner: Owner.Type = Owner.self,
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

extension Plugin {
    /// Performs a command with a function of this plugin:
    ///
    ///     static let commands = [
    ///         handle(WaveCommands.send) { wave, request in try await wave.send(request) },
    ///         handle(WaveCommands.list) { wave, _ in try await wave.list() },
    ///     ]
    public static func handle<Request, Answer>(
        _ command: Command<Request, Answer>,
        by perform: @escaping @Sendable (Self, Request) async throws -> Answer
    ) -> CommandHandler {
        CommandHandler(command.declaration, of: Self.self) { plugin, arguments in
            JSONValue(
                encoding: try await perform(plugin, try arguments.request(as: Request.self)))
        }
    }
}

/// A person's device at the other end of a link, both proven.
public struct Peer: Hashable, Sendable {
    /// The device.
    public let device: DeviceID
    /// Its person.
    public let person: PersonID

    /// Creates a peer from a device and its person.
    public init(device: DeviceID, person: PersonID) {
        self.device = device
        self.person = person
    }
}

/// A message that is never stored.
public struct TopicMessage: Hashable, Sendable {
    /// The topic, which the manifest declares.
    public let topic: String
    /// The sender, proven by the link that the message came over.
    public let from: Peer
    /// The space that it was sent to, or nil for a direct message.
    public let space: SpaceDescriptor?
    /// The bytes, at most 16 KiB.
    public let body: [UInt8]

    /// Creates a message from its parts.
    public init(topic: String, from: Peer, space: SpaceDescriptor?, body: [UInt8]) {
        self.topic = topic
        self.from = from
        self.space = space
        self.body = body
    }
}
