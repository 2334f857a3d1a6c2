internal import FeaturesAPI
internal import PluginKit

/// My own nicknames for people. They are records of my own space: my devices have them, and nobody
/// else does.
struct OwnNicknames: Sendable {
    let context: PluginContext

    /// Returns the nicknames by person; the newest counts.
    func all() async throws -> [PersonID: String] {
        let rows = try await context.replica.rows(
            "SELECT * FROM neighbours_own_nickname ORDER BY at_ms")
        var nicknames: [PersonID: String] = [:]
        for row in rows {
            if let person = row.person("person") {
                nicknames[person] = row.text("nickname").flatMap(TextRule.nickname.clip)
            }
        }
        return nicknames
    }

    /// Stores a nickname in place of the earlier one; an empty one erases it.
    func set(_ nickname: OwnNickname, of person: PersonID) async throws {
        let known = try await entities(of: person)
        guard !nickname.string.isEmpty else {
            return try await write(
                known.map { .erase(collection: Mates.ownNickname.name, entity: $0) })
        }
        let fields: [String: Value] = [
            "nickname": .text(nickname.string), "at_ms": .integer(context.now.milliseconds),
        ]
        guard known.isEmpty else {
            return try await write(
                known.map { .set(collection: Mates.ownNickname.name, entity: $0, fields: fields) })
        }
        try await write([
            .create(
                collection: Mates.ownNickname.name, nonce: context.random.nonce(),
                fields: fields.merging(["person": .bytes(person.bytes)]) { _, new in new })
        ])
    }

    private func entities(of person: PersonID) async throws -> [EntityID] {
        try await context.replica.rows(
            "SELECT entity FROM neighbours_own_nickname WHERE person = ?", [.bytes(person.bytes)]
        ).compactMap { $0.entity("entity") }
    }

    /// Each edit is a batch of its own, as an erasable record needs.
    private func write(_ edits: [Edit]) async throws {
        for edit in edits { try await context.author([edit], in: .own(context.me)) }
    }
}
