internal import PluginKit

/// Blocks: local, silent, with a reason for myself.
extension Neighbours {
    /// Why somebody is blocked.
    enum BlockReason: String, CaseIterable {
        case violent, unpleasant, other
    }

    func isBlocked(_ person: PersonID) async throws -> Bool {
        try await !context.replica.rows(
            "SELECT person FROM neighbours_blocked WHERE person = ?", [.bytes(person.bytes)]
        ).isEmpty
    }

    /// Blocks a person. A mateship ends too, and nobody tells them.
    func block(_ person: PersonID, because reason: String, text: String?) async throws {
        guard person != context.me else {
            throw CommandFault.refused("You cannot block yourself.")
        }
        let text = try text.map { try TextRule.blockText.check($0, field: "text") }
        let fields: [String: Value] = [
            "is_active": .boolean(true), "reason": .text(reason),
            "text": text.map { .text($0) } ?? .null, "at_ms": .integer(nowMs),
        ]
        // The block stands before the edge goes: not even the end of a mateship is sent.
        if let known = try await blockEntities(of: person).first {
            try await author(
                [.set(collection: Self.block.name, entity: known, fields: fields)],
                in: .own(context.me))
        } else {
            let created = fields.filter { $0.value != .null }
                .merging(["person": .bytes(person.bytes)]) { _, new in new }
            try await author(
                [
                    .create(
                        collection: Self.block.name, nonce: context.random.nonce(), fields: created)
                ], in: .own(context.me))
        }
        if try await edges(with: person)?.meeting != nil {
            try await unmate(person)
        } else {
            try await rotateTagKey()
        }
    }

    /// Takes a block back.
    /// - Throws: ``CommandFault/notFound(_:)`` where there is none.
    func unblock(_ person: PersonID) async throws {
        guard try await isBlocked(person) else {
            throw CommandFault.notFound("This person is not blocked; see 'mates blocked'.")
        }
        let edits = try await blockEntities(of: person).map {
            Edit.set(
                collection: Self.block.name, entity: $0, fields: ["is_active": .boolean(false)])
        }
        try await author(edits, in: .own(context.me))
    }

    /// Answers `mates blocked`.
    func listBlocked() async throws -> JSONValue {
        let rows = try await context.replica.rows(
            """
            SELECT b.*, a.nickname AS nickname FROM neighbours_block b
            LEFT JOIN neighbours_acquaintance a ON a.person = b.person
            WHERE b.is_active = 1 ORDER BY b.at_ms DESC
            """)
        var seen: Set<PersonID> = []
        let blocked = rows.compactMap { row -> JSONValue? in
            guard let person = row.person("person"), seen.insert(person).inserted else {
                return nil
            }
            return .record([
                "person": .string(person.description), "suffix": .string(person.suffix),
                "name": row.text("nickname").flatMap(TextRule.nickname.clip).map { .string($0) },
                "reason": row.text("reason").flatMap(BlockReason.init).map { .string($0.rawValue) },
                "text": row.text("text").flatMap(TextRule.blockText.clip).map { .string($0) },
                "atMs": row.integer("at_ms").map { .integer($0) },
            ])
        }
        return ["blocked": .array(blocked)]
    }

    private func blockEntities(of person: PersonID) async throws -> [EntityID] {
        try await context.replica.rows(
            "SELECT entity FROM neighbours_block WHERE person = ?", [.bytes(person.bytes)]
        ).compactMap { $0.entity("entity") }
    }
}
