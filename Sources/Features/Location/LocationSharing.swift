internal import FeaturesAPI
internal import PluginKit

/// Location sharing: my location, set by hand or reported by a source, and the locations that mates
/// show me. Mates see only a location that is set by hand; theirs are kept only in memory.
actor LocationSharing: Feature {
    private let context: PluginContext
    /// Rings when followers should be told.
    private let alarm: Alarm
    private var linked = LinkedPeople()
    /// The locations that mates show.
    private var shown = ShownLocations()
    /// The time, on the uptime clock, to tell followers that this device moved; nil if they know.
    private var movedDue: Duration?

    /// The interval at which followers are told that this device moves.
    static let movedInterval = Duration.seconds(1)
    /// The time in which a location may be delivered to a linked mate.
    static let expiry = Duration.seconds(30)

    /// Creates the feature.
    init(context: PluginContext, alarm: Alarm) {
        self.context = context
        self.alarm = alarm
    }

    func start() async throws { await context.location.setByHand(try await myLocation()) }

    func tick() async throws {
        guard let due = movedDue, context.clock.uptime >= due else { return }
        movedDue = nil
        await context.events.publish(Self.movedMe(context.me))
    }

    func untilDue() -> Duration? { movedDue.map { $0 - context.clock.uptime } }

    /// Tells followers once, a second later: a track that is played fast changes the location many
    /// times a second.
    func moved() {
        guard movedDue == nil else { return }
        movedDue = context.clock.uptime + Self.movedInterval
        alarm.ring()
    }

    func applied(_ changes: [RecordChange]) async throws {
        await context.location.setByHand(try await myLocation())
        for person in linked.all where try await isMate(person) { try await show(to: person) }
    }

    nonisolated func events(after changes: [RecordChange]) -> [EventMessage] {
        [Self.movedMe(context.me)]
    }

    private static func movedMe(_ me: PersonID) -> EventMessage {
        EventMessage(LocationEvents.changed, LocationChange(person: Key(me), me: true))
    }

    func linkChanged(_ peer: Peer, isUp: Bool) {
        linked.record(peer, isUp: isUp)
        if !isUp { shown.forgetLink(with: peer.device) }
    }

    /// Shows a mate my location as soon as it can reach them. On a new link that is a moment after
    /// the link came up.
    func shared(_ space: SpaceDescriptor, with peer: Peer) async throws {
        guard space == context.pair(with: peer.person), try await isMate(peer.person) else {
            return
        }
        try await show(to: peer.person)
    }

    /// Shows my location to linked people who may have become mates.
    /// - Parameter spaces: the spaces with changed edges or blocks.
    func relationsChanged(in spaces: Set<SpaceDescriptor>) async throws {
        for person in linked.all where spaces.contains(context.pair(with: person)) {
            if try await isMate(person) { try await show(to: person) }
        }
    }

    /// Receives a mate's location. It is ignored if the sender is not a mate, or if it cannot be
    /// read.
    func received(_ message: TopicMessage) async throws {
        let person = message.from.person
        guard message.topic == Self.topic, message.space == context.pair(with: person),
            try await isMate(person), let location = LocationMessage(decoding: message.body)
        else { return }
        shown.receive(location, from: message.from)
        await context.publish(
            LocationEvents.changed, LocationChange(person: Key(person), me: false))
    }

    private func isMate(_ person: PersonID) async throws -> Bool {
        try await context.core.relation(to: person) == .mate
    }

    /// Shows one mate my location, or that there is none since it was cleared. Says nothing if it
    /// was never set here: another device of mine may show one.
    private func show(to person: PersonID) async throws {
        for message in try await place()?.messages ?? [] {
            try await context.topics.sendEphemeral(
                Self.topic, message.encoded, to: context.pair(with: person), expiry: Self.expiry)
        }
    }

    /// Returns my location, if one is set by hand.
    private func myLocation() async throws -> Fix? { try await place()?.fix }

    private func place() async throws -> SetPlace? {
        try await context.replica.rows(
            "SELECT * FROM neighbours_place WHERE creator = ?", [.bytes(context.me.bytes)]
        ).first.map(SetPlace.init)
    }

    // MARK: - Commands

    /// Answers `location show`: the known location, with its source and age, and the device that
    /// set the one that mates see.
    func show() async throws -> MyLocation {
        var answer = MyLocation(
            await context.location.whereabouts(), uptime: context.clock.uptime)
        guard let place = try await place(), place.fix != nil else { return answer }
        let device = place.device ?? context.device
        let isHere = device == context.device || context.formerDevices.contains(device)
        answer.shown = isHere ? .here : .elsewhere
        answer.shownBy = isHere ? nil : Key(device)
        return answer
    }

    /// Performs `location set`.
    func set(_ request: SetLocation) async throws -> MyLocation {
        try await write([
            "latitude": .real(request.latitude.value),
            "longitude": .real(request.longitude.value),
            "accuracy_metres": request.accuracyMetres.map { .real($0.value) } ?? .null,
            "at_ms": .integer(context.now.milliseconds),
            "device": .bytes(context.device.bytes),
        ])
        try await context.location.choose(.hand)
        await context.location.setByHand(try await myLocation())
        return try await show()
    }

    /// Performs `location clear`.
    func clear() async throws -> Done {
        if try await myLocation() != nil {
            try await write([
                "latitude": .null, "longitude": .null, "accuracy_metres": .null,
                "at_ms": .integer(context.now.milliseconds),
                "device": .bytes(context.device.bytes),
            ])
        }
        await context.location.setByHand(nil)
        return Done()
    }

    /// Performs `location source`.
    func choose(_ request: ChooseLocationSource) async throws -> MyLocation {
        try await context.location.choose(try LocationChoice(request))
        return try await show()
    }

    private func write(_ fields: [String: Value]) async throws {
        try await context.author(
            [.own(collection: Self.location.name, fields: fields)], in: .own(context.me))
    }
}

extension LocationSharing: MateLocations {
    /// Returns the locations that mates show me; the age of one from the future is 0.
    func mateLocations() -> [PersonID: MateList.SharedLocation] {
        let now = context.now
        return shown.fixes.mapValues { fix in
            let time = fix.at ?? now
            return MateList.SharedLocation(
                latitude: fix.point.latitude, longitude: fix.point.longitude,
                accuracyMetres: fix.accuracyMetres, atMs: time,
                ageSeconds: Int(max(.zero, now - time).components.seconds))
        }
    }

    func forgetLocation(of person: PersonID) { shown.forget(person) }
}
