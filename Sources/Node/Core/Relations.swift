internal import PluginKit
internal import Records

/// How this person stands with others, as the core plugin's views say; spaces are served by it.
struct Relations: Hashable, Sendable {
    /// How a pair stands.
    enum PairState: String, Hashable, Sendable {
        case mate
        /// My edge stands, theirs is not here.
        case waiting
        /// My edge is gone and their devices have not acknowledged that yet.
        case ending
    }

    /// With whom the pair space is shared.
    var pairs: [PersonID: PairState] = [:]
    /// To whom nothing is sent.
    var blocked: Set<PersonID> = []
    /// The keys of hourly tags: mine and my mates'.
    var tagKeys: [PersonID: [UInt8]] = [:]

    /// Whether a person is a mate.
    func isMate(_ person: PersonID) -> Bool { pairs[person] == .mate }

    /// What is shared with a person's device.
    func spaces(sharedWith person: PersonID, me: PersonID) -> [SpaceDescriptor] {
        if person == me { return [.own(me), .card(me)] }
        guard !blocked.contains(person), let state = pairs[person] else { return [] }
        let pair = SpaceDescriptor.between(me, person)
        return state == .mate ? [pair, .card(me), .card(person)] : [pair]
    }
}
