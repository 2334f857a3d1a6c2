internal import PluginKit

/// Notices: messages about a group outside of it, to people who are not yet or no longer in it.
struct GroupNotices: Sendable {
    let context: PluginContext

    /// Sends a mate a notice about a group.
    func tell(_ person: PersonID, _ kind: Notice.Kind, _ notice: GroupNotice) async throws {
        try await context.author(
            [
                .create(
                    collection: Groups.notice.name, nonce: context.random.nonce(),
                    fields: [
                        "descriptor": .bytes(notice.group.encoded),
                        "feature": .text(notice.feature), "name": .text(notice.name),
                        "role": .text(notice.role.name), "word": .text(kind.rawValue),
                        "at_ms": .integer(context.now.milliseconds),
                    ])
            ], in: context.pair(with: person))
    }

    /// Returns the notices that I received, by group, the newest first. For each sender only the
    /// groups that they named last count.
    func received() async throws -> [SpaceDescriptor: [Notice]] {
        let rows = try await context.replica.rows(
            "SELECT * FROM neighbours_notices ORDER BY stamp DESC, entity")
        var groupsBySender: [PersonID: Set<SpaceDescriptor>] = [:]
        var notices: [SpaceDescriptor: [Notice]] = [:]
        for notice in rows.compactMap(Notice.init) {
            var named = groupsBySender[notice.sender] ?? []
            guard named.contains(notice.group) || named.count < Notice.perSenderMax else {
                continue
            }
            named.insert(notice.group)
            groupsBySender[notice.sender] = named
            notices[notice.group, default: []].append(notice)
        }
        return notices
    }

    /// Returns the notices that I sent to a person, in order.
    func said(to person: PersonID) async throws -> [Notice] {
        try await context.replica.rows(
            """
            SELECT n.*, n.creator AS sender FROM neighbours_invitation n
            JOIN waggle_space s ON s.space = n.space
            WHERE s.kind = 'pair' AND s.person = ? AND n.creator <> s.person
            ORDER BY n.stamp, n.entity
            """, [.bytes(person.bytes)]
        ).compactMap(Notice.init)
    }

    /// Opens the groups to which mates invited me.
    func openNamedGroups() async throws {
        let known = Set(
            try await context.replica.rows("SELECT id FROM waggle_space WHERE kind = 'group'")
                .compactMap { $0.bytes("id") })
        for (group, notices) in try await received() where !known.contains(group.id.bytes) {
            guard let last = notices.first, last.kind == .invited,
                try await context.core.relation(to: last.sender) == .mate
            else { continue }
            try await context.replica.open(group)
        }
    }

    /// Sends the people I invited their current state in the group: another owner may have removed
    /// them or admitted them again, and the last notice from me must say so.
    func retellInvited() async throws {
        let people = Set(
            try await context.replica.rows(
                """
                SELECT DISTINCT s.person AS person FROM neighbours_invitation n
                JOIN waggle_space s ON s.space = n.space
                WHERE s.kind = 'pair' AND n.creator <> s.person
                """
            ).compactMap { $0.person("person") })
        for person in people.sorted()
        where try await context.core.relation(to: person) == .mate {
            let said = Dictionary(
                try await said(to: person).map { ($0.group, $0) },
                uniquingKeysWith: { _, later in later })
            for (group, last) in said.sorted(by: { $0.key.id < $1.key.id }) {
                try await retell(person, after: last, of: group)
            }
        }
    }

    private func retell(
        _ person: PersonID, after last: Notice, of group: SpaceDescriptor
    ) async throws {
        let members = try await context.replica.members(of: group)
        // Others believe only a notice from an owner of the group.
        let mine = members.first { $0.person == context.me }
        guard mine?.role == .owner, mine?.isServed == true,
            let member = members.first(where: { $0.person == person })
        else { return }
        let kind: Notice.Kind = member.state == .removed ? .removed : .invited
        guard last.kind != kind, member.state != .left else { return }
        try await tell(
            person, kind,
            GroupNotice(group: group, feature: last.feature, name: last.name, role: member.role))
    }
}
