internal import MatchingAPI
public import PluginKit

/// Study matching: people who look for company nearby see one another's wishes, ask, accept and
/// confirm, and then have a match, which opens a chat. This actor performs what ``MatchSession``
/// decides.
public actor Matching: Plugin {
    /// The declarations of the plugin, which are also its permissions.
    public static let manifest = Manifest(
        id: "matching", version: 1, collections: [choice, given, received, skipped],
        directTopics: [topic], events: [MatchingEvents.changed.declaration],
        announces: [
            .init(seekingKey, bytesMax: 1, shown: .whileSwitchedOn, opensMeeting: true)
        ],
        notices: [.init(inboxKind, help: "Requests, matches and reviews of study matching.")],
        services: [.matches, .mates, .inbox, .location, .nearby, .statements])

    let context: PluginContext
    var session: MatchSession
    /// My wishes, card and filters.
    var choice = MatchingChoice()
    /// The matches on the disk, the newest first.
    var matches: [StoredAgreement] = []
    /// The people who look too.
    var people = SeekingPeople()
    /// The people with linked devices.
    var linked: [DeviceID: PersonID] = [:]
    /// The people I blocked.
    var blocked: Set<PersonID> = []
    /// The reviews that I wrote and received.
    var reviews = StoredReviews()
    /// The reviews that others show, as far as they were asked for.
    var shown: [PersonID: ShownReviews] = [:]
    /// The limits of what people send, and of the notices that they cause.
    var allowances = MatchAllowances()
    /// The cards that were sent to devices, and the uptime at which they are sent again.
    var sentCards: [DeviceID: MatchCard] = [:]
    var nextCards = Duration.zero
    /// My location.
    var location: Point?
    /// The requests whose items are shown.
    var shownAsked: [PersonID: MatchID] = [:]
    /// The matches that this device has reported as open for a review.
    var toldReviews: Set<Bytes16> = []
    private let alarm = Alarm()

    /// The steps that are still to be performed, in order.
    private var jobs: [Job] = []
    private(set) var isPerforming = false

    private enum Job {
        case effect(MatchSession.Effect)
        case readFacts
        /// Resumes the start, which waits for the steps before.
        case resume(CheckedContinuation<Void, Never>)

        /// Whether it changes what is on the disk.
        var isWrite: Bool {
            switch self {
            case .effect(.store), .effect(.end): true
            case .effect, .readFacts, .resume: false
            }
        }
    }

    /// Creates the plugin with everything it may use.
    public init(context: PluginContext) {
        self.context = context
        session = MatchSession(me: Peer(device: context.device, person: context.me))
    }

    /// Whether the announced byte says that a person looks.
    public static func isSwitchedOn(_ bytes: [UInt8], for key: String) -> Bool {
        bytes == [seekingFlag]
    }

    var now: Duration { context.clock.uptime }

    // MARK: - Time

    /// Reads what is stored, and then lets time pass for the session. Nobody looks after a start.
    ///
    /// Messages are received only after everything is read. Otherwise this device could answer that
    /// it does not hold a match that it does hold, or see what a blocked person sends.
    public func run() async throws {
        try await context.replica.open(.own(context.me))
        try await readBlocked()
        try await readRecords()
        location = await context.location.whereabouts().fix?.point
        await readFactsAtStart()
        guard session.hasReadFacts else { throw StartFault.factsUnread }
        await context.topics.setDirect(Self.topic, isOpen: true)
        // People who were linked meanwhile were not told about a match.
        for person in Set(linked.values).subtracting(blocked).sorted() {
            await perform(session.linked(person))
        }
        while true {
            try await alarm.wait(for: try await pause(), on: context.clock)
            jobs += (session.tick(now: now) + session.toTell(except: shownAsked)).map {
                .effect($0)
            }
            await performJobs()
            try await tellDueReviews()
            await sendCards()
            await sendReviews()
        }
    }

    private func pause() async throws -> Duration {
        if !session.isQuiet(linked: Set(linked.values)) { return MatchTimes.tick }
        if session.isSeeking { return MatchTimes.resend }
        let due = nextReview.map { max(.zero, $0 - context.clock.wallTime) }
        return min(due ?? Self.restMax, Self.restMax)
    }

    private static let restMax = Duration.seconds(3600)

    /// A reason to start again.
    private enum StartFault: Error {
        /// The matches on the disk could not be read.
        case factsUnread
    }

    // MARK: - What happens

    /// Reads my choice and reviews again, which another device of mine may have changed.
    public func applied(_ changes: [RecordChange]) async throws {
        try await readRecords()
        await sendCards()
        await publish(MatchingChange(part: .status))
        await publish(MatchingChange(part: .reviews))
    }

    /// Reads my matches and the blocked people again.
    public func relationsChanged() async throws {
        try await readBlocked()
        var isShorter = false
        for person in blocked {
            if people.remove(person) { isShorter = true }
            if isInvolved(person) { await perform(session.forget(person)) }
        }
        if isShorter { await publish(MatchingChange(part: .people)) }
        await perform([], readsFacts: true)
    }

    /// Publishes that names, wishes and texts of reviews may be hidden now, or shown again.
    public func mutedWordsChanged() async throws {
        for part in [MatchingChange.Part.status, .people, .reviews] {
            await publish(MatchingChange(part: part))
        }
    }

    private func isInvolved(_ person: PersonID) -> Bool {
        session.requests[person] != nil || session.asked[person] != nil
            || session.offers[person] != nil || session.commitment?.person == person
    }

    /// Sends my card to people who have begun to look, and forgets those who stopped.
    public func nearbyChanged() async throws {
        guard session.isSeeking else { return }
        await sendCards()
    }

    /// Updates my card and the list for my new location.
    public func moved(_ whereabouts: Whereabouts) async throws {
        guard whereabouts.fix?.point != location else { return }
        location = whereabouts.fix?.point
        guard session.isSeeking else { return }
        await sendCards()
        await publish(MatchingChange(part: .people))
    }

    /// Tells a person, whose device was linked, what is open; forgets the card of a lost device.
    public func linkChanged(_ peer: Peer, isUp: Bool) async throws {
        guard peer.person != context.me else { return }
        if isUp {
            linked[peer.device] = peer.person
            // The link may have taken the place of another one, and the card been lost with that.
            sentCards[peer.device] = nil
            guard !blocked.contains(peer.person) else { return }
            await perform(session.linked(peer.person))
            await sendReviews()
            return await sendCards()
        }
        linked[peer.device] = nil
        sentCards[peer.device] = nil
        if !linked.values.contains(peer.person) {
            shown[peer.person] = nil
        }
        await forgetCard(of: peer)
    }

    /// Processes a message of another person. It has no effect if it is malformed or beyond the
    /// person's allowance, if the person is blocked, or before my matches are read.
    public func received(_ message: TopicMessage) async throws {
        let person = message.from.person
        guard session.hasReadFacts, message.topic == Self.topic, message.space == nil,
            person != context.me, !blocked.contains(person),
            allowances.messages.permit(person, now: now),
            let decoded = try? MatchMessage(decoding: message.body)
        else { return }
        switch decoded {
        case .card(let card): await receive(card, from: message.from)
        case .quiet:
            await forgetCard(of: message.from)
        case .askReviews(let first): await answer(person, from: first)
        case .shownReview(let index, let count, let proof):
            await receiveShown(index, of: count, proof, from: person)
        case .review(let statement): try await receiveReview(statement, from: person)
        case .hasReview(let match): try await recordDelivered(match, to: person)
        case .request, .accept, .confirm, .over:
            await perform(session.receive(decoded, from: person, now: now))
        }
    }

    private func receive(_ card: MatchCard, from peer: Peer) async {
        guard session.isSeeking, people.receive(card, from: peer) else { return }
        await publish(MatchingChange(part: .people, person: Key(peer.person)))
    }

    // MARK: - Performing

    /// Performs what the session decided, in order; one call performs what others add meanwhile.
    func perform(_ effects: [MatchSession.Effect], readsFacts: Bool = false) async {
        jobs += effects.map { .effect($0) }
        if readsFacts { jobs.append(.readFacts) }
        // What was decided may be due sooner than the pause ends.
        if !effects.isEmpty { alarm.ring() }
        await performJobs()
    }

    private func performJobs() async {
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        while !jobs.isEmpty {
            switch jobs.removeFirst() {
            case .effect(let effect): await perform(effect)
            case .readFacts: await readFacts()
            case .resume(let start): start.resume()
            }
        }
    }

    /// Reads my facts, and returns when that is done. A change of relations, which reads them too,
    /// may be performing it.
    private func readFactsAtStart() async {
        await perform([], readsFacts: true)
        if isPerforming { await withCheckedContinuation { jobs.append(.resume($0)) } }
    }

    private func perform(_ effect: MatchSession.Effect) async {
        do {
            switch effect {
            case .send(let message, let person): await send(message, to: person)
            case .store(let person, let id): try await store(id, with: person)
            case .end(let person, let id, let isCancel, let isKnown):
                try await context.core.endAgreement(
                    id.raw, of: .match, with: person, isCancel: isCancel, isKnown: isKnown)
                jobs.append(.readFacts)
            case .asked(let person): try await tellAsked(by: person)
            case .matched(let person): try await tellMatched(with: person)
            case .changed: await showChanges()
            }
        } catch {
            context.logger.warning("A step of matching failed: \(error)")
            if case .store(_, let id) = effect {
                // What follows says that the fact is stored.
                jobs.removeAll {
                    if case .effect(.send(.confirm(id), _)) = $0 { true } else { false }
                }
                jobs.insert(contentsOf: session.storeFailed(id).map { .effect($0) }, at: 0)
            }
        }
    }

    private func store(_ id: MatchID, with person: PersonID) async throws {
        let fact = MatchStatement.fact(
            id, with: person, at: context.clock.wallTime)
        let name = try await context.core.myCard().nickname
        try await context.core.storeFact(
            AgreementFact(
                id: id.raw, name: name, proof: try await context.statements.sign(fact.encoded)),
            of: .match, with: person)
        jobs.append(.readFacts)
    }

    /// Reads my facts. What the session decided meanwhile is performed first: the disk does not
    /// have it yet.
    private func readFacts() async {
        do {
            let read = try await context.core.agreements(of: .match)
            guard !jobs.contains(where: \.isWrite) else { return jobs.append(.readFacts) }
            matches = read
            var facts = MatchFacts()
            for match in read {
                let id = MatchID(raw: match.id)
                if !match.isOver, blocked.contains(match.person) {
                    // They were blocked, and the end was not stored.
                    jobs.append(
                        .effect(.end(match.person, id, isCancel: false, isKnown: false)))
                } else if !match.isOver {
                    facts.held.append(
                        HeldMatch(
                            person: match.person, id: id, stands: match.theirs != nil,
                            order: match.at.milliseconds))
                } else if facts.ended.count < MatchLimits.endedMax {
                    facts.ended.insert(id)
                }
                if match.isUntold, !blocked.contains(match.person) {
                    facts.untold[id] = match.person
                }
            }
            jobs += session.read(facts, now: now).map { .effect($0) }
            // A review may be due, or a match wait for its confirmation.
            alarm.ring()
        } catch {
            context.logger.warning("Matches could not be read: \(error)")
        }
    }

    /// Sends a message to linked devices of a person. What is not sent now is repeated.
    func send(_ message: MatchMessage, to person: PersonID) async {
        guard !blocked.contains(person) else { return }
        for device in recipients(of: message, person) {
            await send(message, to: device)
        }
    }

    func send(_ message: MatchMessage, to device: DeviceID) async {
        do {
            try await context.topics.sendDirect(Self.topic, message.encoded, to: device)
        } catch {
            context.logger.debug("A matching message was not sent: \(error)")
        }
    }

    /// Follows whether I look, and settles the items of requests that are gone.
    private func showChanges() async {
        await followSeeking()
        await settleAsked()
        await publish(MatchingChange(part: .status))
        await publish(MatchingChange(part: .people))
    }

    func publish(_ change: MatchingChange) async {
        await context.events.publish(MatchingEvents.changed, change)
    }

    // MARK: - Looking

    private var isAnnounced = false

    private func followSeeking() async {
        guard session.isSeeking != isAnnounced else { return }
        isAnnounced = session.isSeeking
        do {
            try await context.nearby.announce(Self.seekingKey, [Self.seekingFlag])
            try await context.nearby.setSwitch(Self.seekingKey, isOn: isAnnounced)
        } catch {
            context.logger.warning("Looking could not be announced: \(error)")
        }
        if isAnnounced {
            nextCards = .zero
            await sendCards()
        } else {
            people.removeAll()
            shown = [:]
            for device in sentCards.keys.sorted() { await send(.quiet, to: device) }
            sentCards = [:]
        }
    }

    // MARK: - Reading

    private func readBlocked() async throws {
        blocked = try await context.replica.people(in: SharedViews.blocked)
    }
}
