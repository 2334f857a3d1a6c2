internal import FeaturesAPI
internal import PluginKit

/// Walk requests: asking, answering, cancelling, and reporting the result.
actor Walks: Feature {
    private let context: PluginContext
    private let table: WalkTable
    /// Rings when a request runs out earlier than the next known deadline.
    private let alarm: Alarm
    /// The times when open requests run out, so that an event reports it.
    private var deadlines = WalkDeadlines()
    /// The requests that arrived too late and are to be recorded as missed, by sender.
    private var missed: [PersonID: Set<EntityID>] = [:]
    /// Limits the batches that record missed requests.
    private let writes = CausedWrites()

    /// The longest pause between two checks of the wall clock while requests wait for a time: the
    /// clock may be set.
    static let wallInterval = Duration.seconds(10)

    /// Creates the feature.
    init(context: PluginContext, alarm: Alarm) {
        self.context = context
        table = WalkTable(context: context)
        self.alarm = alarm
    }

    func start() async throws { try await reconcile() }

    /// Follows the changed requests. Their number decides the cost, not that of all requests.
    func applied(_ changes: [RecordChange]) async throws {
        guard changes.count <= StoredWalk.lookedUpCountMax else { return try await reconcile() }
        var requests: [StoredWalk] = []
        for change in changes {
            let request = try await table.request(change.entity, in: change.space)
            if let request { requests.append(request) } else { deadlines.remove(change.entity) }
        }
        try await reconcile(
            requests,
            posted: try await context.core.inboxReferences(
                ofKind: Self.inboxKind, among: Set(requests.map(\.id.description))))
    }

    func tick() async throws {
        let now = context.now
        await context.events.publish(deadlines.removeDue(now: now).flatMap(Self.events))
        if writes.removeRetry(now: context.clock.uptime) { try await recordMissed() }
    }

    nonisolated func events(after changes: [RecordChange]) -> [EventMessage] {
        changes.map(\.entity).flatMap(Self.events)
    }

    /// Returns the events of a changed request, which its item in the inbox shows too.
    private static func events(after change: EntityID) -> [EventMessage] {
        [
            EventMessage(WalkEvents.changed, WalkChange(id: RecordKey(change))),
            EventMessage(InboxEvents.changed, InboxChange(kinds: [inboxKind])),
        ]
    }

    func untilDue() -> Duration? {
        let now = context.now
        let untilDeadline = deadlines.next.map { min(Self.wallInterval, max(.zero, $0 - now)) }
        return [untilDeadline, writes.untilRetry(now: context.clock.uptime)].compactMap { $0 }.min()
    }

    /// Publishes that queued requests were delivered.
    func acknowledged(in space: SpaceDescriptor, by peer: Peer) async throws {
        guard space == context.pair(with: peer.person), !deadlines.isEmpty else { return }
        await context.publish(WalkEvents.changed, WalkChange(person: Key(peer.person)))
    }

    /// Answers `walk list`.
    func list() async throws -> WalkList {
        let names = try await context.core.names()
        let now = context.now
        return WalkList(
            requests: try await table.requests().map {
                $0.answer(now: now, name: names[$0.person])
            })
    }

    private func show(_ id: EntityID) async throws -> WalkRequest {
        guard let request = try await table.request(id) else {
            throw CommandFault.failed("The walk request is gone; see 'walk list'.")
        }
        return request.answer(
            now: context.now, name: try await context.core.names()[request.person])
    }

    // MARK: - Acting

    /// Performs `walk ask`.
    func ask(_ request: AskForWalk) async throws -> WalkRequest {
        let person = try await context.core.person(request.to)
        let point = try await context.location.meetingPoint(request.latitude, request.longitude)
        try checkTime(request.atMs)
        guard try await context.core.relation(to: person) == .mate else {
            throw CommandFault.refused(
                "Only mates can be asked for a walk; meet this person first.")
        }
        let fields: [String: Value] = [
            "receiver": .bytes(person.bytes), "latitude": .real(point.latitude),
            "longitude": .real(point.longitude), "message": .text(request.message.string),
            "created_ms": .integer(context.now.milliseconds),
            "place": request.locationName.map { .text($0.string) } ?? .null,
            "at_ms": request.atMs.map { .integer($0.milliseconds) } ?? .null,
        ].filter { $0.value != .null }
        let ids = try await context.author(
            [
                .create(
                    collection: Self.walk.name, nonce: context.random.nonce(), fields: fields)
            ], in: context.pair(with: person))
        guard let id = ids.first else {
            throw CommandFault.failed("The request was not stored; try again.")
        }
        return try await show(id)
    }

    /// Performs `walk accept` and `walk decline`: the answer carries the age of the request.
    func answer(_ prefix: RecordPrefix, _ answer: WalkFacts.Answer) async throws -> WalkRequest {
        let request = try await table.request(prefix)
        guard request.facts.direction == .received else {
            throw CommandFault.refused("This is your own request; its receiver answers it.")
        }
        let state = request.facts.state(now: context.now)
        guard state == .pending else { throw Self.notOpen(state) }
        try await requireMate(request)
        let age = request.facts.age(now: context.now)
        try await set(
            request,
            ["answer": .text(answer.rawValue), "answer_age_ms": .integer(age.milliseconds)])
        try await context.core.settleInbox(reference: request.id.description)
        return try await show(request.id)
    }

    /// Performs `walk cancel`.
    func cancel(_ prefix: RecordPrefix) async throws -> WalkRequest {
        let request = try await table.request(prefix)
        guard request.facts.direction == .sent else {
            throw CommandFault.refused("Only the sender cancels a request; decline it instead.")
        }
        let state = request.facts.state(now: context.now)
        guard state.isOpen else { throw Self.notOpen(state) }
        try await set(request, ["cancelled": .boolean(true)])
        return try await show(request.id)
    }

    /// Performs `walk note`: if two notes are written apart, the later one counts on both sides.
    func writeNote(_ request: NoteOnWalk) async throws -> WalkRequest {
        let walk = try await table.request(request.id)
        try await requireMate(walk)
        try await set(walk, ["note": .text(request.note.string)])
        return try await show(walk.id)
    }

    /// Performs `walk erase`: the request and everything written on it is erased on both sides.
    func erase(_ prefix: RecordPrefix) async throws -> Done {
        let request = try await table.request(prefix)
        guard request.facts.direction == .sent else {
            throw CommandFault.refused("Only the sender of a walk request can erase it.")
        }
        try await context.author(
            [.erase(collection: Self.walk.name, entity: request.id)],
            in: context.pair(with: request.person))
        deadlines.remove(request.id)
        return Done()
    }

    private func set(_ request: StoredWalk, _ fields: [String: Value]) async throws {
        try await context.author(
            [.set(collection: Self.walk.name, entity: request.id, fields: fields)],
            in: context.pair(with: request.person))
    }

    private func requireMate(_ request: StoredWalk) async throws {
        guard try await context.core.relation(to: request.person) == .mate else {
            throw CommandFault.refused("You and this person are not mates any more.")
        }
    }

    private static func notOpen(_ state: WalkRequest.State) -> CommandFault {
        let why =
            switch state {
            case .accepted: "it is accepted already"
            case .declined: "it is declined already"
            case .cancelled: "its sender cancelled it"
            default: "it has expired"
            }
        return .conflict("This walk request is not open any more: \(why).")
    }

    /// - Throws: ``CommandFault/refused(_:)`` if a time has passed or is too far ahead.
    private func checkTime(_ time: Timestamp?) throws(CommandFault) {
        guard let time else { return }
        let ahead = time - context.now
        guard ahead > .zero, ahead <= WalkFacts.aheadMax else {
            throw .refused("The time of a walk lies ahead, by at most 31 days.")
        }
    }

    // MARK: - Following

    /// Checks all listed requests. Doing it again changes nothing.
    private func reconcile() async throws {
        try await reconcile(
            try await table.requests(),
            posted: try await context.core.inboxReferences(ofKind: Self.inboxKind))
    }

    /// Checks requests: records those which arrived too late, puts new ones into the inbox, and
    /// remembers when open ones run out.
    private func reconcile(_ requests: [StoredWalk], posted: [String: Bool]) async throws {
        var relations: [PersonID: Relation] = [:]
        for request in requests {
            let person = request.person
            if relations[person] == nil {
                relations[person] = try await context.core.relation(to: person)
            }
            try await reconcile(request, isOfMate: relations[person] == .mate, posted: posted)
        }
        try await recordMissed()
        alarm.ring()
    }

    /// Follows a mateship that began or ended: requests from a former mate leave the
    /// inbox.
    func relationsChanged() async throws { try await reconcile() }

    private func reconcile(
        _ request: StoredWalk, isOfMate: Bool, posted: [String: Bool]
    ) async throws {
        let state = request.facts.state(now: context.now)
        deadlines.set(state.isOpen ? request.facts.deadline : nil, of: request)
        guard request.facts.direction == .received else { return }
        let reference = request.id.description
        if isOfMate, request.isMissedUnrecorded, state == .missed,
            missed[request.person]?.count ?? 0 < StoredWalk.listedPerPersonMax
        {
            missed[request.person, default: []].insert(request.id)
        }
        if let isHandled = posted[reference] {
            let isSettled =
                !isOfMate || state == .cancelled || state == .accepted || state == .declined
            if isSettled, !isHandled { try await context.core.settleInbox(reference: reference) }
        } else if isOfMate {
            try await context.core.postToInbox(
                InboxItem(
                    kind: Self.inboxKind, reference: reference, title: "A mate asks for a walk",
                    body: "", actions: ["accept", "decline"], from: request.person))
        }
    }

    /// Records that requests arrived too late, so that their senders know; later if a sender caused
    /// many.
    private func recordMissed() async throws {
        for person in missed.keys.sorted() {
            let space = context.pair(with: person)
            while let id = missed[person]?.min() {
                guard writes.permit(.person(person), now: context.clock.uptime) else { break }
                missed[person]?.remove(id)
                // Its sender may have erased it.
                if try await table.request(id, in: space)?.isMissedUnrecorded == true {
                    // A record that can be erased has a batch of its own.
                    try await context.author(
                        [
                            .set(
                                collection: Self.walk.name, entity: id,
                                fields: ["missed": .boolean(true)])
                        ], in: space)
                }
            }
            if missed[person]?.isEmpty == true { missed[person] = nil }
        }
    }
}

extension Walks: InboxSource {
    /// The kind of walk requests, which is also the noun that answers them.
    static let inboxKind: InboxKind = "walk"

    /// Returns the request's own text for each item, which stores no copy of it: a text that its
    /// author erases disappears from the inbox too.
    func inboxTexts(
        of references: Set<String>, names: [PersonID: String]
    ) async throws -> [String: InboxText] {
        var texts: [String: InboxText] = [:]
        for reference in references {
            guard let id = EntityID(reference), let request = try await table.request(id) else {
                continue
            }
            let name = names[request.person] ?? "A mate (\(request.person.suffix))"
            texts[reference] = InboxText(
                title: "\(name) asks for a walk",
                body: request.message + (request.locationName.map { " (\($0))" } ?? ""),
                canAct: request.facts.state(now: context.now) == .pending)
        }
        return texts
    }
}
