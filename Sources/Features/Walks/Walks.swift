internal import FeaturesAPI
internal import PluginKit

/// Walk requests: asking, answering, cancelling, and reporting the result.
actor Walks: Feature {
    let context: PluginContext
    let table: WalkTable
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
        var gone: Set<EntityID> = []
        for change in changes {
            let request = try await table.request(change.entity, in: change.space)
            if let request { requests.append(request) } else { gone.insert(change.entity) }
        }
        let posted = try await posted(Set(changes.map(\.entity)))
        for id in gone.sorted() {
            deadlines.remove(id)
            for reference in WalkNotice.references(id) where posted[reference] == false {
                try await context.core.settleInbox(reference: reference)
            }
        }
        try await reconcile(requests, posted: posted)
    }

    /// Returns the inbox items about requests that were ever posted, and whether they were handled.
    private func posted(_ requests: Set<EntityID>) async throws -> [String: Bool] {
        try await context.core.inboxReferences(
            ofKind: Self.inboxKind, among: Set(requests.flatMap(WalkNotice.references)))
    }

    func tick() async throws {
        let due = deadlines.removeDue(now: context.now)
        await context.events.publish(due.flatMap(Self.events))
        try await expire(due)
        if writes.removeRetry(now: context.clock.uptime) { try await recordMissed() }
    }

    /// Tells the senders of requests that ran out, and removes the buttons of notices about others.
    private func expire(_ ids: [EntityID]) async throws {
        guard !ids.isEmpty else { return }
        let posted = try await posted(Set(ids))
        var requests: [StoredWalk] = []
        for id in ids {
            if let request = try await table.request(id) { requests.append(request) }
        }
        try await reconcile(requests, posted: posted)
        let asked = requests.filter {
            $0.facts.direction == .received
                && posted[WalkNotice.asked.reference($0.id)] == false
        }
        try await notify(asked.map { (.asked, $0) })
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
        let why: Sentence =
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
            throw .refused("The time of a walk must be ahead, by at most 31 days.")
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
        var news: [(WalkNotice, StoredWalk)] = []
        for request in requests {
            let person = request.person
            if relations[person] == nil {
                relations[person] = try await context.core.relation(to: person)
            }
            let notices = try await reconcile(
                request, isOfMate: relations[person] == .mate, posted: posted)
            news += notices.map { ($0, request) }
        }
        try await updateInbox(about: requests, relations, posted: posted)
        try await notify(news)
        try await recordMissed()
        alarm.ring()
    }

    /// Follows a mateship that began or ended: requests from a former mate leave the
    /// inbox.
    func relationsChanged() async throws { try await reconcile() }

    /// - Returns: the notices whose items were posted, to be shown on the desktop.
    private func reconcile(
        _ request: StoredWalk, isOfMate: Bool, posted: [String: Bool]
    ) async throws -> [WalkNotice] {
        var news: [WalkNotice] = []
        let state = request.facts.state(now: context.now)
        deadlines.set(state.isOpen ? request.facts.deadline : nil, of: request)
        let reference = WalkNotice.asked.reference(request.id)
        let wasTold = posted[reference] != nil
        let ending = WalkNotice.ending(of: request, now: context.now, wasTold: wasTold)
        if isOfMate, let ending, posted[ending.reference(request.id)] == nil {
            for earlier in ending.replaced
            where posted[earlier.reference(request.id)] == false {
                try await context.core.settleInbox(reference: earlier.reference(request.id))
            }
            try await post(ending, of: request)
            news.append(ending)
        }
        guard request.facts.direction == .received else { return news }
        if isOfMate, request.isMissedUnrecorded, state == .missed,
            missed[request.person]?.count ?? 0 < StoredWalk.listedPerPersonMax
        {
            missed[request.person, default: []].insert(request.id)
        }
        if let isHandled = posted[reference] {
            if state.isEnded, !isHandled {
                try await context.core.settleInbox(reference: reference)
            }
        } else if isOfMate, !state.isEnded {
            try await post(.asked, of: request)
            news.append(.asked)
        }
        return news
    }

    /// Removes the requests of people who are no mates any more from the inbox.
    private func updateInbox(
        about requests: [StoredWalk], _ relations: [PersonID: Relation], posted: [String: Bool]
    ) async throws {
        var (isTrue, isOver): (Set<String>, Set<String>) = ([], [])
        for request in requests where request.facts.direction == .received {
            let reference = WalkNotice.asked.reference(request.id)
            guard posted[reference] == false else { continue }
            if relations[request.person] == .mate {
                isTrue.insert(reference)
            } else {
                isOver.insert(reference)
            }
        }
        try await context.core.updateInbox(
            ofKind: Self.inboxKind, isTrue: isTrue, isOver: isOver)
    }

    private static let unnamed: Sentence = "A mate"

    /// Posts an item about a request, without the words of its sender.
    private func post(_ notice: WalkNotice, of request: StoredWalk) async throws {
        try await context.core.postToInbox(
            InboxItem(
                kind: Self.inboxKind, reference: notice.reference(request.id),
                title: notice.title(of: request, name: Self.unnamed, now: context.now), body: "",
                actions: notice == .asked ? ["accept", "decline"] : [], from: request.person))
    }

    /// Shows notices on the desktop, with one look-up of the names.
    private func notify(_ notices: [(WalkNotice, StoredWalk)]) async throws {
        guard !notices.isEmpty else { return }
        let names = try await context.core.names()
        for (notice, request) in notices {
            try await context.desktop.notify(
                notice.desktop(request, name: request.name(in: names), now: context.now))
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
            guard let (notice, id) = WalkNotice.named(reference),
                let request = try await table.request(id)
            else { continue }
            let now = context.now
            texts[reference] = InboxText(
                title: notice.title(of: request, name: request.name(in: names), now: now),
                body: request.summary,
                canAct: notice == .asked && request.facts.state(now: now) == .pending)
        }
        return texts
    }
}
