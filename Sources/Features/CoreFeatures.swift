internal import FeaturesAPI
public import PluginKit

/// The core's features as one plugin: profiles, mates, agreements, walk requests, the inbox,
/// groups, locations shown to mates, people nearby, measured distances, muted words, and the names
/// of own devices.
///
/// It creates the features, gives each one the others it needs, and forwards events to them. It has
/// no other state and no rules. The features share one plugin id because that id is stored in
/// invitations to groups and in the names of tables.
public struct CoreFeatures: CorePlugin {
    let context: PluginContext
    let profiles: Profiles
    let mates: Mates
    let agreements: Agreements
    let walks: Walks
    let inbox: Inbox
    let location: LocationSharing
    let groups: Groups
    let nearby: Nearby
    let devices: Devices
    let neighbourhoods: Neighbourhoods
    let distances: Distances
    let mutedWords: MutedWordStore
    /// Rings when the next deadline becomes earlier.
    private let alarm = Alarm()

    /// The id of the plugin, and the beginning of the names of its tables and views.
    static let id = "neighbours"
    /// The longest pause between two checks of the clocks.
    static let pauseMax = Duration.seconds(10)

    /// Creates the features with everything they may use.
    public init(context: PluginContext) {
        self.context = context
        profiles = Profiles(context: context)
        location = LocationSharing(context: context, alarm: alarm)
        mates = Mates(context: context, cards: profiles, locations: location)
        agreements = Agreements(context: context)
        walks = Walks(context: context, alarm: alarm)
        groups = Groups(context: context, alarm: alarm)
        inbox = Inbox(context: context, alarm: alarm, sources: [walks, groups.inbox])
        nearby = Nearby(context: context, alarm: alarm)
        devices = Devices(context: context)
        neighbourhoods = Neighbourhoods(context: context)
        distances = Distances(context: context)
        mutedWords = MutedWordStore(context: context)
    }

    /// The features in the order in which they receive events.
    private var features: [any Feature] {
        [
            profiles, mates, agreements, walks, inbox, location, groups, nearby, devices, distances,
            neighbourhoods, mutedWords,
        ]
    }

    /// Completes the work that a crash interrupted, and then checks the clocks when something is
    /// due.
    public func run() async throws {
        try await context.replica.open(.own(context.me))
        try await context.replica.open(.card(context.me))
        for feature in features { try await feature.start() }
        while true {
            for feature in features { try await feature.tick() }
            try await alarm.wait(for: await untilDue(), on: context.clock)
        }
    }

    private func untilDue() async -> Duration {
        var pauses: [Duration] = []
        for feature in features {
            if let pause = await feature.untilDue() { pauses.append(pause) }
        }
        return max(.zero, pauses.min() ?? Self.pauseMax)
    }

    /// Forwards changes to each feature, if they concern its own records or those of the features
    /// it depends on, and tells followers what to query again.
    public func applied(_ changes: [RecordChange]) async throws {
        for feature in features {
            let names = type(of: feature).collectionNames
            let own = changes.filter { names.contains($0.collection) }
            if !own.isEmpty { try await feature.applied(own) }
        }
        if changes.contains(where: Mates.decidesRelation) {
            try await location.relationsChanged(in: Set(changes.map(\.space)))
            if try await mates.haveChanged() {
                try await walks.relationsChanged()
                try await groups.relationsChanged()
            }
        }
        if changes.contains(where: { Profiles.isMine($0, me: context.me) }) {
            try await groups.myCardChanged()
            try await nearby.myCardChanged()
        }
        await context.events.publish(try await events(after: changes))
    }

    private func events(after changes: [RecordChange]) async throws -> [EventMessage] {
        var events: [EventMessage] = []
        for feature in features {
            let names = type(of: feature).collectionNames
            let own = changes.filter { names.contains($0.collection) }
            if !own.isEmpty { events += try await feature.events(after: own) }
        }
        return events
    }

    /// Forwards a message to the features; each handles only its own topics.
    public func received(_ message: TopicMessage) async throws {
        for feature in features { try await feature.received(message) }
    }

    /// Tells the features that a device was linked or lost, and followers if it is one of a mate or
    /// of a person whose answer I await.
    public func linkChanged(_ peer: Peer, isUp: Bool) async throws {
        for feature in features { try await feature.linkChanged(peer, isUp: isUp) }
        guard [.mate, .waiting].contains(try await mates.relation(to: peer.person)) else { return }
        await context.publish(
            MateEvents.changed, MateChange(person: Key(peer.person), part: .presence))
    }

    /// Tells the features that a peer's device has more of a space on its disk.
    public func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws {
        for feature in features { try await feature.acknowledged(in: space, by: peer) }
    }

    /// Tells the features that a peer's device shares a space on its link from now on.
    public func shared(_ space: SpaceDescriptor, with peer: Peer) async throws {
        for feature in features { try await feature.shared(space, with: peer) }
    }

    /// Tells the features that the members of a group changed.
    public func membersChanged(in group: SpaceDescriptor) async throws {
        for feature in features { try await feature.membersChanged(in: group) }
    }

    /// Tells the features that content has arrived.
    public func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws {
        for feature in features { try await feature.contentArrived(blob, in: space) }
    }

    /// Tells the features that people nearby came or went, or announce something else.
    public func nearbyChanged() async throws {
        for feature in features { try await feature.nearbyChanged() }
    }

    /// Tells the feature that lists people nearby: their names may be hidden now, or shown again.
    public func mutedWordsChanged() async throws { try await nearby.mutedWordsChanged() }

    /// Tells the feature that shows locations that this device has moved.
    public func moved(_ whereabouts: Whereabouts) async throws { await location.moved() }

    /// Returns the appointments of all features.
    public func appointments() async throws -> [CalendarEvent] {
        var all: [CalendarEvent] = []
        for feature in features { all += try await feature.appointments() }
        return all
    }
}

extension CoreFeatures {
    private static let types: [any Feature.Type] = [
        Profiles.self, Mates.self, Agreements.self, Walks.self, Inbox.self, LocationSharing.self,
        Groups.self, Nearby.self, Devices.self, Distances.self, Neighbourhoods.self,
        MutedWordStore.self,
    ]

    /// The manifests of all features as one.
    public static let manifest: Manifest = {
        let manifests = types.map { $0.manifest }
        return Manifest(
            id: id, version: 1, collections: manifests.flatMap(\.collections),
            views: manifests.flatMap(\.views),
            ephemeralTopics: manifests.flatMap(\.ephemeralTopics),
            events: manifests.flatMap(\.events),
            announces: manifests.flatMap(\.announces),
            notices: manifests.flatMap(\.notices),
            appointments: manifests.flatMap(\.appointments),
            services: manifests.reduce(into: []) { $0.formUnion($1.services) },
            groups: manifests.compactMap(\.groups).first)
    }()

    /// The views of mates and blocked people.
    public static let people = Mates.people

    /// The record of muted words.
    public static let mutedWords: MutedWordsNaming? = MutedWordStore.naming

    /// The commands of all features, by noun.
    public static let commands: [CommandHandler] = [
        Profiles.self, Mates.self, Walks.self, Inbox.self, LocationSharing.self, Nearby.self,
        Distances.self, Groups.self, Neighbourhoods.self, MutedWordStore.self,
    ].flatMap { (feature: any Feature.Type) in feature.commands }
}
