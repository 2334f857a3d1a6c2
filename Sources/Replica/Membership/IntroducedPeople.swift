internal import Records

/// The people whose records are here because a group has them as members. They are counted by
/// group, since a group's owners can make anyone a member.
///
/// A person who is in several groups counts in one of them. A person named by an open space (a
/// mate, the owner of a group, this replica's own person) counts in none.
struct IntroducedPeople {
    private var people: [SpaceID: Set<PersonID>] = [:]
    /// The groups that had no room at some time since the start. Records may be missing there.
    private(set) var crowded: Set<SpaceID> = []
    /// The groups that this replica's person has not joined, where fewer people may count.
    var invited: Set<SpaceID> = []
    private let countMax: Int

    /// - Parameter countMax: the people who may count in one group.
    init(countMax: Int = Limits.groupPeopleMax) { self.countMax = countMax }

    /// Returns the people who count in a group.
    func people(in space: SpaceID) -> Set<PersonID> { people[space] ?? [] }

    /// Whether one more person may count in a group.
    func hasRoom(in space: SpaceID) -> Bool {
        let limit = invited.contains(space) ? Limits.invitedGroupPeopleMax : countMax
        return people[space]?.count ?? 0 < limit
    }

    /// Counts a person in a group.
    mutating func insert(_ person: PersonID, in space: SpaceID) {
        people[space, default: []].insert(person)
    }

    /// Stops counting a person in a group.
    mutating func remove(_ person: PersonID, from space: SpaceID) {
        people[space]?.remove(person)
    }

    /// Forgets a group.
    mutating func remove(_ space: SpaceID) {
        people[space] = nil
        crowded.remove(space)
    }

    /// Records that a group has no room.
    mutating func recordCrowd(in space: SpaceID) { crowded.insert(space) }
}
