public import PluginKit

/// The core feature set: profiles, mates, walk requests, the inbox and places shown to mates.
///
/// It is a plugin like any other. What lasts is in the replica; this actor holds only what may be
/// forgotten: who is linked, where mates are, and until when I am visible to everyone.
public actor Neighbours: CorePlugin {
    let context: PluginContext

    /// Linked devices and whose they are.
    var linked: [DeviceID: PersonID] = [:]
    /// When a device of a person was last linked or lost, in milliseconds since 1970.
    var lastSeenMs: [PersonID: Int64] = [:]
    /// Where mates said they are; the last fix of each.
    var matePlaces: [PersonID: Fix] = [:]
    /// Until when, on the uptime clock, everyone sees my names; nil while only mates do.
    var visibleUntil: Duration? { didSet { alarm.ring() } }
    /// When open requests run out, so that an event tells of it.
    var walkDeadlines: [EntityID: Int64] = [:] { didSet { alarm.ring() } }
    /// When, on the uptime clock, followers are told that this device is somewhere else; nil where
    /// they know.
    private var movedDue: Duration?
    /// When, on the uptime clock, edges are next looked through for old proposals.
    var nextEdgeCheck = Duration.zero

    /// Rings where something is due sooner than was known.
    private let alarm = Alarm()

    /// How often followers are told that this device moves.
    static let movedInterval = Duration.seconds(1)
    /// The longest nobody looks at the wall clock where requests wait for a time: it may be set.
    static let wallInterval = Duration.seconds(10)

    /// Makes the feature set with all it may touch.
    public init(context: PluginContext) { self.context = context }

    /// Mends what a crash left half done, and then looks at the time whenever something is due.
    public func run() async throws {
        try await context.replica.open(.own(context.me))
        try await context.replica.open(.card(context.me))
        try await mendProfile()
        try await reconcileEdges()
        try await reconcileWalks()
        try await reconcileGroups()
        await context.location.place(try await myPlace())
        while true {
            try await tick()
            try await alarm.wait(for: untilDue, on: context.clock)
        }
    }

    /// How long nothing happens by the clocks alone.
    private var untilDue: Duration {
        let (uptime, nowMs) = (context.clock.uptime, context.clock.wallMilliseconds)
        let dues = [visibleUntil, movedDue, nextEdgeCheck].compactMap { $0 }.map { $0 - uptime }
        let waits = walkDeadlines.values.map {
            min(Self.wallInterval, .milliseconds(max(0, $0 - nowMs)))
        }
        return max(.zero, (dues + waits).min() ?? Self.wallInterval)
    }

    /// Does what is due: ends visibility, tells of requests that ran out, drops old proposals.
    func tick() async throws {
        if let end = visibleUntil, context.clock.uptime >= end { await hideFromEveryone() }
        let nowMs = context.clock.wallMilliseconds
        let due = walkDeadlines.filter { nowMs >= $0.value }.keys
        for id in due { walkDeadlines[id] = nil }
        if !due.isEmpty { await publish(["walk", "inbox"]) }
        if let end = movedDue, context.clock.uptime >= end {
            movedDue = nil
            await publish(["location"])
        }
        if context.clock.uptime >= nextEdgeCheck {
            nextEdgeCheck = context.clock.uptime + Self.edgeCheckInterval
            try await dropOldProposals()
        }
    }

    /// Settles what changed records bring about, and tells which nouns are to be asked again.
    public func applied(_ changes: [RecordChange]) async throws {
        let collections = Set(changes.map(\.collection))
        var topics: Set<String> = []
        for change in changes { topics.formUnion(topicsOf(change)) }
        if !collections.isDisjoint(with: [Self.edge.name, Self.ending.name, Self.block.name]) {
            try await relationsChanged(in: changes)
        }
        if collections.contains(Self.walk.name) { try await reconcileWalks() }
        if collections.contains(Self.place.name) {
            await context.location.place(try await myPlace())
            try await showPlaceToMates()
        }
        if collections.contains(Self.notice.name) { try await reconcileGroups() }
        if topics.contains("me") { try await introduceMyselfAnew() }
        if topics.contains("me"), visibleUntil != nil { try await announceNames() }
        await publish(topics)
    }

    /// Takes a mate's place.
    public func received(_ message: TopicMessage) async throws {
        guard message.topic == Self.locationTopic else { return }
        try await receivedPlace(message)
    }

    /// Notes who is here, and shows a mate who comes where I am.
    public func linkChanged(_ peer: Peer, isUp: Bool) async throws {
        linked[peer.device] = isUp ? peer.person : nil
        lastSeenMs[peer.person] = context.clock.wallMilliseconds
        if isUp, try await relation(to: peer.person) == .mate {
            try await showPlace(to: peer.person)
        }
        await publish(["nearby", "mates"])
    }

    /// Tells that what was queued is delivered.
    public func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws {
        if space == pair(with: peer.person), !walkDeadlines.isEmpty { await publish(["walk"]) }
    }

    /// Follows who is in a group: its notes count or do not, and I may be asked or be out.
    public func membersChanged(in group: SpaceDescriptor) async throws {
        try await reconcileGroups()
        await publish(["group"])
    }

    /// Followers are told a second later, once: a track played fast moves many times a second.
    /// Mates are shown what is set by hand alone.
    public func moved(_ whereabouts: Whereabouts) async throws {
        guard movedDue == nil else { return }
        movedDue = context.clock.uptime + Self.movedInterval
        alarm.ring()
    }

    /// The topics whose nouns a change of a record changes.
    private func topicsOf(_ change: RecordChange) -> Set<String> {
        switch change.collection {
        case Self.profile.name:
            change.space == .card(context.me) ? ["me"] : ["mates", "nearby", "walk"]
        case Self.privateProfile.name: ["me"]
        case Self.acquaintance.name: ["mates"]
        case Self.edge.name, Self.ending.name: ["mates", "nearby"]
        case Self.block.name: ["mates", "nearby", "inbox"]
        case Self.walk.name: ["walk", "inbox"]
        case Self.inbox.name: ["inbox"]
        case Self.place.name: ["location"]
        case Self.group.name, Self.note.name, Self.notice.name: ["group"]
        default: []
        }
    }

    /// Tells followers that these nouns are to be asked again.
    func publish(_ topics: Set<String>) async {
        for topic in topics.sorted() { await context.events.publish(topic, .object([:])) }
    }

    /// Authors a batch in a space, which begins here where it is not open yet.
    @discardableResult
    func author(_ edits: [Edit], in space: SpaceDescriptor) async throws -> [EntityID] {
        try await context.replica.open(space)
        return try await context.replica.author(edits, in: space)
    }

    /// The pair of me and another.
    func pair(with person: PersonID) -> SpaceDescriptor { .between(context.me, person) }

    /// Now, within what a record may hold.
    var nowMs: Int64 {
        let range = WalkFacts.milliseconds
        return min(max(context.clock.wallMilliseconds, range.lowerBound), range.upperBound)
    }
}
