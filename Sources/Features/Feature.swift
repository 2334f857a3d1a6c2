internal import PluginKit

/// One of the core's features. It declares its records, views and commands as a plugin does, owns
/// its state, and receives events from ``CoreFeatures``.
///
/// A feature uses others as any plugin would, through `context.core` and the shared views, or
/// through a small protocol that it receives when it is created, such as ``CardKeeper``.
protocol Feature: Sendable {
    /// The records, views, topics and services of the feature.
    static var manifest: Manifest { get }
    /// The commands of the feature.
    static var commands: [CommandHandler] { get }
    /// Completes the work that a crash interrupted. Doing it again changes nothing.
    func start() async throws
    /// Does the work that is due by the clocks.
    func tick() async throws
    /// Returns the time until work is due by the clocks, or nil if none will be.
    func untilDue() async -> Duration?
    /// Follows changed records of the feature.
    func applied(_ changes: [RecordChange]) async throws
    /// Returns the events that tell followers what to query again after changed records of the
    /// feature.
    func events(after changes: [RecordChange]) async throws -> [EventMessage]
    /// Receives a message on one of the feature's topics.
    func received(_ message: TopicMessage) async throws
    /// Follows a device that was linked or lost.
    func linkChanged(_ peer: Peer, isUp: Bool) async throws
    /// Follows a peer's device that has more of a space on its disk.
    func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws
    /// Follows a peer's device that shares a space on its link from now on.
    func shared(_ space: SpaceDescriptor, with peer: Peer) async throws
    /// Follows a group whose members changed.
    func membersChanged(in group: SpaceDescriptor) async throws
    /// Follows content that was not here and has arrived.
    func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws
    /// Follows the people nearby, who came or went or announce something else.
    func nearbyChanged() async throws
    /// Returns the appointments to come.
    func appointments() async throws -> [CalendarEvent]
}

extension Feature {
    func start() async throws {}
    func tick() async throws {}
    func untilDue() async -> Duration? { nil }
    func applied(_ changes: [RecordChange]) async throws {}
    func events(after changes: [RecordChange]) async throws -> [EventMessage] { [] }
    func received(_ message: TopicMessage) async throws {}
    func linkChanged(_ peer: Peer, isUp: Bool) async throws {}
    func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws {}
    func shared(_ space: SpaceDescriptor, with peer: Peer) async throws {}
    func membersChanged(in group: SpaceDescriptor) async throws {}
    func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws {}
    func nearbyChanged() async throws {}
    func appointments() async throws -> [CalendarEvent] { [] }

    /// The names of the feature's collections.
    static var collectionNames: Set<String> { Set(manifest.collections.map(\.name)) }
}
