internal import ChatAPI
internal import PluginKit

/// Writing and deleting messages.
extension Chat {
    /// Performs `chat send`.
    func send(_ request: SendMessage) async throws -> ChatMessage {
        let room = try await self.room(named: request.room)
        if let refusal = room.standing.refusal { throw CommandFault.refused(refusal) }
        guard request.text != nil || request.photo != nil else {
            throw CommandFault.usage("Give a text, a photo or both.", field: "text")
        }
        try await context.replica.open(room.descriptor)
        var fields: [String: Value] = [
            "text": .text(request.text?.string ?? ChatLimits.photoText)
        ]
        if let file = request.photo {
            let photo = try await store(.file(path: file.string), in: room.descriptor)
            fields.merge(photo.fields) { _, new in new }
        }
        let ids = try await context.replica.author(
            [
                .create(
                    collection: Self.message.name, nonce: context.random.nonce(),
                    fields: fields)
            ], in: room.descriptor)
        guard let id = ids.first, let message = try await message(id, in: room.descriptor) else {
            throw CommandFault.failed("The message was not stored; try again.")
        }
        return message.answer(
            to: context.me, name: nil, receipts: try await receipts(in: room))
    }

    /// Performs `chat delete`: hides a message from me, or erases one of mine for everybody.
    func delete(_ request: DeleteMessage) async throws -> Done {
        let forEveryone = request.forEveryone ?? false
        let found = try request.id.onlyMatch(
            in: try await find(request.id.entities, isShown: !forEveryone), of: "message",
            listedBy: "chat open")
        if forEveryone {
            try await erase(found)
        } else {
            try await hide(found)
        }
        return Done()
    }

    private func hide(_ found: Found) async throws {
        try await context.replica.author(
            [
                .create(
                    collection: Self.hidden.name, nonce: context.random.nonce(),
                    fields: ["message": .bytes(found.message.id.bytes)])
            ], in: .own(context.me))
        unread.forget(found.space.id)
        await publish([found.space])
        if let room = try await room(found.space.id) { try await settleInbox(of: [room]) }
    }

    private func erase(_ found: Found) async throws {
        guard found.message.author == context.me else {
            throw CommandFault.refused(
                "Only its author can delete a message for everyone; you can delete it for "
                    + "yourself.")
        }
        if let refusal = found.standing.erasingRefusal { throw CommandFault.refused(refusal) }
        try await context.replica.author(
            [.erase(collection: Self.message.name, entity: found.message.id)], in: found.space)
        await publish([found.space])
    }

    /// A message, its space, and my relation to its room.
    struct Found: Sendable {
        let message: Message
        let space: SpaceDescriptor
        /// The number of the space in this replica.
        let number: Int64
        let standing: Room.Standing
    }

    /// Finds at most two messages, even if their space no longer has a room. A message that is
    /// hidden from me can still be erased for everybody.
    func find(_ ids: ClosedRange<EntityID>, isShown: Bool) async throws -> [Found] {
        // Rows are found by space and id, so each space is tried.
        let rows = try await context.replica.rows(
            """
            SELECT m.*, s.descriptor AS descriptor,
                s.person IN (SELECT person FROM host_mate) AS is_mate,
                \(Room.agreementColumns(of: "s.person")),
                w.role AS role, w.state AS state
            FROM waggle_space s
            CROSS JOIN \(isShown ? "chat_shown" : "chat_message") m
                ON m.space = s.space AND m.entity BETWEEN ?1 AND ?2
            LEFT JOIN waggle_member w ON w.space = s.space AND w.person = ?3
            WHERE s.kind IN ('pair', 'group') LIMIT 2
            """,
            [
                .bytes(ids.lowerBound.bytes), .bytes(ids.upperBound.bytes),
                .bytes(context.me.bytes),
            ])
        return rows.compactMap { row in
            guard let message = Message(row), let space = row.descriptor("descriptor"),
                let number = row.integer("space")
            else { return nil }
            // A group without a record of my membership counts as left.
            return Found(
                message: message, space: space, number: number,
                standing: Room.Standing(row, space.kind) ?? .out)
        }
    }

    /// Returns a message of a space, or nil if it is not shown.
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
