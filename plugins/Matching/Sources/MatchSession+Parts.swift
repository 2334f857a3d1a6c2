internal import PluginKit

extension MatchSession {
    /// A request of mine.
    struct Request: Hashable, Sendable {
        let id: MatchID
        /// My name, which goes with it.
        let name: String?
    }

    /// A request to me.
    struct Asked: Hashable, Sendable {
        let id: MatchID
        /// The name that came with it.
        let name: String?
        /// The uptime at which it was received last.
        var heard: Duration
    }

    /// An acceptance of a request of mine.
    struct Offer: Hashable, Sendable {
        let id: MatchID
        /// The uptime at which it has lapsed.
        let end: Duration
    }

    /// The one person to whom I am committed, and the state of that.
    enum Commitment: Hashable, Sendable {
        /// I accepted, and they have not confirmed.
        case accepted(Acceptance)
        /// My fact is stored.
        case stored(HeldMatch)

        /// The person.
        var person: PersonID {
            switch self {
            case .accepted(let acceptance): acceptance.person
            case .stored(let held): held.person
            }
        }
    }

    /// My acceptance of a request.
    struct Acceptance: Hashable, Sendable {
        let person: PersonID
        let request: MatchID
        let match: MatchID
        /// The uptime at which it lapses.
        let end: Duration
    }

    /// A step that the plugin performs for the session, in order.
    enum Effect: Hashable, Sendable {
        /// Sends a message to every linked device of a person.
        case send(MatchMessage, to: PersonID)
        /// Stores my fact. Without it, later effects of the same call are not performed.
        case store(PersonID, MatchID)
        /// Stores the end of a match. It is a cancel if it costs a pause; it is known if the other
        /// side need not be told.
        case end(PersonID, MatchID, isCancel: Bool, isKnown: Bool)
        /// A request of a person is new.
        case asked(PersonID)
        /// A match has begun to stand.
        case matched(PersonID)
        /// Requests, acceptances or the match changed.
        case changed
    }

    /// Returns people in the order of their keys, so that every run sends in the same order.
    static func inOrder<Kept>(_ people: [PersonID: Kept]) -> [(PersonID, Kept)] {
        people.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the effect that tells a person that a request or match is over for this side.
    func over(_ id: MatchID, _ reason: MatchEnd, _ person: PersonID) -> [Effect] {
        [.send(.over(id, reason), to: person)]
    }

    /// Tells a person, whose device was just linked, what they may have missed.
    func linked(_ person: PersonID) -> [Effect] {
        repeated(isAll: true).filter { if case .send(_, person) = $0 { true } else { false } }
    }

    /// Returns the messages about everything that waits for an answer. A match that stands waits
    /// for none, but a person is told about it on a new link.
    func repeated(isAll: Bool = false) -> [Effect] {
        var effects: [Effect] = Self.inOrder(requests).map {
            .send(.request($1.id, name: $1.name), to: $0)
        }
        if let acceptance {
            effects.append(
                .send(.accept(acceptance.request, acceptance.match), to: acceptance.person))
        }
        if let held, isAll || !held.stands {
            effects.append(.send(.confirm(held.id), to: held.person))
        }
        for (id, person) in untold.sorted(by: { $0.key < $1.key }) {
            effects += over(id, .ended, person)
        }
        return effects
    }

    /// Returns the effects that show the requests that wait for my answer and were not shown yet,
    /// because there were too many notices.
    func toTell(except shown: [PersonID: MatchID]) -> [Effect] {
        Self.inOrder(asked).filter { shown[$0.0] == nil && requests[$0.0] == nil }
            .map { .asked($0.0) }
    }

    /// Whether nothing is under way, so that no tick is needed. An end is repeated only while the
    /// person who has to learn of it is linked.
    func isQuiet(linked people: Set<PersonID>) -> Bool {
        requests.isEmpty && asked.isEmpty && offers.isEmpty && acceptance == nil
            && held?.stands != false && people.isDisjoint(with: untold.values)
    }

    /// The match that stands, or my fact of one that may not.
    var held: HeldMatch? {
        if case .stored(let held) = commitment { held } else { nil }
    }

    /// My acceptance that waits for its confirmation.
    var acceptance: Acceptance? {
        if case .accepted(let acceptance) = commitment { acceptance } else { nil }
    }

    /// Whether a match stands.
    var isMatched: Bool { held?.stands == true }
}

/// The reason why a command cannot be performed now.
enum MatchRefusal: Error, Equatable, Sendable {
    /// A match stands.
    case matched
    /// This person does not look.
    case notSeeking
    /// An earlier acceptance is not decided yet.
    case committed
    /// An earlier confirmation is not decided yet.
    case confirming
    /// There are too many requests.
    case tooMany
    /// It is this person.
    case oneself
}
