internal import PluginKit

/// One side of requests, acceptances and confirmations, as a value without clock, network and disk.
///
/// A person has one commitment at a time, so at most one match stands:
///
/// ```
///  Ann (asks)                            Ben
///  request R  ───────────────────▶       remembers it
///                                        accepts: commitment accepted(M), for 60 s
///             ◀───────────────────       accept R, M
///  stores the fact "M with Ben"
///  confirm M  ───────────────────▶       stores the fact "M with Ann"
/// ```
///
/// The match stands once both facts are stored, and ends once either side has stored its end. Facts
/// reach the other side by records; all before them is in memory only. Every message may be lost,
/// repeated or late: an id is made once, and `over` says that its match or request is over for
/// good.
///
/// If both asked each other at once, the person with the greater key accepts.
struct MatchSession: Hashable, Sendable {
    /// This side.
    let me: Peer
    /// Whether this person looks for others.
    private(set) var isSeeking = false
    /// My open requests.
    private(set) var requests: [PersonID: Request] = [:]
    /// The requests of others that wait for my answer.
    private(set) var asked: [PersonID: Asked] = [:]
    /// The acceptances of my requests that wait, because I am committed to another person.
    private(set) var offers: [PersonID: Offer] = [:]
    /// The person to whom I am committed.
    private(set) var commitment: Commitment? {
        didSet { if held?.stands != false { confirmationEnd = nil } }
    }
    /// The uptime at which my fact ends if the match does not stand by then.
    private(set) var confirmationEnd: Duration?
    /// The reason why my last request to a person ended.
    private(set) var answers: [PersonID: MatchEnd] = [:]
    /// The requests that I declined; they may be repeated and stay declined.
    private var declined: [PersonID: MatchID] = [:]
    /// The ends of matches of which the other side may not know.
    private(set) var untold: [MatchID: PersonID] = [:]
    private var ended: Set<MatchID> = []
    /// Whether the facts on the disk were read. Before that, messages have no effect: the answer to
    /// one about a match that this side holds would be wrong.
    private(set) var hasReadFacts = false
    /// The uptime at which unanswered messages are sent again.
    private var nextResend = Duration.zero

    /// Creates a side that does not look.
    init(me: Peer) { self.me = me }

    // MARK: - What this person does

    /// Begins to look for others. The answers to earlier requests are forgotten.
    /// - Throws: ``MatchRefusal/matched`` while a match stands.
    mutating func look() throws(MatchRefusal) -> [Effect] {
        guard !isMatched else { throw .matched }
        guard !isSeeking else { return [] }
        isSeeking = true
        answers = [:]
        return [.changed]
    }

    /// Stops looking, and takes back everything but a match that stands.
    mutating func stop() -> [Effect] {
        guard isSeeking else { return [] }
        isSeeking = false
        return clear(because: .withdrawn, askedBecause: .notSeeking) + endUnconfirmed()
            + [.changed]
    }

    /// Asks a person, or accepts their request.
    /// - Parameter id: a new id of this device, for the request or for the match.
    /// - Throws: ``MatchRefusal``.
    mutating func press(
        _ person: PersonID, id: MatchID, name: String? = nil, now: Duration
    ) throws(MatchRefusal) -> [Effect] {
        guard !isMatched else { throw .matched }
        guard isSeeking else { throw .notSeeking }
        guard person != me.person else { throw .oneself }
        // A second press changes nothing, also if they have asked: one of the two accepts.
        guard requests[person] == nil, commitment?.person != person else { return [] }
        if let asked = asked[person] {
            guard commitment == nil else { throw held == nil ? .committed : .confirming }
            return accept(asked.id, of: person, as: id, now: now) + [.changed]
        }
        guard requests.count < MatchLimits.requestsMax else { throw .tooMany }
        requests[person] = Request(id: id, name: name)
        answers[person] = nil
        return [.send(.request(id, name: name), to: person), .changed]
    }

    /// Takes back my request to a person.
    mutating func withdraw(_ person: PersonID) -> [Effect] {
        let offer = offers.removeValue(forKey: person)
        guard let request = requests.removeValue(forKey: person) else { return [] }
        return over(request.id, .withdrawn, person)
            + (offer.map { over($0.id, .withdrawn, person) } ?? []) + [.changed]
    }

    /// Declines the request of a person.
    mutating func decline(_ person: PersonID) -> [Effect] {
        guard let asked = asked.removeValue(forKey: person) else { return [] }
        remember(asked.id, declinedOf: person)
        return over(asked.id, .declined, person) + [.changed]
    }

    /// Takes back my acceptance, or ends the match. Only the end of a match that stands is a
    /// cancel.
    mutating func cancel(now: Duration) -> [Effect] {
        switch commitment {
        case nil: return []
        case .accepted(let acceptance):
            commitment = nil
            remember(acceptance.request, declinedOf: acceptance.person)
            return over(acceptance.match, .withdrawn, acceptance.person)
                + [.changed] + advance(now: now)
        case .stored(let held):
            return end(held, isCancel: held.stands, isKnown: false)
                + over(held.id, .ended, held.person) + [.changed] + advance(now: now)
        }
    }

    /// Reports that my fact could not be stored.
    mutating func storeFailed(_ id: MatchID) -> [Effect] {
        guard let held, held.id == id else { return [] }
        commitment = nil
        return over(id, .failed, held.person) + [.changed]
    }

    /// Forgets a person, whom this person has blocked: their requests vanish without an answer.
    mutating func forget(_ person: PersonID) -> [Effect] {
        requests[person] = nil
        asked[person] = nil
        offers[person] = nil
        guard commitment?.person == person else { return [.changed] }
        defer { commitment = nil }
        guard let held else { return [.changed] }
        return [
            .end(person, held.id, isCancel: false, isKnown: false), .changed,
        ]
    }

    // MARK: - What others send

    /// Processes a message of a person. Messages about cards and reviews are not the session's.
    mutating func receive(
        _ message: MatchMessage, from person: PersonID, now: Duration
    ) -> [Effect] {
        guard hasReadFacts, person != me.person else { return [] }
        let effects: [Effect] =
            switch message {
            case .request(let id, let name): receiveRequest(id, name, person, now)
            case .accept(let request, let match): receiveAccept(request, match, person, now)
            case .confirm(let match): receiveConfirm(match, person, now)
            case .over(let id, let reason): receiveOver(id, reason, person)
            case .card, .quiet, .askReviews, .shownReview, .review, .hasReview: []
            }
        return effects + advance(now: now)
    }

    private mutating func receiveRequest(
        _ id: MatchID, _ name: String?, _ person: PersonID, _ now: Duration
    ) -> [Effect] {
        if let held, held.person == person { return [.send(.confirm(held.id), to: person)] }
        if let acceptance, acceptance.person == person, acceptance.request == id {
            return [.send(.accept(id, acceptance.match), to: person)]
        }
        guard !isMatched else { return over(id, .matched, person) }
        guard isSeeking else { return over(id, .notSeeking, person) }
        guard declined[person] != id else { return over(id, .declined, person) }
        let known = asked[person]
        guard known != nil || asked.count < MatchLimits.askedMax else { return [] }
        asked[person] = Asked(id: id, name: name, heard: now)
        // Two people who asked each other are matched without another press.
        guard known?.id != id else { return [] }
        return requests[person] == nil ? [.asked(person), .changed] : [.changed]
    }

    private mutating func receiveAccept(
        _ request: MatchID, _ match: MatchID, _ person: PersonID, _ now: Duration
    ) -> [Effect] {
        if let held, held.id == match, held.person == person {
            return [.send(.confirm(match), to: person)]
        }
        guard request.isMade(by: me.device) else { return [] }
        guard requests[person]?.id == request, !ended.contains(match), !isMatched else {
            return over(match, isMatched ? .matched : .withdrawn, person)
        }
        guard offers[person]?.id != match else { return [] }
        guard offers.count < MatchLimits.offersMax else { return over(match, .failed, person) }
        offers[person] = Offer(id: match, end: now + MatchTimes.acceptance)
        return [.changed]
    }

    private mutating func receiveConfirm(
        _ match: MatchID, _ person: PersonID, _ now: Duration
    ) -> [Effect] {
        if let held, held.id == match, held.person == person { return [] }
        if let acceptance, acceptance.match == match, acceptance.person == person {
            guard now < acceptance.end else {
                commitment = nil
                return over(match, .lapsed, person) + [.changed]
            }
            return store(match, with: person, now: now)
        }
        if ended.contains(match) { return over(match, .ended, person) }
        return match.isMade(by: me.device) ? over(match, .known, person) : []
    }

    private mutating func receiveOver(
        _ id: MatchID, _ reason: MatchEnd, _ person: PersonID
    ) -> [Effect] {
        var effects: [Effect] = []
        if asked[person]?.id == id {
            asked[person] = nil
            effects.append(.changed)
        }
        if requests[person]?.id == id {
            requests[person] = nil
            if answers.count >= MatchLimits.rememberedMax, let first = answers.keys.min() {
                answers[first] = nil
            }
            answers[person] = reason
            effects.append(.changed)
        }
        if offers[person]?.id == id {
            offers[person] = nil
            effects.append(.changed)
        }
        if let acceptance, acceptance.person == person,
            acceptance.match == id || acceptance.request == id
        {
            commitment = nil
            effects.append(.changed)
        }
        // If both asked, the id of a match is also that of my request. A late message about the
        // request does not end the match. If I made the id, they stored their fact before I stored
        // mine, so the match may stand although their fact is not here.
        if let held, held.person == person, held.id == id,
            !held.stands && !id.isMade(by: me.device) || reason == .ended || reason == .known
        {
            effects += end(held, isCancel: false, isKnown: true) + [.changed]
        } else if untold[id] == person {
            untold[id] = nil
            effects.append(.end(person, id, isCancel: false, isKnown: true))
        }
        // An end is repeated until a device answers that holds the match no longer, or made it.
        if reason == .ended, ended.contains(id) || id.isMade(by: me.device) {
            effects += over(id, .known, person)
        }
        return effects
    }

    // MARK: - Facts and time

    /// Replaces the facts with those read from the disk: my matches that are not over, the ends of
    /// which the other side may not know, and all ends.
    ///
    /// If two devices of mine made a match while they were apart, the one of my earlier fact
    /// stands. Both devices see the same facts in the end, and end the same match.
    mutating func read(_ facts: MatchFacts, now: Duration) -> [Effect] {
        hasReadFacts = true
        untold = facts.untold
        ended.formUnion(facts.ended)
        let (before, formerID) = (commitment, held?.id)
        guard let best = facts.held.min() else {
            if held != nil { commitment = nil }
            return (commitment == before ? [] : [.changed]) + advance(now: now)
        }
        var effects: [Effect] = []
        for other in facts.held where other != best {
            effects += endFact(other, isCancel: false, isKnown: false)
            effects += over(other.id, .ended, other.person)
        }
        if let acceptance, acceptance.match != best.id {
            effects += over(acceptance.match, .matched, acceptance.person)
        }
        commitment = .stored(best)
        if !best.stands, confirmationEnd == nil || formerID != best.id {
            confirmationEnd = now + MatchTimes.confirmation
        }
        if best.stands, !(before == commitment) {
            isSeeking = false
            effects += clear(because: .matched, askedBecause: .matched)
            effects.append(.matched(best.person))
        }
        return effects + (commitment == before ? [] : [.changed])
    }

    /// Lets acceptances and confirmations lapse, forgets requests that are not repeated, and
    /// repeats unanswered messages.
    mutating func tick(now: Duration) -> [Effect] {
        var effects: [Effect] = []
        if let acceptance, now >= acceptance.end {
            commitment = nil
            effects += over(acceptance.match, .lapsed, acceptance.person) + [.changed]
        }
        if let end = confirmationEnd, now >= end { effects += endUnconfirmed() + [.changed] }
        for (person, offer) in Self.inOrder(offers) where now >= offer.end {
            offers[person] = nil
            effects.append(.changed)
        }
        for (person, request) in Self.inOrder(asked) where now - request.heard >= MatchTimes.silence
        {
            asked[person] = nil
            effects.append(.changed)
        }
        effects += advance(now: now)
        guard now >= nextResend else { return effects }
        nextResend = now + MatchTimes.resend
        return effects + repeated()
    }

    // MARK: - Steps

    /// Performs the next step that needs no press, if I am not committed: confirms an acceptance,
    /// or accepts a request of a person whom I asked too.
    private mutating func advance(now: Duration) -> [Effect] {
        guard commitment == nil else { return [] }
        let next = offers.min { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
        if let (person, offer) = next {
            offers[person] = nil
            return store(offer.id, with: person, now: now)
        }
        let crossed = Self.inOrder(asked).first { requests[$0.0] != nil && me.person > $0.0 }
        guard let (person, request) = crossed, let mine = requests[person] else { return [] }
        // The id of my request was never that of a match.
        return accept(request.id, of: person, as: mine.id, now: now) + [.changed]
    }

    private mutating func accept(
        _ request: MatchID, of person: PersonID, as match: MatchID, now: Duration
    ) -> [Effect] {
        asked[person] = nil
        requests[person] = nil
        commitment = .accepted(
            Acceptance(
                person: person, request: request, match: match, end: now + MatchTimes.acceptance))
        return [.send(.accept(request, match), to: person)]
    }

    private mutating func store(_ id: MatchID, with person: PersonID, now: Duration) -> [Effect] {
        requests[person] = nil
        asked[person] = nil
        commitment = .stored(HeldMatch(person: person, id: id, stands: false, order: .max))
        confirmationEnd = now + MatchTimes.confirmation
        return [.store(person, id), .send(.confirm(id), to: person), .changed]
    }

    private mutating func end(_ held: HeldMatch, isCancel: Bool, isKnown: Bool) -> [Effect] {
        commitment = nil
        return endFact(held, isCancel: isCancel, isKnown: isKnown)
    }

    private mutating func endFact(
        _ held: HeldMatch, isCancel: Bool, isKnown: Bool
    ) -> [Effect] {
        ended.insert(held.id)
        if !isKnown { untold[held.id] = held.person }
        return [.end(held.person, held.id, isCancel: isCancel, isKnown: isKnown)]
    }

    /// Ends my fact of a match that does not stand as far as this side knows.
    private mutating func endUnconfirmed() -> [Effect] {
        guard let held, !held.stands else { return [] }
        return end(held, isCancel: false, isKnown: false) + over(held.id, .ended, held.person)
    }

    /// Ends everything that is not stored.
    private mutating func clear(
        because reason: MatchEnd, askedBecause askedReason: MatchEnd
    ) -> [Effect] {
        var effects: [Effect] = []
        for (person, request) in Self.inOrder(requests) {
            effects += over(request.id, reason, person)
        }
        for (person, offer) in Self.inOrder(offers) { effects += over(offer.id, reason, person) }
        for (person, request) in Self.inOrder(asked) {
            effects += over(request.id, askedReason, person)
        }
        (requests, offers, asked) = ([:], [:], [:])
        if let acceptance {
            commitment = nil
            effects += over(acceptance.match, reason, acceptance.person)
        }
        return effects
    }

    private mutating func remember(_ id: MatchID, declinedOf person: PersonID) {
        if declined.count >= MatchLimits.rememberedMax, let first = declined.keys.min() {
            declined[first] = nil
        }
        declined[person] = id
    }
}
