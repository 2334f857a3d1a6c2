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
    /// With whom which group is shared: those who are in it.
    var groups: [SpaceDescriptor: Set<PersonID>] = [:]
    /// The keys of hourly tags: mine and my mates'.
    var tagKeys: [PersonID: [UInt8]] = [:]

    /// Whether a person is a mate.
    func isMate(_ person: PersonID) -> Bool { pairs[person] == .mate }

    /// Whether something is shared with a person, as a mate or in a group: links with them are
    /// kept, and their devices known.
    func isKnown(_ person: PersonID) -> Bool {
        pairs[person] != nil || groups.values.contains { $0.contains(person) }
    }

    /// What is shared with a person's device.
    func spaces(sharedWith person: PersonID, me: PersonID) -> [SpaceDescriptor] {
        guard !blocked.contains(person) else { return [] }
        let common = groups.filter { $0.value.contains(person) }.keys.sorted { $0.id < $1.id }
        if person == me { return [.own(me), .card(me)] + common }
        guard let state = pairs[person] else { return common }
        if state == .ending, Planted.endUntold.isIn { return common }
        let pair = SpaceDescriptor.between(me, person)
        return (state == .mate ? [pair, .card(me), .card(person)] : [pair]) + common
    }
}
