internal import PluginKit

/// The cards that I received at meetings. Each is shown until the person's own card arrives.
struct Acquaintances: Sendable {
    let context: PluginContext

    /// Returns the cards by person; the newest counts.
    func cards() async throws -> [PersonID: Profile] {
        let rows = try await context.replica.rows(
            "SELECT * FROM neighbours_acquaintance ORDER BY met_ms")
        var cards: [PersonID: Profile] = [:]
        for row in rows {
            if let person = row.person("person") { cards[person] = Profile(row) }
        }
        return cards
    }

    /// Stores a card I received, in place of an earlier one of the same person.
    func keep(_ card: Profile, of person: PersonID) async throws {
        var fields = card.columns
        fields["met_ms"] = .integer(context.now.milliseconds)
        if let known = try await entities(of: person).first {
            do {
                return try await write(
                    .set(collection: Mates.acquaintance.name, entity: known, fields: fields))
            } catch EditFault.unknownEntity {
                // Another device of mine has erased it since it was read.
            }
        }
        fields["person"] = .bytes(person.bytes)
        try await write(
            .create(
                collection: Mates.acquaintance.name, nonce: context.random.nonce(),
                fields: fields.filter { $0.value != .null }))
    }

    /// Erases the cards that I received from a person. Another device of mine may erase them at the
    /// same time.
    func forget(_ person: PersonID) async throws {
        for entity in try await entities(of: person) {
            do {
                try await write(.erase(collection: Mates.acquaintance.name, entity: entity))
            } catch EditFault.unknownEntity {
                continue
            } catch EditFault.notErasable {
                // An older version wrote it in a batch that cannot be erased: its fields are
                // cleared.
                try await write(
                    .set(
                        collection: Mates.acquaintance.name, entity: entity,
                        fields: Profile().columns))
            }
        }
    }

    private func entities(of person: PersonID) async throws -> [EntityID] {
        try await context.replica.rows(
            "SELECT entity FROM neighbours_acquaintance WHERE person = ?", [.bytes(person.bytes)]
        ).compactMap { $0.entity("entity") }
    }

    private func write(_ edit: Edit) async throws {
        try await context.author([edit], in: .own(context.me))
    }
}
