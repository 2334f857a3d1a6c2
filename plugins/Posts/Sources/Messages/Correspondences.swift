internal import PluginKit
internal import PostsAPI

/// Requests to authors of posts, and the correspondences that begin with them. This actor performs
/// what ``CorrespondenceSession`` decides.
actor Correspondences {
    let context: PluginContext
    var session: CorrespondenceSession
    /// My facts of correspondences, the newest first.
    var stored: [StoredAgreement] = []
    /// The content of my own requests that are not over.
    var requests: [Bytes16: CorrespondenceRequest] = [:]
    /// My acceptances that are not over.
    private var acceptances: Set<Bytes16> = []
    /// The requests that I accepted, as far as the facts of those who asked have arrived.
    private(set) var accepted: [Bytes16: CorrespondenceRequest] = [:]
    /// The requests of others as they were received, to pass on to my other devices.
    private var received: [PersonID: CorrespondenceMessage] = [:]
    /// The people with linked devices.
    private(set) var linked: [DeviceID: PersonID] = [:]
    /// The names that people gave whose requests I accepted since the start. Their own facts, which
    /// arrive with the next contact, have them too.
    private(set) var acceptedNames: [PersonID: String] = [:]
    /// The requests whose items are shown.
    var shownAsked: [PersonID: Bytes16] = [:]
    /// The correspondences that are over and whose items are settled.
    var settledEnds: Set<Bytes16> = []
    var allowances = CorrespondenceAllowances()
    /// The people to whom a command stores a request or an acceptance at the moment.
    private var busy: Set<PersonID> = []
    private var nextRepeat = Duration.zero
    private let alarm = Alarm()

    /// The steps that are still to be performed, in order.
    private var jobs: [Job] = []
    private var isPerforming = false

    private enum Job {
        case effect(CorrespondenceSession.Effect)
        case readFacts
        /// Resumes the caller whose steps come before.
        case resume(CheckedContinuation<Void, Never>)

        /// Whether it changes what is on the disk.
        var isWrite: Bool {
            switch self {
            case .effect(.accept), .effect(.end): true
            case .effect, .readFacts, .resume: false
            }
        }
    }

    /// The interval at which a linked person is told again what is open.
    static let repeatInterval = Duration.seconds(300)
    /// The topic of the messages.
    static let topic = "posts"
    /// The kind of the inbox items and notices.
    static let inboxKind: InboxKind = "correspondence"

    init(context: PluginContext) {
        self.context = context
        session = CorrespondenceSession(me: context.me)
    }

    // MARK: - Time

    /// Reads what is stored, and then lets time pass until the node ends. Messages are received
    /// only after everything is read: else this device could answer wrongly, or see what a blocked
    /// person sends.
    func run() async throws {
        await perform([], readsFacts: true)
        guard session.hasReadFacts else { throw StartFault.factsUnread }
        await context.topics.setDirect(Self.topic, isOpen: true)
        do { try await eraseOldAnswers() } catch {
            context.logger.warning("Old answers to requests were not erased: \(error)")
        }
        while true {
            if now >= nextRepeat {
                nextRepeat = now + Self.repeatInterval
                // An end that could not be stored is open again.
                await perform([], readsFacts: true)
                try await forgetUnwelcome()
                for person in Set(linked.values).sorted() {
                    await perform(session.linked(person))
                }
            }
            await perform(session.tick(now: wallTime))
            try await alarm.wait(for: pause, on: context.clock)
        }
    }

    private var pause: Duration {
        let lapse = session.nextEnd.map { max(.zero, $0 - wallTime) } ?? Self.repeatInterval
        return min(max(.zero, nextRepeat - now), lapse)
    }

    private enum StartFault: Error {
        /// The stored facts could not be read.
        case factsUnread
    }

    var now: Duration { context.clock.uptime }
    var wallTime: Timestamp { context.clock.wallTime }

    // MARK: - What happens

    /// Reads the stored facts and declined requests again.
    func recordsChanged() async { await perform([], readsFacts: true) }

    /// Tells a person, whose device was linked, what is open; another device of mine is told of the
    /// requests that wait here.
    func linkChanged(_ peer: Peer, isUp: Bool) async {
        linked[peer.device] = isUp ? peer.person : nil
        if !session.held(with: peer.person).isEmpty {
            await context.events.publish(PostEvents.changed, PostChange(part: .messages))
        }
        guard isUp else { return }
        guard peer.person == context.me else { return await perform(session.linked(peer.person)) }
        for (_, message) in received.sorted(by: { $0.key < $1.key }) {
            await send(message, to: peer.device)
        }
    }

    /// Processes a message. Malformed ones, and those beyond the allowances, have no effect.
    func received(_ message: TopicMessage) async throws {
        let person = message.from.person
        guard session.hasReadFacts, message.topic == Self.topic, message.space == nil,
            !session.facts.blocked.contains(person),
            person == context.me || allowances.messages.permit(person, now: now),
            let decoded = try? CorrespondenceMessage(decoding: message.body)
        else { return }
        switch decoded {
        case .request(let statement, let name):
            try await receive(statement, name: name, from: message.from)
        case .holds(let id): await perform(session.receive(.holds(id), from: person))
        case .over(let id): await perform(session.receive(.over(id), from: person))
        case .known(let id): await perform(session.receive(.known(id), from: person))
        }
    }

    /// Processes a request, which its sender or another device of mine sends. It must be about a
    /// post of mine, unless it is answered or over already. One that waits here already is not
    /// checked again.
    private func receive(_ statement: [UInt8], name: String?, from peer: Peer) async throws {
        let sender = peer.person == context.me ? nil : peer.person
        guard !received.values.contains(where: { $0.statement == statement }),
            allowances.requests.permit(sender, now: now),
            let checked = await context.statements.check(statement),
            let request = CorrespondenceStatement.request(in: checked),
            request.sender == peer.person || peer.person == context.me,
            !session.facts.blocked.contains(request.sender)
        else { return }
        if session.facts.ended[request.id] == nil,
            try await !isWelcome(request, name: name)
        {
            return
        }
        let before = session.asked[request.sender]
        let effects = session.receive(
            request, name: name.flatMap(TextRule.nickname.clip), now: wallTime)
        if session.asked[request.sender] != before {
            let message = CorrespondenceMessage.request(statement, name: name)
            received[request.sender] = message
            for (device, person) in linked.sorted(by: { $0.key < $1.key })
            where person == context.me && device != peer.device {
                await send(message, to: device)
            }
        }
        await perform(effects)
    }

    /// Forgets the requests that contain a word muted since, or are about a post that is gone.
    func forgetUnwelcome() async throws {
        for (person, asked) in session.asked.sorted(by: { $0.key < $1.key }) {
            guard try await !isWelcome(asked.request, name: asked.name) else { continue }
            await perform(session.forget(asked.request.id, of: person))
        }
    }

    /// Whether a request is about a post of mine and contains no muted word.
    private func isWelcome(
        _ request: CorrespondenceRequest, name: String?
    ) async throws -> Bool {
        let muted = try await context.replica.mutedWords()
        guard !muted.matches(request.text), !muted.matches(name ?? "") else { return false }
        return try await KnownPost(request.post, in: context.replica)?.author == context.me
    }

    // MARK: - Performing

    /// Performs what the session decided, in order, and returns when that is done. One call
    /// performs what others add meanwhile.
    func perform(
        _ effects: [CorrespondenceSession.Effect], readsFacts: Bool = false
    ) async {
        jobs += effects.map { .effect($0) }
        if readsFacts { jobs.append(.readFacts) }
        guard !isPerforming else {
            return await withCheckedContinuation { jobs.append(.resume($0)) }
        }
        isPerforming = true
        defer { isPerforming = false }
        while !jobs.isEmpty {
            do {
                switch jobs.removeFirst() {
                case .effect(let effect): try await perform(effect)
                case .readFacts: try await readFacts()
                case .resume(let caller): caller.resume()
                }
            } catch {
                context.logger.warning("A step of a correspondence failed: \(error)")
            }
        }
    }

    private func perform(_ effect: CorrespondenceSession.Effect) async throws {
        switch effect {
        case .send(let letter, let person): try await send(letter, to: person)
        case .accept(let request):
            guard !stored.contains(where: { $0.id == request.id }) else { return }
            try await storeAcceptance(of: request)
            jobs.append(.readFacts)
        case .end(let id, let person, let isKnown):
            try await context.core.endAgreement(
                id, of: .correspondence, with: person, isCancel: false, isKnown: isKnown)
            jobs.append(.readFacts)
        case .tell(let person): try await tellAsked(by: person)
        case .opened(let id, let person): try await tellOpened(id, with: person)
        case .changed:
            received = received.filter { session.asked[$0.key] != nil }
            await settleAsked()
            alarm.ring()
            await context.events.publish(PostEvents.changed, PostChange(part: .messages))
        }
    }

    /// Reads what is stored. What the session decided meanwhile is performed first: the disk does
    /// not have it yet.
    private func readFacts() async throws {
        let read = try await context.core.agreements(of: .correspondence)
        let declined = try await declined()
        let mates = try await context.replica.people(in: SharedViews.mates)
        let blocked = try await context.replica.people(in: SharedViews.blocked)
        for agreement in read where !agreement.isOver { try await readProof(of: agreement) }
        if let last = jobs.lastIndex(where: \.isWrite) {
            return jobs.insert(.readFacts, at: last + 1)
        }
        learn(facts(of: read, declined: declined, mates: mates, blocked: blocked), from: read)
        await settleOpened(Set(session.facts.ended.keys))
    }

    /// Returns the facts that follow from what is stored.
    private func facts(
        of read: [StoredAgreement], declined: Set<Bytes16>, mates: Set<PersonID>,
        blocked: Set<PersonID>
    ) -> CorrespondenceFacts {
        var facts = CorrespondenceFacts(declined: declined, mates: mates, blocked: blocked)
        for agreement in read {
            if agreement.isOver {
                let isRecent = wallTime - agreement.at < PostMessageCommands.waitMax
                facts.ended[agreement.id] = agreement.person
                if agreement.isUntold || agreement.theirs == nil && isRecent {
                    facts.untold.insert(agreement.id)
                }
            } else if !facts.held.contains(where: { $0.id == agreement.id }) {
                facts.held.append(
                    HeldCorrespondence(
                        id: agreement.id, person: agreement.person,
                        isMine: requests[agreement.id] != nil,
                        stands: agreement.theirs != nil, at: agreement.at))
            }
        }
        return facts
    }

    /// Replaces what was read before. It must not wait, because what the session decided while it
    /// waits would be lost.
    private func learn(_ facts: CorrespondenceFacts, from read: [StoredAgreement]) {
        stored = read
        let open = Set(facts.held.map(\.id))
        requests = requests.filter { open.contains($0.key) }
        acceptances.formIntersection(open)
        accepted = accepted.filter { open.contains($0.key) }
        jobs += session.read(facts).map { .effect($0) }
        alarm.ring()
    }

    /// Learns from the proof of my own fact whether I asked or accepted, and from that of the other
    /// person what I accepted.
    private func readProof(of agreement: StoredAgreement) async throws {
        let id = agreement.id
        guard requests[id] == nil, accepted[id] == nil else { return }
        if !acceptances.contains(id) {
            requests[id] = await request(id, by: context.me, in: agreement.proof)
            guard requests[id] == nil else { return }
            acceptances.insert(id)
        }
        if let theirs = agreement.theirs {
            accepted[id] = await request(id, by: agreement.person, in: theirs.proof)
        }
    }

    /// Returns the request by a person, of mine or to me, that a proof states; nil if it states
    /// none of this id.
    private func request(
        _ id: Bytes16, by person: PersonID, in proof: [UInt8]
    ) async -> CorrespondenceRequest? {
        guard let checked = await context.statements.check(proof), checked.person == person,
            let request = CorrespondenceStatement.request(in: checked), request.id == id
        else { return nil }
        return [request.sender, request.receiver].contains(context.me) ? request : nil
    }

    // MARK: - Storing

    /// Stores a request to the author of a post, and sends it if they are linked.
    func ask(about post: KnownPost, _ text: String) async throws {
        do { try session.checkAsking(post.author) } catch { throw Self.fault(error) }
        guard busy.insert(post.author).inserted else { throw Self.fault(.busy) }
        defer { busy.remove(post.author) }
        let id = context.random.nonce()
        let statement = CorrespondenceStatement.request(
            id, to: post.author, post: post.id, at: wallTime, text: text)
        try await store(id, statement, with: post.author)
        await perform([], readsFacts: true)
        await perform(session.announce(id))
    }

    /// Stores my acceptance of a person's request.
    func accept(_ person: PersonID) async throws {
        guard let asked = session.asked[person] else {
            throw CommandFault.conflict("This person does not ask you any more.")
        }
        guard busy.insert(person).inserted else { throw Self.fault(.busy) }
        defer { busy.remove(person) }
        if let name = asked.name { acceptedNames[person] = name }
        try await storeAcceptance(of: asked.request)
        await perform([], readsFacts: true)
        await perform(session.announce(asked.request.id))
    }

    private func storeAcceptance(of request: CorrespondenceRequest) async throws {
        let statement = CorrespondenceStatement.acceptance(
            request.id, of: request.sender, at: wallTime)
        try await store(request.id, statement, with: request.sender)
    }

    private func store(
        _ id: Bytes16, _ statement: CorrespondenceStatement, with person: PersonID
    ) async throws {
        try await context.core.storeFact(
            AgreementFact(
                id: id, name: try await context.core.myCard().nickname,
                proof: try await context.statements.sign(statement.encoded)),
            of: .correspondence, with: person)
    }

    // MARK: - Sending

    private func send(_ letter: CorrespondenceSession.Letter, to person: PersonID) async throws {
        let message: CorrespondenceMessage
        switch letter {
        case .request(let id):
            guard let mine = stored.first(where: { $0.id == id }) else { return }
            message = .request(mine.proof, name: try await context.core.myCard().nickname)
        case .holds(let id): message = .holds(id)
        case .over(let id): message = .over(id)
        case .known(let id): message = .known(id)
        }
        for (device, owner) in linked.sorted(by: { $0.key < $1.key }) where owner == person {
            await send(message, to: device)
        }
    }

    private func send(_ message: CorrespondenceMessage, to device: DeviceID) async {
        do {
            try await context.topics.sendDirect(Self.topic, message.encoded, to: device)
        } catch {
            context.logger.debug("A message about a correspondence was not sent: \(error)")
        }
    }

    static func fault(_ refusal: CorrespondenceRefusal) -> CommandFault {
        switch refusal {
        case .oneself: .refused("This post is your own.")
        case .blocked: .refused("You have blocked this person; unblock them first.")
        case .waiting: .conflict("You asked this person already; wait for their answer.")
        case .busy: .conflict("A request is being stored; try again.")
        case .tooMany:
            .refused(
                "\(PostMessageCommands.requestsCountMax) of your requests wait for an answer; take "
                    + "one back with 'waggle posts end' first.")
        }
    }
}
