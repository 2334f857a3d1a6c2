public import PluginKit

/// The chat: a room for each two mates, and one for each group that some plugin names.
///
/// What lasts is in the replica; this actor holds only what may be forgotten: who is linked, and
/// what came since the start, for those who follow.
public actor Chat: Plugin {
    let context: PluginContext

    /// Linked devices and whose they are.
    var linked: [DeviceID: PersonID] = [:]
    /// Messages that came since the start.
    var arrivals: Arrivals

    /// Makes the plugin with all it may touch.
    public init(context: PluginContext) {
        self.context = context
        arrivals = Arrivals(boot: context.random.nonce())
    }

    /// Tells of messages that came while the node was away, or that a crash left untold.
    public func run() async throws {
        try await context.replica.open(.own(context.me))
        try await settleInbox(of: try await rooms())
    }

    /// Notes what came, tells of it in the inbox, and tells which rooms are to be asked again.
    public func applied(_ changes: [RecordChange]) async throws {
        for change in changes where change.collection == Self.message.name {
            arrivals.note(change.entity, in: change.space)
        }
        // What I hid on another device may be what was unread in any room.
        guard !changes.contains(where: { $0.collection == Self.hidden.name }) else {
            await publish([])
            return try await settleInbox(of: try await rooms(), after: changes)
        }
        let spaces = Set(changes.map(\.space))
        await publish(spaces)
        try await settleInbox(of: try await rooms(in: spaces.map(\.id)), after: changes)
    }

    /// Notes who is here: what is on its way to them is sent.
    public func linkChanged(_ peer: Peer, isUp: Bool) async throws {
        linked[peer.device] = isUp ? peer.person : nil
        await publish([])
    }

    /// Tells that what was queued is delivered.
    public func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws {
        await publish([space])
    }

    /// Follows who is in a group: what is shown of it comes or goes with them.
    public func membersChanged(in group: SpaceDescriptor) async throws {
        await publish([group])
    }

    /// Tells followers that rooms are to be asked again; all, where none is named.
    func publish(_ spaces: Set<SpaceDescriptor>) async {
        guard !spaces.isEmpty else {
            return await context.events.publish(Self.topic, .object([:]))
        }
        for id in spaces.map(\.id).sorted() {
            await context.events.publish(Self.topic, ["room": .string(id.description)])
        }
    }
}
