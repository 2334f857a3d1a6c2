internal import FeaturesAPI
internal import PluginKit

/// The people I blocked. A block is local and silent, and has a reason for my own use.
struct Blocks: Sendable {
    let context: PluginContext

    /// Returns whether a person is blocked.
    func contains(_ person: PersonID) async throws -> Bool {
        try await !context.replica.rows(
            "SELECT person FROM neighbours_blocked WHERE person = ?", [.bytes(person.bytes)]
        ).isEmpty
    }

    /// Stores a block, in place of an earlier one of the same person.
    func add(
        _ person: PersonID, because reason: BlockReason, text: BlockText?
    ) async throws {
        guard person != context.me else {
            throw CommandFault.refused("You cannot block yourself.")
        }
        let fields: [String: Value] = [
            "is_active": .boolean(true), "reason": .text(reason.rawValue),
            "text": text.map { .text($0.string) } ?? .null,
            "at_ms": .integer(context.now.milliseconds),
        ]
        if let known = try await entities(of: person).first {
            try await write([.set(collection: Mates.block.name, entity: known, fields: fields)])
        } else {
            let created = fields.filter { $0.value != .null }
                .merging(["person": .bytes(person.bytes)]) { _, new in new }
            try await write([
                .create(
                    collection: Mates.block.name, nonce: context.random.nonce(), fields: created)
            ])
        }
    }

    /// Ends the block of a person, by name or by the first digits of the key.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is none, ``CommandFault/conflict(_:)`` if
    ///   several blocked people are meant.
    func remove(_ wanted: NameOrKey) async throws {
        let names = Dictionary(
            try await list().blocked.map { (PersonID($0.person), $0.name?.string) },
            uniquingKeysWith: { first, _ in first })
        let person = try wanted.resolve(
            among: names.keys, named: { names[$0] ?? nil }, what: "blocked person",
            listedBy: "mates blocked")
        try await write(
            try await entities(of: person).map {
                .set(
                    collection: Mates.block.name, entity: $0,
                    fields: ["is_active": .boolean(false)])
            })
    }

    /// Answers `mates blocked`.
    func list() async throws -> BlockList {
        let rows = try await context.replica.rows(
            """
            SELECT b.*, coalesce(o.nickname, a.nickname) AS nickname FROM neighbours_block b
            LEFT JOIN neighbours_acquaintance a ON a.person = b.person
            LEFT JOIN neighbours_own_nickname o ON o.person = b.person
            WHERE b.is_active = 1 ORDER BY b.at_ms DESC
            """)
        var seen: Set<PersonID> = []
        let blocked = rows.compactMap { row -> BlockList.Entry? in
            guard let person = row.person("person"), seen.insert(person).inserted else {
                return nil
            }
            return BlockList.Entry(
                person: Key(person), suffix: KeySuffix(person),
                name: row.text("nickname").flatMap(TextRule.nickname.clip),
                reason: row.text("reason").flatMap(BlockReason.init),
                text: row.text("text").flatMap(TextRule.blockText.clip),
                atMs: row.integer("at_ms").map { Timestamp(milliseconds: $0) })
        }
        return BlockList(blocked: blocked)
    }

    private func entities(of person: PersonID) async throws -> [EntityID] {
        try await context.replica.rows(
            "SELECT entity FROM neighbours_block WHERE person = ?", [.bytes(person.bytes)]
        ).compactMap { $0.entity("entity") }
    }

    private func write(_ edits: [Edit]) async throws {
        try await context.author(edits, in: .own(context.me))
    }
}
