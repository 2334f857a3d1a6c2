/// Groups: spaces of several people, each with a role in it.
///
/// A plugin that declares ``Manifest/Service/groups`` and a collection for group spaces may open
/// them. What a group holds is written like anything else, with ``ReplicaAccess``.
public protocol GroupAccess: Sendable {
    /// Begins a group that I own, open on this device.
    func create() async throws -> SpaceDescriptor
    /// Gives a mate a role in a group and tells them of it; they are invited until they accept.
    /// Who was removed or has left is invited anew, and of who is in it already the role changes.
    /// Doing it again tells them again.
    /// - Parameter name: what the invitation calls the group.
    /// - Throws: ``CommandFault/refused(_:)`` where I do not own the group, or for somebody who is
    ///   no mate: what nobody carries to them they cannot accept.
    func invite(
        _ person: PersonID, to group: SpaceDescriptor, as role: Role, named name: String
    ) async throws
    /// Takes part in a group that I was invited to.
    func accept(_ group: SpaceDescriptor) async throws
    /// Takes part no longer, or declines an invitation. What I wrote until now stays.
    func leave(_ group: SpaceDescriptor) async throws
    /// Removes a person: what they wrote and I have seen stays, whatever else they write counts
    /// for nothing, and they are sent nothing more. What they read cannot be taken back.
    /// - Throws: ``CommandFault/refused(_:)`` where I do not own the group, or for somebody who
    ///   owned it before me.
    func remove(_ person: PersonID, from group: SpaceDescriptor) async throws
}

/// What a person is told about a group outside of it, since a group's own records do not reach who
/// is not in it yet or no more.
public struct GroupNotice: Hashable, Sendable {
    public let group: SpaceDescriptor
    /// The id of the plugin whose group it is.
    public let feature: String
    /// What the inviting person calls it.
    public let name: String
    public let role: Role

    /// Names a group, whose feature it is, and the role that is offered.
    public init(group: SpaceDescriptor, feature: String, name: String, role: Role) {
        self.group = group
        self.feature = feature
        self.name = name
        self.role = role
    }
}

extension ReplicaAccess {
    /// Who is or was in a group, as this device knows it, in the order of their keys.
    public func members(of group: SpaceDescriptor) async throws -> [Member] {
        try await rows(
            """
            SELECT m.person AS person, m.role AS role, m.state AS state
            FROM waggle_member m JOIN waggle_space s ON s.space = m.space
            WHERE s.id = ? ORDER BY m.person
            """, [.bytes(group.id.bytes)]
        ).compactMap(Member.init)
    }
}

extension ControlEdit {
    /// What gives a person a role, knowing how they stand. A lower role than they have is a cut and
    /// a grant: what they wrote in the higher one stays, and what they go on writing in it counts
    /// for nothing.
    public static func giving(
        _ role: Role, to person: PersonID, known: Member?
    ) -> [ControlEdit] {
        guard let known, known.isServed else { return [.grant(person, role)] }
        guard known.role != role else { return [] }
        let isLower = role.rawValue < known.role.rawValue
        return (isLower ? [.cut(person)] : []) + [.grant(person, role)]
    }
}

extension Member {
    /// Reads a row of the core's view `waggle_member`; nil where it is none.
    public init?(_ row: Row) {
        guard let person = row.person("person"),
            let role = row.text("role").flatMap(Role.init(word:)),
            let state = row.text("state").flatMap(State.init)
        else { return nil }
        self.init(person: person, role: role, state: state)
    }
}

extension Role {
    /// The role of a word, or nil.
    public init?(word: String) {
        guard let role = Role.allCases.first(where: { $0.word == word }) else { return nil }
        self = role
    }
}
