internal import FeaturesAPI
internal import PluginKit

/// Notes to a whole group.
struct GroupNotes: Sendable {
    let context: PluginContext

    /// The number of notes that a group shows, newest first.
    static let listedCountMax: Int64 = 200

    /// Returns the notes of a group, newest first, without those of people I block.
    func list(
        in group: Group, names: [PersonID: String], hiding blocked: Set<PersonID>
    ) async throws -> [GroupDetail.Note] {
        try await context.replica.rows(
            """
            SELECT n.* FROM neighbours_note n JOIN waggle_space s ON s.space = n.space
            WHERE s.id = ? ORDER BY n.stamp DESC, n.entity LIMIT ?
            """, [.bytes(group.descriptor.id.bytes), .integer(Self.listedCountMax)]
        ).compactMap { row in
            guard let id = row.entity("entity"), let writer = row.person("creator"),
                let text = row.text("text").flatMap(TextRule.note.clip), !blocked.contains(writer)
            else { return nil }
            return GroupDetail.Note(
                id: RecordKey(id), text: text, person: Key(writer),
                name: names[writer] ?? writer.suffix,
                atMs: row.integer("at_ms").map { Timestamp(milliseconds: $0) })
        }
    }

    /// Writes a note.
    /// - Returns: its id.
    func add(_ text: NoteText, to group: Group) async throws -> EntityID {
        let ids = try await context.author(
            [
                .create(
                    collection: Groups.note.name, nonce: context.random.nonce(),
                    fields: [
                        "text": .text(text.string), "at_ms": .integer(context.now.milliseconds),
                    ])
            ], in: group.descriptor)
        guard let id = ids.first else {
            throw CommandFault.failed("The note was not stored; try again.")
        }
        return id
    }

    /// Erases a note of mine from every member's replica.
    func erase(_ prefix: RecordPrefix, in group: Group) async throws {
        let entities = prefix.entities
        let notes = try await context.replica.rows(
            """
            SELECT n.entity AS entity, n.creator AS creator FROM neighbours_note n
            JOIN waggle_space s ON s.space = n.space
            WHERE s.id = ? AND n.entity BETWEEN ? AND ? LIMIT 2
            """,
            [
                .bytes(group.descriptor.id.bytes), .bytes(entities.lowerBound.bytes),
                .bytes(entities.upperBound.bytes),
            ]
        ).compactMap { row in row.entity("entity").map { (id: $0, row: row) } }
        let note = try prefix.onlyMatch(in: notes, of: "note", listedBy: "group show")
        guard note.row.person("creator") == context.me else {
            throw CommandFault.refused("Only the author of a note can erase it.")
        }
        try await context.author(
            [.erase(collection: Groups.note.name, entity: note.id)], in: group.descriptor)
    }
}
