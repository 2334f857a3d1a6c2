internal import FeaturesAPI
internal import PluginKit

/// Groups: creation, members, and notes to all members. All of their data is in the tables.
struct Groups: Feature {
    let context: PluginContext
    let directory: GroupDirectory
    let notices: GroupNotices
    let inbox: GroupInbox
    private let notes: GroupNotes
    private let ownGroups: OwnGroups
    /// Rings when an invitation or a notice must wait.
    private let alarm: Alarm

    /// Creates the feature.
    init(context: PluginContext, alarm: Alarm) {
        self.context = context
        self.alarm = alarm
        notices = GroupNotices(context: context)
        directory = GroupDirectory(context: context, notices: notices)
        inbox = GroupInbox(context: context, directory: directory, notices: notices)
        notes = GroupNotes(context: context)
        ownGroups = OwnGroups(context: context)
    }

    func start() async throws { try await reconcile() }

    func tick() async throws {
        if notices.removeRetry() { try await reconcile() }
    }

    func untilDue() -> Duration? { notices.untilRetry() }

    func applied(_ changes: [RecordChange]) async throws {
        if changes.contains(where: { $0.collection == Self.ownGroup.name }) {
            try await ownGroups.open()
        }
        if changes.contains(where: { $0.collection == Self.notice.name }) {
            try await reconcile()
        }
    }

    /// Follows the members: notes may become valid or void, and I may be invited or removed.
    func membersChanged(in group: SpaceDescriptor) async throws {
        try await reconcile()
        await context.publish(
            GroupEvents.changed, GroupChange(group: Key(group.id), part: .members))
    }

    func events(after changes: [RecordChange]) -> [EventMessage] {
        changes.map { change in
            let group = Key(change.space.id)
            let changed =
                switch change.collection {
                case Self.group.name: GroupChange(group: group, part: .names)
                case Self.note.name: GroupChange(group: group, part: .notes)
                default: GroupChange(part: .notices)
                }
            return EventMessage(GroupEvents.changed, changed)
        }
    }

    /// Follows a mateship that began or ended: invitations from a former mate leave
    /// the inbox.
    func relationsChanged() async throws { try await reconcile() }

    /// Writes of a group that was made here, by any plugin, for my other devices.
    func made(_ group: SpaceDescriptor) async throws { try await ownGroups.record([group]) }

    /// Writes my changed nickname into every group that I am in.
    func myCardChanged() async throws { try await introduceMyself() }

    /// Opens the groups I am invited to and closes those that I never joined and whose invitations
    /// do not count any more, tells the people I invited their current state in them, and updates
    /// the inbox. Repeating this changes nothing.
    private func reconcile() async throws {
        try await ownGroups.reconcile()
        try await notices.openNamedGroups()
        try await notices.retellInvited()
        try await inbox.reconcile()
        if notices.untilRetry() != nil { alarm.ring() }
    }

    // MARK: - Members

    /// Performs `group create`.
    func create(_ name: GroupName) async throws -> GroupSummary {
        let group = try await context.groups.create()
        try await context.replica.author(
            [.own(collection: Self.group.name, fields: try await introduction(name: name.string))],
            in: group)
        return try await summary(of: group)
    }

    /// Performs `group invite`.
    func invite(_ request: InviteToGroup) async throws -> GroupSummary {
        let group = try await ownedGroup(request.group)
        let person = try await context.core.person(request.person)
        let role = request.role.map { Role($0) } ?? .writer
        guard person != context.me else {
            throw CommandFault.refused("This is you; you own the group already.")
        }
        if let member = group.member(person), member.state == .member, member.role == role {
            throw CommandFault.conflict(
                "This person is in the group already, as \(Sentence(declared: role.name)).")
        }
        let isFull =
            group.member(person)?.isServed != true && group.present.count >= Group.membersCountMax
        guard !isFull else {
            throw CommandFault.refused("A group has at most \(Group.membersCountMax) people.")
        }
        try await context.groups.invite(
            person, to: group.descriptor, as: role, named: group.name)
        return try await summary(of: group.descriptor)
    }

    /// Performs `group accept`.
    func accept(_ wanted: NameOrKey) async throws -> GroupSummary {
        let group = try await directory.group(wanted)
        let state = group.state(of: context.me)
        guard state == .invited else { throw CommandFault.conflict(state.sentence) }
        try await context.groups.accept(group.descriptor)
        try await introduceMyself()
        try await reconcile()
        return try await summary(of: group.descriptor)
    }

    /// Performs `group decline` and `group leave`, which differ only in the state they start from.
    func leave(_ named: NameOrKey, from wanted: GroupState) async throws -> GroupSummary {
        let group = try await directory.group(named)
        let state = group.state(of: context.me)
        guard state == wanted else {
            throw CommandFault.conflict(
                state == .invited
                    ? "You have not accepted this invitation; decline it instead."
                    : state == .member && wanted == .invited
                        ? "You are in this group; leave it instead." : state.sentence)
        }
        try await context.groups.leave(group.descriptor)
        try await reconcile()
        return try await summary(of: group.descriptor)
    }

    /// Performs `group remove`.
    func remove(_ wanted: NameOrKey, from group: NameOrKey) async throws -> GroupRemoval {
        let group = try await ownedGroup(group)
        let person = try await directory.person(wanted, in: group)
        guard person != context.me else {
            throw CommandFault.refused("This is you; leave the group instead.")
        }
        guard group.member(person)?.isServed == true else {
            throw CommandFault.conflict("This person is not in the group any more.")
        }
        try await context.groups.remove(person, from: group.descriptor)
        return GroupRemoval(
            group: try await summary(of: group.descriptor), hint: Self.removalHint)
    }

    /// The advice for a person who removes another.
    static let removalHint: Sentence = """
        They receive nothing more from this group. What they have read cannot be taken back.
        """

    /// Tells a person that they were removed, if they are a mate; others receive no notice.
    func tellRemoved(_ person: PersonID, from group: SpaceDescriptor) async throws {
        guard try await context.core.relation(to: person) == .mate else { return }
        let known = try await directory.groups().first { $0.descriptor == group }
        let said = try await notices.said(to: person).last { $0.group == group }
        try await notices.tell(
            person, .removed,
            GroupNotice(
                group: group, feature: said?.feature ?? CoreFeatures.id,
                name: known?.name ?? said?.name ?? Notice.nameless, role: said?.role ?? .reader))
    }

    /// Returns a group that I may invite to and remove from.
    private func ownedGroup(_ wanted: NameOrKey) async throws -> Group {
        let group = try await directory.group(wanted)
        let state = group.state(of: context.me)
        guard state == .member else { throw CommandFault.refused(state.sentence) }
        guard group.member(context.me)?.role == .owner else {
            throw CommandFault.refused("Only an owner of the group can invite and remove people.")
        }
        return group
    }

    // MARK: - Introducing myself

    /// Returns the fields that I write about myself into a group.
    private func introduction(name: String? = nil) async throws -> [String: Value] {
        var fields: [String: Value] = [:]
        if let name { fields["name"] = .text(name) }
        if let nickname = try await context.core.myCard().nickname {
            fields["nickname"] = .text(nickname)
        }
        return fields
    }

    /// Writes my nickname into every group in which I may write and that does not have it yet.
    private func introduceMyself() async throws {
        let fields = try await introduction()
        guard !fields.isEmpty else { return }
        for group in try await directory.groups() where group.mayWrite(context.me) {
            let known = try await context.replica.rows(
                """
                SELECT g.nickname AS nickname FROM neighbours_group g
                JOIN waggle_space s ON s.space = g.space WHERE s.id = ? AND g.creator = ?
                """, [.bytes(group.descriptor.id.bytes), .bytes(context.me.bytes)]
            ).first
            guard known?["nickname"] != fields["nickname"] else { continue }
            try await context.author(
                [.own(collection: Self.group.name, fields: fields)], in: group.descriptor)
        }
    }

    // MARK: - Notes and answers

    /// Performs `group note`.
    func writeNote(_ request: WriteNote) async throws -> NoteReceipt {
        let group = try await joinedGroup(request.group)
        guard group.mayWrite(context.me) else {
            throw CommandFault.refused(
                "You are a reader of this group; only writers can write notes.")
        }
        return NoteReceipt(id: RecordKey(try await notes.add(request.text, to: group)))
    }

    /// Performs `group erase`.
    func eraseNote(_ id: RecordPrefix, in group: NameOrKey) async throws -> Done {
        try await notes.erase(id, in: try await joinedGroup(group))
        return Done()
    }

    /// Returns a group that I am in.
    private func joinedGroup(_ wanted: NameOrKey) async throws -> Group {
        let group = try await directory.group(wanted)
        let state = group.state(of: context.me)
        guard state == .member else { throw CommandFault.refused(state.sentence) }
        return group
    }

    /// Answers `group list`.
    func list() async throws -> GroupList {
        GroupList(groups: try await directory.groups().map { directory.summary($0) })
    }

    /// Returns the answer of the commands that change a group.
    private func summary(of descriptor: SpaceDescriptor) async throws -> GroupSummary {
        let groups = try await directory.groups()
        guard let group = groups.first(where: { $0.descriptor == descriptor }) else {
            throw CommandFault.failed("The group was not stored; try again.")
        }
        return directory.summary(group)
    }

    /// Answers `group show`.
    func show(_ wanted: NameOrKey) async throws -> GroupDetail {
        let group = try await directory.group(wanted)
        let names = try await directory.names(in: group)
        let blocked = try await context.blockedPeople()
        let members = group.members.map { member in
            GroupDetail.Member(
                person: Key(member.person), suffix: KeySuffix(member.person),
                name: blocked.contains(member.person) ? nil : names[member.person],
                role: GroupRole(member.role), state: .init(member.state),
                me: member.person == context.me)
        }
        let summary = directory.summary(group)
        return GroupDetail(
            id: summary.id, name: summary.name.string, state: summary.state, role: summary.role,
            peopleCount: summary.peopleCount.value, invitedBy: summary.invitedBy, members: members,
            notes: try await notes.list(in: group, names: names, hiding: blocked))
    }
}
