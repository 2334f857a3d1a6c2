internal import PluginKit
internal import PostsAPI

/// One side of requests and correspondences, as a value without clock, network and disk.
///
/// A request is a stored fact of its sender, which waits for the fact of the receiver:
///
/// ```
///  Ann (asks)                              Ben
///  stores the fact "R with Ben"
///  request R  ───────────────────▶         remembers it
///                                          accepts: stores the fact "R with Ann"
///             ◀───────────────────         holds R
///             ◀──── records of the pair ───▶
/// ```
///
/// It stands once both facts are on both sides, and ends once either side has stored its end. Facts
/// and ends reach the other side as records while both share the pair; the messages only begin
/// that, and settle what is left if one side shares it no longer. Every message may be lost,
/// repeated or late.
///
/// If both asked each other, the person with the greater key accepts. A receiver sends nothing
/// about a request that it declined or has not read.
struct CorrespondenceSession: Hashable, Sendable {
    /// This person.
    let me: PersonID
    /// The facts that are stored.
    private(set) var facts = CorrespondenceFacts()
    /// Whether the stored facts were read. Before that, messages have no effect.
    private(set) var hasReadFacts = false
    /// The requests of others that wait for my answer, in memory only.
    private(set) var asked: [PersonID: Asked] = [:]

    /// A request that waits for my answer.
    struct Asked: Hashable, Sendable {
        let request: CorrespondenceRequest
        /// The name that its sender gave.
        let name: String?
    }

    /// A message between the two sides.
    enum Letter: Hashable, Sendable {
        /// My request of this id.
        case request(Bytes16)
        case holds(Bytes16)
        case over(Bytes16)
        case known(Bytes16)
    }

    /// A step to perform.
    enum Effect: Hashable, Sendable {
        case send(Letter, to: PersonID)
        /// Stores my fact of a request, since I asked its sender too.
        case accept(CorrespondenceRequest)
        /// Stores the end of a correspondence.
        case end(Bytes16, with: PersonID, isKnown: Bool)
        /// Tells this person of a request.
        case tell(PersonID)
        /// Tells this person that their request was accepted.
        case opened(Bytes16, with: PersonID)
        /// The answers of commands changed.
        case changed
    }

    /// Creates a side without facts.
    init(me: PersonID) { self.me = me }

    // MARK: - What this person does

    /// Checks whether a person can be asked.
    /// - Throws: ``CorrespondenceRefusal``, in the order of its cases; never `busy`.
    func checkAsking(_ person: PersonID) throws(CorrespondenceRefusal) {
        guard person != me else { throw .oneself }
        guard !facts.blocked.contains(person) else { throw .blocked }
        guard held(with: person).isEmpty else { throw .waiting }
        guard facts.held.count(where: \.isWaiting) < PostMessageCommands.requestsCountMax else {
            throw .tooMany
        }
    }

    /// Returns the messages about a fact that was just stored and read.
    func announce(_ id: Bytes16) -> [Effect] {
        facts.held.filter { $0.id == id }.map { .send($0.letter, to: $0.person) }
    }

    /// Declines a request of a person, which the caller has stored. A newer one that came meanwhile
    /// is told, because nobody has seen it.
    mutating func decline(_ id: Bytes16, of person: PersonID) -> [Effect] {
        facts.declined.insert(id)
        guard let asked = asked[person] else { return [] }
        return asked.request.id == id ? forget(id, of: person) : [.tell(person)]
    }

    /// Forgets a request that is not shown any more. It is not declined, and is shown again if it
    /// is received again.
    mutating func forget(_ id: Bytes16, of person: PersonID) -> [Effect] {
        guard asked[person]?.request.id == id else { return [] }
        asked[person] = nil
        return [.changed]
    }

    /// Ends everything with a person. A request without an answer is over at once: if the other
    /// side has accepted it meanwhile, they say so, and are told.
    mutating func end(_ person: PersonID) -> [Effect] {
        let ends = held(with: person).flatMap { held -> [Effect] in
            [end(held), .send(.over(held.id), to: person)]
        }
        return ends.isEmpty ? [] : ends + [.changed]
    }

    // MARK: - What others send

    /// Processes a request whose signature was checked. One with the id of another person's has no
    /// effect.
    mutating func receive(
        _ request: CorrespondenceRequest, name: String?, now: Timestamp
    ) -> [Effect] {
        let (id, person) = (request.id, request.sender)
        guard hasReadFacts, request.receiver == me, person != me, request.isCurrent(now: now),
            !facts.blocked.contains(person), !facts.mates.contains(person)
        else { return [] }
        if let other = facts.ended[id] {
            return other == person ? [.send(.over(id), to: person)] : []
        }
        guard !facts.held.contains(where: { $0.id == id && $0.person != person }) else { return [] }
        let held = held(with: person)
        if held.contains(where: { $0.id == id }) { return [.send(.holds(id), to: person)] }
        if held.contains(where: \.isWaiting), !held.contains(where: \.stands) {
            return me > person ? [.accept(request)] : []
        }
        guard held.isEmpty, !facts.declined.contains(id) else { return [] }
        let known = asked[person]
        guard known != nil || asked.count < PostMessageCommands.askedCountMax else { return [] }
        if let known, known.request == request || known.request.at > request.at { return [] }
        asked[person] = Asked(request: request, name: name)
        return known == nil ? [.tell(person), .changed] : [.changed]
    }

    /// Processes a message of a person that is no request.
    mutating func receive(_ letter: Letter, from person: PersonID) -> [Effect] {
        guard hasReadFacts, person != me else { return [] }
        switch letter {
        case .request: return []
        case .holds(let id): return facts.ended[id] == person ? [.send(.over(id), to: person)] : []
        case .known(let id):
            guard facts.ended[id] == person, facts.untold.remove(id) != nil else { return [] }
            return [.end(id, with: person, isKnown: true)]
        case .over(let id):
            if let held = held(with: person).first(where: { $0.id == id }) {
                remember(held)
                return [
                    .end(id, with: person, isKnown: true), .send(.known(id), to: person),
                    .changed,
                ]
            }
            let forgotten = forget(id, of: person)
            guard forgotten.isEmpty else { return forgotten }
            return facts.ended[id] == person ? [.send(.known(id), to: person)] : []
        }
    }

    /// Returns what a person is told on a new link, and from time to time while linked.
    func linked(_ person: PersonID) -> [Effect] {
        guard hasReadFacts, !facts.blocked.contains(person) else { return [] }
        let ends = facts.untold.filter { facts.ended[$0] == person }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return held(with: person).map { .send($0.letter, to: person) }
            + ends.map { .send(.over($0), to: person) }
    }

    // MARK: - Facts and time

    /// Replaces the facts with those read from the disk. A request may have been declined since
    /// then.
    mutating func read(_ fresh: CorrespondenceFacts) -> [Effect] {
        let (oldFacts, oldAsked) = (facts, asked)
        let stoodBefore = Set(facts.held.filter(\.stands).map(\.id))
        facts = fresh
        facts.declined.formUnion(oldFacts.declined)
        hasReadFacts = true
        var effects: [Effect] = []
        for held in fresh.held {
            let isNeedless =
                fresh.mates.contains(held.person)
                || fresh.held.contains { $0.person == held.person && $0.stands }
            if fresh.blocked.contains(held.person) || held.isWaiting && isNeedless {
                effects.append(end(held))
            } else if held.isMine, held.stands, !stoodBefore.contains(held.id) {
                effects.append(.opened(held.id, with: held.person))
            }
        }
        for (person, asked) in asked.sorted(by: { $0.key < $1.key }) {
            let held = self.held(with: person)
            let id = asked.request.id
            if facts.blocked.contains(person) || facts.mates.contains(person)
                || facts.declined.contains(id)
                || facts.ended[id] != nil || !held.isEmpty
                || facts.held.contains(where: { $0.id == id })
            {
                self.asked[person] = nil
            }
            // Another device of mine asked them too.
            if held.contains(where: \.isWaiting), !held.contains(where: \.stands), me > person,
                facts.ended[id] == nil
            {
                effects.append(.accept(asked.request))
            }
        }
        return effects + (oldFacts == facts && oldAsked == asked ? [] : [.changed])
    }

    /// Lets requests and acceptances lapse that the other side has not answered.
    mutating func tick(now: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        for held in facts.held where !held.stands && now >= held.end {
            effects.append(end(held))
        }
        for (person, asked) in asked where !asked.request.isCurrent(now: now) {
            self.asked[person] = nil
            effects.append(.changed)
        }
        return effects
    }

    /// The time at which the next request or acceptance lapses.
    var nextEnd: Timestamp? {
        (facts.held.filter { !$0.stands }.map(\.end) + asked.values.map(\.request.end)).min()
    }

    // MARK: - Parts

    /// Returns the correspondences with a person that are not over.
    func held(with person: PersonID) -> [HeldCorrespondence] {
        facts.held.filter { $0.person == person }
    }

    private mutating func end(_ held: HeldCorrespondence) -> Effect {
        remember(held)
        facts.untold.insert(held.id)
        return .end(held.id, with: held.person, isKnown: !held.stands)
    }

    private mutating func remember(_ held: HeldCorrespondence) {
        facts.held.removeAll { $0.id == held.id && $0.person == held.person }
        facts.ended[held.id] = held.person
    }
}

extension HeldCorrespondence {
    /// The time at which it lapses without an answer.
    var end: Timestamp { at + PostMessageCommands.waitMax }

    /// The message about it that the other side gets on a new link.
    fileprivate var letter: CorrespondenceSession.Letter {
        isWaiting ? .request(id) : .holds(id)
    }
}

/// The reason why a person cannot be asked.
enum CorrespondenceRefusal: Error {
    /// It is this person.
    case oneself
    /// This person has blocked them.
    case blocked
    /// A request to them waits for its answer, or mine for its confirmation.
    case waiting
    /// Too many requests wait.
    case tooMany
    /// A request to them, or my acceptance of theirs, is being stored.
    case busy
}
