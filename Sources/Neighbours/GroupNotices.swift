public import PluginKit

/// What is said of a group outside of it: to those who are not in it yet, or no more.
extension Neighbours {
    /// Tells a mate that they are invited.
    public func invited(_ person: PersonID, by notice: GroupNotice) async throws {
        try await tell(person, .invited, notice)
    }

    /// Tells a mate that they were removed; of somebody else nobody is told.
    public func removed(_ person: PersonID, from group: SpaceDescriptor) async throws {
        guard try await relation(to: person) == .mate else { return }
        let known = try await groups().first { $0.descriptor == group }
        let said = try await saidNotices(to: person).last { $0.group == group }
        try await tell(
            person, .removed,
            GroupNotice(
                group: group, feature: said?.feature ?? Self.manifest.id,
                name: known?.name ?? said?.name ?? Notice.nameless, role: said?.role ?? .reader))
    }

    private func tell(
        _ person: PersonID, _ word: Notice.Word, _ notice: GroupNotice
    ) async throws {
        try await author(
            [
                .create(
                    collection: Self.notice.name, nonce: context.random.nonce(),
                    fields: [
                        "descriptor": .bytes(notice.group.encoded),
                        "feature": .text(notice.feature), "name": .text(notice.name),
                        "role": .text(notice.role.word), "word": .text(word.rawValue),
                        "at_ms": .integer(nowMs),
                    ])
            ], in: pair(with: person))
    }

    /// What others told me, by group; of each person's only the groups they named last.
    func noticesByGroup() async throws -> [SpaceDescriptor: [Notice]] {
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

    /// The notice that says how I stand with a group: the newest of somebody who owns it. Before
    /// its own records are here, who owns it is not known, and the sender is taken at their word.
    static func newest(
        _ notices: [Notice], for me: PersonID, among members: [Member]
    ) -> Notice? {
        guard members.contains(where: { $0.person == me }) else { return notices.first }
        let owners = Set(members.filter { $0.isServed && $0.role == .owner }.map(\.person))
        return notices.first { owners.contains($0.sender) }
    }

    /// What I told a person, in order.
    private func saidNotices(to person: PersonID) async throws -> [Notice] {
        try await context.replica.rows(
            """
            SELECT n.*, n.creator AS sender FROM neighbours_invitation n
            JOIN waggle_space s ON s.space = n.space
            WHERE s.kind = 'pair' AND s.person = ? AND n.creator <> s.person
            ORDER BY n.stamp, n.entity
            """, [.bytes(person.bytes)]
        ).compactMap(Notice.init)
    }

    /// Brings in line what follows from groups: opens those I am invited to, tells whom I invited
    /// how they stand now, and keeps the inbox. Doing it again changes nothing.
    func reconcileGroups() async throws {
        try await openNamedGroups()
        try await retellInvited()
        try await reconcileGroupInbox()
    }

    private func openNamedGroups() async throws {
        let known = Set(
            try await context.replica.rows("SELECT id FROM waggle_space WHERE kind = 'group'")
                .compactMap { $0.bytes("id") })
        for (group, notices) in try await noticesByGroup()
        where notices.first?.word == .invited && !known.contains(group.id.bytes) {
            try await context.replica.open(group)
        }
    }

    /// Somebody else who owns the group may have removed a person I invited, or let them in again:
    /// the last I told them says how they stand.
    private func retellInvited() async throws {
        let people = Set(
            try await context.replica.rows(
                """
                SELECT DISTINCT s.person AS person FROM neighbours_invitation n
                JOIN waggle_space s ON s.space = n.space
                WHERE s.kind = 'pair' AND n.creator <> s.person
                """
            ).compactMap { $0.person("person") })
        for person in people.sorted() where try await relation(to: person) == .mate {
            let said = Dictionary(
                try await saidNotices(to: person).map { ($0.group, $0) },
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
        // Only the word of one who owns the group is heard.
        let mine = members.first { $0.person == context.me }
        guard mine?.role == .owner, mine?.isServed == true,
            let member = members.first(where: { $0.person == person })
        else { return }
        let word: Notice.Word = member.state == .removed ? .removed : .invited
        guard last.word != word, member.state != .left else { return }
        try await tell(
            person, word,
            GroupNotice(group: group, feature: last.feature, name: last.name, role: member.role))
    }

    /// The word for invitations in the inbox, which is also the noun that answers them.
    static let groupKind = "group"

    /// An invitation stays in the inbox as long as it can be answered.
    private func reconcileGroupInbox() async throws {
        let open = try await groups().filter { $0.state(of: context.me) == .invited }
        let posted = try await inboxReferences(ofKind: Self.groupKind)
        let answerable = Dictionary(
            open.compactMap { group in group.notice.map { ($0.id.description, group) } },
            uniquingKeysWith: { first, _ in first })
        for (reference, isHandled) in posted.sorted(by: { $0.key < $1.key })
        where !isHandled && answerable[reference] == nil {
            try await settleInbox(reference: reference)
        }
        for (reference, group) in answerable.sorted(by: { $0.key < $1.key })
        where posted[reference] == nil {
            try await postToInbox(
                InboxItem(
                    kind: Self.groupKind, reference: reference,
                    title: "A mate invites you to a group",
                    body: "As \(group.member(context.me)?.role.word ?? "reader"), with "
                        + "\(group.present.count - 1) others.",
                    actions: ["accept", "decline"], from: group.notice?.sender))
        }
    }
}

extension Notice {
    /// What the inbox shows of an invitation.
    func inboxTitle(name: String?) -> String {
        "\(name ?? "A mate (\(sender.suffix))") invites you to \(self.name)"
    }
}
