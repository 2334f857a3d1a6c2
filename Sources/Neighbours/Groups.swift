internal import PluginKit

/// Groups: beginning one, who is in it, and what is noted there.
extension Neighbours {
    /// Does `group create`.
    func createGroup(_ name: String) async throws -> JSONValue {
        let name = try TextRule.groupName.check(name, field: "name")
        let group = try await context.groups.create()
        try await author(
            [.own(collection: Self.group.name, fields: try await introduction(name: name))],
            in: group)
        return try await groupJSON(group)
    }

    /// Does `group invite`.
    func invite(_ text: String, to group: String, as role: String?) async throws -> JSONValue {
        let group = try await ownedGroup(group)
        let person = try await person(text, field: "person")
        let role = role.flatMap(Role.init(word:)) ?? .writer
        guard person != context.me else {
            throw CommandFault.refused("This is yourself; you own the group already.")
        }
        if let member = group.member(person), member.state == .member, member.role == role {
            throw CommandFault.conflict(
                "This person is in the group already, as \(role.word).")
        }
        let isFull =
            group.member(person)?.isServed != true && group.present.count >= Group.membersCountMax
        guard !isFull else {
            throw CommandFault.refused("A group has at most \(Group.membersCountMax) people.")
        }
        try await context.groups.invite(
            person, to: group.descriptor, as: role, named: group.name)
        return try await groupJSON(group.descriptor)
    }

    /// Does `group accept`.
    func acceptGroup(_ text: String) async throws -> JSONValue {
        let group = try await group(text)
        let state = group.state(of: context.me)
        guard state == .invited else { throw CommandFault.conflict(state.sentence) }
        try await context.groups.accept(group.descriptor)
        try await introduceMyselfAnew()
        try await reconcileGroups()
        return try await groupJSON(group.descriptor)
    }

    /// Does `group decline` and `group leave`, which differ in the state they start from alone.
    func leaveGroup(_ text: String, from wanted: GroupState) async throws -> JSONValue {
        let group = try await group(text)
        let state = group.state(of: context.me)
        guard state == wanted else {
            throw CommandFault.conflict(
                state == .invited
                    ? "You have not accepted this invitation; decline it instead."
                    : state == .member && wanted == .invited
                        ? "You are in this group; leave it instead." : state.sentence)
        }
        try await context.groups.leave(group.descriptor)
        try await reconcileGroups()
        return try await groupJSON(group.descriptor)
    }

    /// Does `group remove`.
    func removeFromGroup(_ text: String, _ group: String) async throws -> JSONValue {
        let group = try await ownedGroup(group)
        let person = try await fellow(text, in: group)
        guard person != context.me else {
            throw CommandFault.refused("This is yourself; leave the group instead.")
        }
        guard group.member(person)?.isServed == true else {
            throw CommandFault.conflict("This person is in the group no more.")
        }
        try await context.groups.remove(person, from: group.descriptor)
        return .record([
            "group": try await groupJSON(group.descriptor), "hint": .string(Self.removalHint),
        ])
    }

    /// What whoever removes somebody should know.
    static let removalHint = """
        They are sent nothing more of this group. What they have read cannot be taken back.
        """

    /// Does `group note`.
    func note(_ text: String, in group: String) async throws -> JSONValue {
        let text = try TextRule.note.check(text, field: "text")
        let group = try await self.group(group)
        let state = group.state(of: context.me)
        guard state == .member else { throw CommandFault.refused(state.sentence) }
        guard group.mayWrite(context.me) else {
            throw CommandFault.refused("You are a reader of this group; its writers write notes.")
        }
        let ids = try await author(
            [
                .create(
                    collection: Self.note.name, nonce: context.random.nonce(),
                    fields: ["text": .text(text), "at_ms": .integer(nowMs)])
            ], in: group.descriptor)
        return ["id": .string(ids.first?.description ?? "")]
    }

    /// Does `group erase`: a note of mine goes from everybody's replica.
    func eraseNote(_ text: String, in group: String) async throws -> JSONValue {
        let group = try await self.group(group)
        let state = group.state(of: context.me)
        guard state == .member else { throw CommandFault.refused(state.sentence) }
        let note = try await context.replica.rows(
            """
            SELECT n.entity AS entity, n.creator AS creator FROM neighbours_note n
            JOIN waggle_space s ON s.space = n.space WHERE s.id = ? AND n.entity = ?
            """,
            [
                .bytes(group.descriptor.id.bytes),
                EntityID(text).map { .bytes($0.bytes) } ?? .null,
            ]
        ).first
        guard let note, let id = note.entity("entity") else {
            throw CommandFault.notFound("There is no note \(text) in this group; see 'group show'.")
        }
        guard note.person("creator") == context.me else {
            throw CommandFault.refused("Only who wrote a note erases it.")
        }
        try await author([.erase(collection: Self.note.name, entity: id)], in: group.descriptor)
        return .object([:])
    }

    /// A group that I may invite to and remove from.
    private func ownedGroup(_ text: String) async throws -> Group {
        let group = try await group(text)
        let state = group.state(of: context.me)
        guard state == .member else { throw CommandFault.refused(state.sentence) }
        guard group.member(context.me)?.role == .owner else {
            throw CommandFault.refused("Only who owns a group invites and removes.")
        }
        return group
    }

    /// A person of a group, by the whole key or its first digits: not all are mates of mine.
    private func fellow(_ text: String, in group: Group) async throws -> PersonID {
        let matching = group.members.map(\.person)
            .filter { $0.description.hasPrefix(text.lowercased()) }
        guard text.count >= Self.suffixDigitsMin, let person = matching.first else {
            throw CommandFault.notFound(
                "Nobody in this group has a key that begins with '\(text)'; see 'group show'.")
        }
        guard matching.count == 1 else {
            throw CommandFault.conflict("Several keys begin with \(text); give more digits.")
        }
        return person
    }

    /// What I write of myself into a group: a name that those read who are no mates of mine.
    private func introduction(name: String? = nil) async throws -> [String: Value] {
        var fields: [String: Value] = [:]
        if let name { fields["name"] = .text(name) }
        if let nickname = try await myCard()["nickname"]?.string {
            fields["nickname"] = .text(nickname)
        }
        return fields
    }

    /// Writes what I am called now into every group that I am in.
    func introduceMyselfAnew() async throws {
        for group in try await groups() where group.mayWrite(context.me) {
            try await introduceMyself(in: group.descriptor)
        }
    }

    /// Writes what I am called into a group, where it does not stand there yet.
    private func introduceMyself(in group: SpaceDescriptor) async throws {
        let fields = try await introduction()
        let known = try await context.replica.rows(
            """
            SELECT g.nickname AS nickname FROM neighbours_group g
            JOIN waggle_space s ON s.space = g.space WHERE s.id = ? AND g.creator = ?
            """, [.bytes(group.id.bytes), .bytes(context.me.bytes)]
        ).first
        guard !fields.isEmpty, known?["nickname"] != fields["nickname"] else { return }
        try await author([.own(collection: Self.group.name, fields: fields)], in: group)
    }
}
