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
        for room in try await rooms() { try await settleInbox(of: room) }
    }

    /// Notes what came, tells of it in the inbox, and tells which rooms are to be asked again.
    public func applied(_ changes: [RecordChange]) async throws {
        for change in changes where change.collection == Self.message.name {
            arrivals.note(change.entity, in: change.space)
        }
        // What I hid on another device may be what was unread in any room.
        guard !changes.contains(where: { $0.collection == Self.hidden.name }) else {
            await publish([])
            return try await settleInbox(of: try await rooms(), changes)
        }
        let spaces = Set(changes.map(\.space))
        await publish(spaces)
        var changed: [Room] = []
        for space in spaces {
            if let room = try await room(space.id) { changed.append(room) }
        }
        try await settleInbox(of: changed, changes)
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

    // MARK: The inbox

    private func settleInbox(of rooms: [Room], _ changes: [RecordChange]) async throws {
        for room in rooms {
            let written = changes.filter {
                $0.space == room.descriptor && $0.collection == Self.message.name
                    && $0.author != context.me
            }
            try await settleInbox(of: room, isNews: try await isShown(written, in: room))
        }
    }

    /// Whether one of these is a message that is shown: a deleted one has changed too.
    private func isShown(_ changes: [RecordChange], in room: Room) async throws -> Bool {
        for change in changes
        where try await message(change.entity, in: room.descriptor) != nil { return true }
        return false
    }

    /// Puts a room with unread messages into the inbox, once, and takes one without out of it. The
    /// inbox says nothing of what was written, so that what its author deletes stands nowhere.
    /// - Parameter isNews: whether something came just now; what was dealt with there comes back
    ///   only then.
    func settleInbox(of room: Room, isNews: Bool = false) async throws {
        let reference = "chat-\(room.id)"
        let isHandled = try await context.core.inboxReferences(ofKind: Self.topic)[reference]
        guard room.unreadCount > 0 else {
            if isHandled == false { try await context.core.settleInbox(reference: reference) }
            return
        }
        guard isHandled == nil || isHandled == true && isNews else { return }
        try await context.core.postToInbox(
            InboxItem(
                kind: Self.topic, reference: reference, title: "New messages",
                body: "\(room.title): somebody wrote to you.", actions: []))
    }
}
