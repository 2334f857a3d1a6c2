internal import PluginKit

/// Writing and deleting messages.
extension Chat {
    /// Does `chat send`.
    func send(_ text: String, to room: String) async throws -> JSONValue {
        let text = try ChatLimits.text.check(text, field: "text")
        let room = try await self.room(named: room)
        if let refusal = room.standing.refusal { throw CommandFault.refused(refusal) }
        try await context.replica.open(room.descriptor)
        let ids = try await context.replica.author(
            [
                .create(
                    collection: Self.message.name, nonce: context.random.nonce(),
                    fields: ["text": .text(text)])
            ], in: room.descriptor)
        guard let id = ids.first, let message = try await message(id, in: room.descriptor) else {
            throw CommandFault.failed("The message was not stored; try again.")
        }
        return message.json(
            me: context.me, name: nil, receipts: try await receipts(in: room))
    }

    /// Does `chat delete`: hides a message from me, or takes one of mine from everybody.
    func delete(_ text: String, forEveryone: Bool) async throws -> JSONValue {
        guard let id = EntityID(text) else {
            throw CommandFault.usage(
                "A message is named by 32 hexadecimal digits; see 'chat open'.", field: "id")
        }
        guard let found = try await find(id, isShown: !forEveryone) else {
            throw CommandFault.notFound("There is no message \(text); see 'chat open'.")
        }
        guard forEveryone else {
            try await context.replica.author(
                [
                    .create(
                        collection: Self.hidden.name, nonce: context.random.nonce(),
                        fields: ["message": .bytes(id.bytes)])
                ], in: .own(context.me))
            await publish([found.space])
            if let room = try await room(found.space.id) { try await settleInbox(of: [room]) }
            return .object([:])
        }
        guard found.message.author == context.me else {
            throw CommandFault.refused(
                "Only who wrote a message takes it from everybody; you can delete it for yourself.")
        }
        if let refusal = found.standing.erasingRefusal { throw CommandFault.refused(refusal) }
        try await context.replica.author(
            [.erase(collection: Self.message.name, entity: id)], in: found.space)
        await publish([found.space])
        return .object([:])
    }

    /// A message, the space it is in, and how I stand there.
    private struct Found {
        let message: Message
        let space: SpaceDescriptor
        let standing: Room.Standing
    }

    /// Finds a message, also where its space has no room any more. One that is hidden from me can
    /// still be taken from everybody.
    private func find(_ id: EntityID, isShown: Bool) async throws -> Found? {
        // Rows are found by space and id; so each space is tried.
        let row = try await context.replica.rows(
            """
            SELECT m.*, s.descriptor AS descriptor,
                s.person IN (SELECT person FROM host_mate) AS is_mate,
                w.role AS role, w.state AS state
            FROM waggle_space s
            CROSS JOIN \(isShown ? "chat_shown" : "chat_message") m
                ON m.space = s.space AND m.entity = ?1
            LEFT JOIN waggle_member w ON w.space = s.space AND w.person = ?2
            WHERE s.kind IN ('pair', 'group')
            """, [.bytes(id.bytes), .bytes(context.me.bytes)]
        ).first
        guard let row, let message = Message(row), let space = row.descriptor("descriptor") else {
            return nil
        }
        // Of a group that says nothing of me I am no part.
        return Found(
            message: message, space: space, standing: Room.Standing(row, space.kind) ?? .out)
    }

    /// A message of a space, or nil where it is not shown.
    func message(
        _ id: EntityID, in space: SpaceDescriptor
    ) async throws -> Message? {
        try await context.replica.rows(
            """
            SELECT m.* FROM chat_shown m JOIN waggle_space s ON s.space = m.space
            WHERE s.id = ? AND m.entity = ?
            """, [.bytes(space.id.bytes), .bytes(id.bytes)]
        ).first.flatMap(Message.init)
    }
}
