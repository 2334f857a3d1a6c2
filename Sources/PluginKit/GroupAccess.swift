/// Groups: spaces of several people, each with a role in it.
///
/// A plugin that declares ``Manifest/Service/groups`` and a collection for group spaces may open
/// them. A group's records are written like any others, with ``ReplicaAccess``:
///
/// ```swift
/// let group = try await context.groups.create()
/// try await context.replica.author(
///     [.own(collection: Self.group.name, fields: try await introduction(name: name.string))],
///     in: group)
/// try await context.groups.invite(person, to: group, as: .writer, named: name.string)
/// ```
public protocol GroupAccess: Sendable {
    /// Creates a group that I own and opens it on this device.
    func create() async throws -> SpaceDescriptor
    /// Gives a mate a role in a group and tells them of it; they are invited until they accept.
    /// Invites a person again if they were removed or have left, and changes the role of a person
    /// who is already in the group. Doing it again tells them again.
    /// - Parameter name: the group's name in the invitation.
    /// - Throws: ``CommandFault/refused(_:)`` if I do not own the group, or if the person is no
    ///   mate: without an invitation that reaches them they cannot accept.
    func invite(
        _ person: PersonID, to group: SpaceDescriptor, as role: Role, named name: String
    ) async throws
    /// Joins a group that I was invited to.
    func accept(_ group: SpaceDescriptor) async throws
    /// Leaves a group, or declines an invitation. My records so far stay.
    func leave(_ group: SpaceDescriptor) async throws
    /// Removes a person. Their records that I have received stay, their other records do not count,
    /// and nothing more is sent to them. This cannot take back what they have read.
    /// - Throws: ``CommandFault/refused(_:)`` if I do not own the group, or if the person owned it
    ///   before me.
    func remove(_ person: PersonID, from group: SpaceDescriptor) async throws
    /// Closes groups on this device and removes everything that it stores of them. Nobody is told.
    /// A group in which I have ever written stays. Opening a closed group again brings its records
    /// back from its members.
    func close(_ groups: [SpaceDescriptor]) async throws
}

/// A message about a group to a person outside of it. A group's records do not reach people who are
/// not in it yet or not any more.
public struct GroupNotice: Hashable, Sendable {
    /// The group.
    public let group: SpaceDescriptor
    /// The id of the plugin that opened the group.
    public let feature: String
    /// The name that the inviting person gave it.
    public let name: String
    /// The role that is offered.
    public let role: Role

    /// Creates a notice about a group, the plugin that opened it, and the role that is offered.
    public init(group: SpaceDescriptor, feature: String, name: String, role: Role) {
        self.group = group
        self.feature = feature
        self.name = name
        self.role = role
    }
}

extension ReplicaAccess {
    /// Returns the present and former members of a group, as this device knows them, in the order
    /// of their keys.
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
    /// Returns the edits that give a person a role, considering the one they have. A lower role
    /// requires a cut and a grant: records that they wrote in the higher role stay, and records
    /// that they write in it afterwards do not count.
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
    /// Reads a row of the core's view `waggle_member`; nil if it is not one.
    public init?(_ row: Row) {
        guard let person = row.person("person"),
            let role = row.text("role").flatMap(Role.init(name:)),
            let state = row.text("state").flatMap(State.init)
        else { return nil }
        self.init(person: person, role: role, state: state)
    }
}

extension Role {
    /// Returns the role with this name, or nil.
    public init?(name: String) {
        guard let role = Role.allCases.first(where: { $0.name == name }) else { return nil }
        self = role
    }
}
