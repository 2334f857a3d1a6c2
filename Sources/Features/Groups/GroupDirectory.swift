internal import FeaturesAPI
internal import PluginKit

/// The groups this device knows, and the names of the people in them.
struct GroupDirectory: Sendable {
    let context: PluginContext
    let notices: GroupNotices

    /// Returns the groups of this feature, by name and then id.
    func groups() async throws -> [Group] {
        let rows = try await context.replica.rows(
            """
            SELECT s.descriptor AS descriptor, g.name AS name FROM waggle_space s
            LEFT JOIN neighbours_group g ON g.space = s.space AND g.creator = s.person
            WHERE s.kind = 'group'
            """)
        let members = try await allMembers()
        let received = try await notices.received()
        return rows.compactMap { row -> Group? in
            guard let descriptor = row.descriptor("descriptor") else { return nil }
            let known = members[descriptor] ?? []
            let notice = Notice.counting(received[descriptor] ?? [], for: context.me, among: known)
            let name = row.text("name").flatMap(TextRule.groupName.clip)
            guard name != nil || notice?.feature == CoreFeatures.id else { return nil }
            return Group(
                descriptor: descriptor, name: name ?? notice?.name ?? Notice.nameless,
                members: known, notice: notice)
        }.sorted { ($0.name, $0.descriptor.id) < ($1.name, $1.descriptor.id) }
    }

    private func allMembers() async throws -> [SpaceDescriptor: [Member]] {
        let rows = try await context.replica.rows(
            """
            SELECT s.descriptor AS descriptor, m.person AS person, m.role AS role,
                m.state AS state
            FROM waggle_member m JOIN waggle_space s ON s.space = m.space
            WHERE s.kind = 'group' ORDER BY m.person
            """)
        var members: [SpaceDescriptor: [Member]] = [:]
        for row in rows {
            guard let member = Member(row), let group = row.descriptor("descriptor") else {
                continue
            }
            members[group, default: []].append(member)
        }
        return members
    }

    /// Returns the group that a command names: by its name, by its id or the first digits of it, or
    /// by the id of an invitation to it.
    /// - Throws: ``CommandFault/conflict(_:)`` if several are meant, ``CommandFault/notFound(_:)``
    ///   if none is.
    func group(_ wanted: NameOrKey) async throws -> Group {
        let groups = try await groups()
        if let invited = groups.first(where: { $0.notice?.id.description == wanted.string }) {
            return invited
        }
        let known = Dictionary(
            groups.map { ($0.descriptor.id, $0) }, uniquingKeysWith: { first, _ in first })
        let id = try wanted.resolve(
            among: known.keys, named: { known[$0]?.name }, what: "group", listedBy: "group list")
        guard let group = known[id] else { preconditionFailure("a group's id is among them") }
        return group
    }

    /// Returns a person of a group, by name or key: some of them are not mates. A mate with a
    /// nickname of mine is found by both names.
    func person(_ wanted: NameOrKey, in group: Group) async throws -> PersonID {
        let names = try await names(in: group)
        let mate = try? await context.core.person(wanted)
        return try wanted.resolve(
            among: group.members.map(\.person),
            named: { $0 == mate ? wanted.string : names[$0] }, what: "member",
            listedBy: "group show")
    }

    /// Returns the names of people in a group. A mate has the usual name. Others have the nickname
    /// that they wrote in the group with the end of their key, since names are not unique.
    func names(in group: Group) async throws -> [PersonID: String] {
        var names = try await context.core.names()
        let rows = try await context.replica.rows(
            """
            SELECT g.creator AS person, g.nickname AS nickname FROM neighbours_group g
            JOIN waggle_space s ON s.space = g.space WHERE s.id = ?
            """, [.bytes(group.descriptor.id.bytes)])
        for row in rows {
            guard let person = row.person("person"), names[person] == nil,
                let nickname = row.text("nickname").flatMap(TextRule.nickname.clip)
            else { continue }
            names[person] =
                person == context.me ? nickname : person.called(nickname)
        }
        return names
    }

    /// Returns a group as a list shows it.
    func summary(_ group: Group) -> GroupSummary {
        GroupSummary(
            id: Key(group.descriptor.id), name: group.name,
            state: group.state(of: context.me),
            role: (group.member(context.me)?.role ?? group.notice?.role).map { GroupRole($0) },
            peopleCount: group.present.count, invitedBy: group.notice.map { Key($0.sender) })
    }
}
