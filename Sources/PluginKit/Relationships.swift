/// This person's relations with others at one moment. The engine uses them to share spaces, keep
/// links and recognise announcements.
public struct Relationships: Hashable, Sendable {
    /// The relations with each person; a person may have several.
    public private(set) var kinds: [PersonID: Set<RelationKind>] = [:]
    /// The people who are sent nothing and to whom no link is kept.
    public var blocked: Set<PersonID> = []
    /// The people with whom each group is shared.
    public var groups: [SpaceDescriptor: Set<PersonID>] = [:]
    /// The people with whom a pair is stored here, whatever became of the relation. My other
    /// devices share all of these but those of blocked people: a mateship that ended on one of them
    /// has ended on all.
    public var pairs: Set<PersonID> = []
    /// The last person who invited me to each group.
    public var inviters: [SpaceDescriptor: PersonID] = [:]
    /// The open spaces that this person joined. People who joined the same one remain strangers.
    public var neighbourhoods: Set<SpaceDescriptor> = []
    /// The keys of hourly tags: my own, and those of people whose cards are on this device.
    public var tagKeys: [PersonID: [UInt8]] = [:]

    /// Creates the state in which no person is related to this one.
    public init() {}

    /// Adds a relation with a person to those they have.
    public mutating func add(_ kind: RelationKind, with person: PersonID) {
        kinds[person, default: []].insert(kind)
    }

    /// The people with any relation; membership in the same group alone is none.
    public var people: Set<PersonID> { Set(kinds.keys) }

    /// Returns the people with whom a kind of space is shared.
    public func people(sharing share: RelationKind.Share) -> Set<PersonID> {
        Set(kinds.filter { $0.value.contains { $0.shares.contains(share) } }.keys)
    }

    /// Whether a person has a relation of a kind.
    public func has(_ kind: RelationKind, with person: PersonID) -> Bool {
        kinds[person]?.contains(kind) == true
    }

    /// Whether a kind of space is shared with a person.
    public func shares(_ share: RelationKind.Share, with person: PersonID) -> Bool {
        kinds[person]?.contains { $0.shares.contains(share) } == true
    }

    /// Whether a relation with a person ends when their device acknowledges the edits it lacks.
    public func endsWhenAcknowledged(by person: PersonID) -> Bool {
        kinds[person]?.contains(where: \.endsWhenAcknowledged) == true
    }

    /// Whether a person has any relation.
    public func isRelated(_ person: PersonID) -> Bool { kinds[person] != nil }

    /// Whether something is shared with a person, by a relation or in a group: links with them are
    /// kept, and their devices are known.
    public func isKnown(_ person: PersonID) -> Bool {
        isRelated(person) || groups.values.contains { $0.contains(person) }
    }

    /// Shares groups that I have not joined with nobody but me, the person who invited me and those
    /// who have a relation with me: the owner of a group can make up as many members as they like,
    /// and each person who is known has room for links and messages here.
    ///
    /// For example, Ben invites me to a group with 100 people, of whom I know Ann too. The group's
    /// records come from Ben and Ann. The other 98 are strangers until I accept.
    /// - Parameter groups: the groups in which I never accepted a role.
    public mutating func restrict(_ groups: Set<SpaceID>, me: PersonID) {
        for (group, people) in self.groups where groups.contains(group.id) {
            self.groups[group] = people.filter {
                $0 == me || $0 == inviters[group] || isRelated($0)
            }
        }
    }

    /// Returns the spaces that are shared with a person's device; with my own devices, all of mine.
    public func spaces(sharedWith person: PersonID, me: PersonID) -> [SpaceDescriptor] {
        guard !blocked.contains(person) else { return [] }
        let common = groups.filter { $0.value.contains(person) }.keys.sorted { $0.id < $1.id }
        if person == me {
            let others = people(sharing: .pair).union(pairs)
                .subtracting(blocked).subtracting([me])
            let pairs = others.sorted().map { SpaceDescriptor.between(me, $0) }
            let cards = people(sharing: .cards).sorted().map { SpaceDescriptor.card($0) }
            // My card comes last: a device that learns that a mateship has ended must not send a
            // newer card to that person before.
            return [.own(me)] + pairs + common + cards + [.card(me)]
        }
        let pair = shares(.pair, with: person) ? [SpaceDescriptor.between(me, person)] : []
        let cards = shares(.cards, with: person) ? [SpaceDescriptor.card(me), .card(person)] : []
        return pair + cards + common
    }
}
