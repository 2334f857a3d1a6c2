internal import PluginKit

/// What is shown of groups.
extension Neighbours {
    /// How many notes a group shows, newest first.
    static let notesListedCountMax: Int64 = 200

    /// The groups of this feature, by name and then id.
    func groups() async throws -> [Group] {
        let rows = try await context.replica.rows(
            """
            SELECT s.descriptor AS descriptor, g.name AS name FROM waggle_space s
            LEFT JOIN neighbours_group g ON g.space = s.space AND g.creator = s.person
            WHERE s.kind = 'group'
            """)
        let members = try await allMembers()
        let notices = try await noticesByGroup()
        return rows.compactMap { row -> Group? in
            guard let descriptor = row.descriptor("descriptor") else { return nil }
            let known = members[descriptor] ?? []
            let notice = Self.newest(notices[descriptor] ?? [], for: context.me, among: known)
            let name = row.text("name").flatMap(TextRule.groupName.clip)
            guard name != nil || notice?.feature == Self.manifest.id else { return nil }
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

    /// The group a command names: by its id, by six or more of its first digits, or by the id of
    /// an invitation to it.
    /// - Throws: ``CommandFault`` usage, conflict where several ids begin so, or notFound.
    func group(_ text: String) async throws -> Group {
        guard text.count >= Self.suffixDigitsMin, text.allSatisfy(\.isHexDigit) else {
            throw CommandFault.usage(
                "A group is named by its id, or by its first \(Self.suffixDigitsMin) or more "
                    + "digits; see 'group list'.", field: "group")
        }
        let groups = try await groups()
        let digits = text.lowercased()
        if let invited = groups.first(where: { $0.notice?.id.description == digits }) {
            return invited
        }
        let matching = groups.filter { $0.descriptor.id.description.hasPrefix(digits) }
        guard let group = matching.first else {
            throw CommandFault.notFound("No group's id begins with \(text); see 'group list'.")
        }
        guard matching.count == 1 else {
            throw CommandFault.conflict("Several groups' ids begin with \(text); give more digits.")
        }
        return group
    }

    /// Answers `group list`.
    func listGroups() async throws -> JSONValue {
        ["groups": .array(try await groups().map { .object(summary($0)) })]
    }

    /// What the commands that change a group answer.
    func groupJSON(_ descriptor: SpaceDescriptor) async throws -> JSONValue {
        guard let group = try await groups().first(where: { $0.descriptor == descriptor }) else {
            throw CommandFault.failed("The group was not stored; try again.")
        }
        return .object(summary(group))
    }

    private func summary(_ group: Group) -> [String: JSONValue] {
        let members: [String: JSONValue?] = [
            "id": .string(group.descriptor.id.description), "name": .string(group.name),
            "state": .string(group.state(of: context.me).rawValue),
            "role": (group.member(context.me)?.role ?? group.notice?.role).map {
                .string($0.word)
            },
            "peopleCount": .integer(Int64(group.present.count)),
            "invitedBy": group.notice.map { .string($0.sender.description) },
        ]
        return members.compactMapValues { $0 }
    }

    /// Answers `group show`.
    func showGroup(_ text: String) async throws -> JSONValue {
        let group = try await group(text)
        let names = try await names(in: group)
        let blocked = try await blockedPersons()
        var answer = summary(group)
        answer["members"] = .array(
            group.members.map { member in
                .record([
                    "person": .string(member.person.description),
                    "suffix": .string(member.person.suffix),
                    "name": blocked.contains(member.person)
                        ? nil : names[member.person].map { .string($0) },
                    "role": .string(member.role.word), "state": .string(member.state.rawValue),
                    "me": .boolean(member.person == context.me),
                ])
            })
        answer["notes"] = .array(try await notes(in: group, names, hiding: blocked))
        return .object(answer)
    }

    private func notes(
        in group: Group, _ names: [PersonID: String], hiding blocked: Set<PersonID>
    ) async throws -> [JSONValue] {
        try await context.replica.rows(
            """
            SELECT n.* FROM neighbours_note n JOIN waggle_space s ON s.space = n.space
            WHERE s.id = ? ORDER BY n.stamp DESC, n.entity LIMIT ?
            """, [.bytes(group.descriptor.id.bytes), .integer(Self.notesListedCountMax)]
        ).compactMap { row in
            guard let id = row.entity("entity"), let writer = row.person("creator"),
                let text = row.text("text").flatMap(TextRule.note.clip), !blocked.contains(writer)
            else { return nil }
            return .record([
                "id": .string(id.description), "text": .string(text),
                "person": .string(writer.description),
                "name": .string(names[writer] ?? writer.suffix),
                "atMs": row.integer("at_ms").map { .integer($0) },
            ])
        }
    }

    /// What to call the people of a group: mates as always, others as they introduced themselves,
    /// with the end of their key, since names are not unique.
    private func names(in group: Group) async throws -> [PersonID: String] {
        var names = try await names()
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
                person == context.me ? nickname : "\(nickname) · \(person.suffix)"
        }
        return names
    }

    private func blockedPersons() async throws -> Set<PersonID> {
        Set(
            try await context.replica.rows("SELECT person FROM neighbours_blocked")
                .compactMap { $0.person("person") })
    }

    /// The shape of a group in a list.
    static let groupMembers: [String: Shape] = [
        "id": .text, "name": .text, "state": .text, "role?": .text, "peopleCount": .integer,
        "invitedBy?": .text,
    ]

    /// The shape of `group show`.
    static let groupShape = Shape.object(
        groupMembers.merging([
            "members": .list(
                .object([
                    "person": .text, "suffix": .text, "name?": .text, "role": .text,
                    "state": .text, "me": .boolean,
                ])),
            "notes": .list(
                .object([
                    "id": .text, "text": .text, "person": .text, "name": .text,
                    "atMs?": .integer,
                ])),
        ]) { group, _ in group })
}
