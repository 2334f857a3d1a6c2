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
        guard let (message, space) = try await find(id, isShown: !forEveryone) else {
            throw CommandFault.notFound("There is no message \(text); see 'chat open'.")
        }
        guard forEveryone else {
            try await context.replica.author(
                [
                    .create(
                        collection: Self.hidden.name, nonce: context.random.nonce(),
                        fields: ["message": .bytes(id.bytes)])
                ], in: .own(context.me))
            await publish([space])
            if let room = try await room(space.id) { try await settleInbox(of: [room]) }
            return .object([:])
        }
        guard message.author == context.me else {
            throw CommandFault.refused(
                "Only who wrote a message takes it from everybody; you can delete it for yourself.")
        }
        try await context.replica.author(
            [.erase(collection: Self.message.name, entity: id)], in: space)
        await publish([space])
        return .object([:])
    }

    /// A message, and the space it is in. One that is hidden from me can still be taken from
    /// everybody.
    private func find(
        _ id: EntityID, isShown: Bool
    ) async throws -> (Message, SpaceDescriptor)? {
        // Rows are found by space and id; so each space is tried.
        let row = try await context.replica.rows(
            """
            SELECT m.*, s.descriptor AS descriptor FROM waggle_space s
            CROSS JOIN \(isShown ? "chat_shown" : "chat_message") m
                ON m.space = s.space AND m.entity = ?
            WHERE s.kind IN ('pair', 'group')
            """, [.bytes(id.bytes)]
        ).first
        guard let row, let message = Message(row), let space = row.descriptor("descriptor") else {
            return nil
        }
        return (message, space)
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
