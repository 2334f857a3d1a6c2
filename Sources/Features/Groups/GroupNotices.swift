internal import PluginKit

/// Notices: messages about a group outside of it, to people who are not yet or no longer in it.
struct GroupNotices: Sendable {
    let context: PluginContext
    /// Limits how many groups are opened because of invitations.
    private let openings = CausedWrites()
    /// Limits the notices that I write because other owners change members.
    private let tellings = CausedWrites()

    init(context: PluginContext) { self.context = context }

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
    /// - Parameter blocked: whether those of people I block are among them.
    func received(ofBlocked blocked: Bool = false) async throws -> [SpaceDescriptor: [Notice]] {
        let view = blocked ? "neighbours_all_notices" : "neighbours_notices"
        let rows = try await context.replica.rows(
            "SELECT * FROM \(view) ORDER BY stamp DESC, entity")
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

    /// Opens the groups to which mates invited me, and closes the groups that I never joined and
    /// that are not among them any more; see ``OpenInvitations``. A group that is open stays so if
    /// its inviter is no mate any more, so that I can still decline.
    func openNamedGroups() async throws {
        let rows = try await context.replica.rows(
            """
            SELECT s.descriptor AS descriptor, s.person = ?1 OR EXISTS (SELECT 1 FROM waggle_log l
                WHERE l.space = s.space AND l.person = ?1)
                OR s.descriptor IN (SELECT descriptor FROM neighbours_own_group) AS is_mine
            FROM waggle_space s WHERE s.kind = 'group'
            """, [.bytes(context.me.bytes)])
        let known = Dictionary(
            rows.compactMap { row in
                row.descriptor("descriptor").map { ($0, row.isTrue("is_mine")) }
            }, uniquingKeysWith: { first, _ in first })
        let mates = try await context.replica.people(in: SharedViews.mates)
        let open = OpenInvitations(
            among: try await received(ofBlocked: true).compactMap { group, notices in
                guard known[group] != true, let last = notices.first else { return nil }
                let mayOpen = last.kind == .invited && mates.contains(last.sender)
                return known[group] == false || mayOpen ? last : nil
            })
        let groups = Set(open.notices.map(\.group))
        let gone = known.filter { !$0.value && !groups.contains($0.key) }.keys
        if !gone.isEmpty { try await context.groups.close(gone.sorted { $0.id < $1.id }) }
        for notice in open.notices where known[notice.group] == nil {
            guard openings.permit(.person(notice.sender), now: context.clock.uptime) else {
                continue
            }
            try await context.replica.open(notice.group)
        }
    }

    /// Returns the time until a group may be opened or a person told that must wait; nil if none
    /// waits.
    func untilRetry() -> Duration? {
        let now = context.clock.uptime
        return [openings.untilRetry(now: now), tellings.untilRetry(now: now)].compactMap { $0 }
            .min()
    }

    /// Returns whether what had to wait should be tried again now.
    func removeRetry() -> Bool {
        let now = context.clock.uptime
        let isOpening = openings.removeRetry(now: now)
        return tellings.removeRetry(now: now) || isOpening
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
        // Another owner may remove and admit them as often as they like.
        guard tellings.permit(.person(person), now: context.clock.uptime) else { return }
        try await tell(
            person, kind,
            GroupNotice(group: group, feature: last.feature, name: last.name, role: member.role))
    }
}
