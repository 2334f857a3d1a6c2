internal import ChatAPI
public import PluginKit

/// The chat: a room for each pair of mates, and one for each group that a plugin names.
///
/// Permanent data is in the replica. This actor holds only data that may be lost: the linked
/// devices, the messages that arrived since the start, for followers, and the numbers of unread
/// messages.
public actor Chat: Plugin {
    let context: PluginContext

    /// The linked devices and their owners.
    var linked: [DeviceID: PersonID] = [:]
    /// Messages that came since the start.
    var arrivals: Arrivals
    /// The numbers of unread messages as they were counted last.
    var unread = UnreadCounts()

    /// Creates the plugin with everything it may use.
    public init(context: PluginContext) {
        self.context = context
        arrivals = Arrivals(boot: context.random.nonce())
    }

    /// Reports messages that arrived while the node was down, or that a crash left unreported.
    public func run() async throws {
        try await context.replica.open(.own(context.me))
        try await settleInbox(of: try await rooms())
    }

    /// Records new messages, reports them in the inbox, and publishes the rooms that have changed.
    public func applied(_ changes: [RecordChange]) async throws {
        for change in changes where change.collection == Self.message.name {
            arrivals.record(change.entity, in: change.space)
        }
        try await recount(after: changes)
        // A message that I hid on another device may have been the unread message of any room.
        guard !changes.contains(where: { $0.collection == Self.hidden.name }) else {
            await publish([])
            return try await settleInbox(of: try await rooms(), after: changes)
        }
        let spaces = Set(changes.map(\.space))
        await publish(spaces)
        try await settleInbox(of: try await rooms(in: spaces.map(\.id)), after: changes)
    }

    /// Records a device that was linked or lost: messages queued for it now count as sent.
    public func linkChanged(_ peer: Peer, isUp: Bool) async throws {
        linked[peer.device] = isUp ? peer.person : nil
        await publish([])
    }

    /// Publishes that a room has changed, because queued messages were delivered.
    public func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws {
        await publish([space])
    }

    /// Publishes that a group's room has changed: it is shown or hidden according to its members.
    public func membersChanged(in group: SpaceDescriptor) async throws {
        // Messages of a member who was removed may not be shown any more.
        unread.forget(group.id)
        await publish([group])
    }

    /// Publishes that rooms have changed; all of them if no space is given.
    func publish(_ spaces: Set<SpaceDescriptor>) async {
        let changes =
            spaces.isEmpty
            ? [ChatChange()] : spaces.map(\.id).sorted().map { ChatChange(room: Key($0)) }
        await context.events.publish(changes.map { EventMessage(ChatEvents.changed, $0) })
    }
}
