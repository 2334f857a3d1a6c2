internal import Records
internal import Replica

extension RecordCollection {
    /// A collection with content beside its records.
    static let simulatedPhoto = RecordCollection(
        "simulation.photo/1", table: "simulated_photo", spaces: [.own, .card, .pair, .group],
        fields: [Field(1, "photo", .blob(kinds: [simulatedKind], bytesMax: 1 << 20))])

    /// The media type of all simulated content.
    static let simulatedKind = "image/jpeg"
}

/// A record with a photo, as a replica shows it.
struct PhotoRow: Hashable {
    let space: SpaceID
    let entity: EntityID
    let creator: PersonID
    let blob: Blob
}

extension Replica {
    /// Returns the records with photos of every space that count, in a fixed order.
    func photos() async throws -> [PhotoRow] {
        try await read(
            """
            SELECT s.id AS id, p.entity AS entity, p.creator AS creator, p.photo AS photo
            FROM simulated_photo p JOIN waggle_space s ON s.space = p.space
            WHERE p.photo IS NOT NULL ORDER BY s.id, p.entity
            """, allowedTables: nil
        ).compactMap { row in
            guard let space = row.space("id"), let entity = row.entity("entity"),
                let creator = row.person("creator"), let value = row.bytes("photo"),
                let blob = try? Blob(decoding: value)
            else { return nil }
            return PhotoRow(space: space, entity: entity, creator: creator, blob: blob)
        }
    }
}
