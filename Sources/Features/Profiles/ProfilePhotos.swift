internal import FeaturesAPI
internal import PluginKit

/// The photos of profiles: this person's own, and those of people who share their card.
///
/// A photo is a record of its own, so that it can be erased: its thumbnail leaves the logs, and its
/// content the disk, on every device that hears of it. It is in the card, which mates read, or in
/// the own space while it is kept private. The newest record of a person counts.
struct ProfilePhotos: Sendable {
    let context: PluginContext

    /// A photo as its record names it.
    struct Photo: Hashable, Sendable {
        let entity: EntityID
        let blob: Blob
        /// The thumbnail, checked without decoding it.
        let thumbnail: PhotoThumbnail?
        let at: Timestamp
        /// The space of the record: a card, or this person's own space.
        let space: SpaceDescriptor

        /// Whether only this person's own devices have it.
        var isPrivate: Bool { space.kind == .own }
    }

    static let collection = RecordCollection(
        "neighbours.photo/1", table: "neighbours_photo", spaces: [.card, .own],
        indexes: [["creator"]], isErasable: true,
        fields: [
            .init(
                1, "photo",
                .blob(kinds: [EncodedPhoto.kind], bytesMax: PhotoLimits.profileBytesMax)),
            // Before the thumbnail, so that a list of times reads none of them.
            .init(2, "at_ms", .integer(RecordTimes.milliseconds), merge: .append),
            .init(3, "thumbnail", .bytes(countMax: PhotoLimits.thumbnailBytesMax), merge: .append),
        ])

    // MARK: - Reading

    /// Returns my photo; nil if I have none.
    func mine() async throws -> Photo? { try await allMine().first }

    /// Returns the photo in the card of another person; nil if there is none.
    func photo(of person: PersonID) async throws -> Photo? {
        let rows = try await context.replica.rows(
            """
            SELECT p.* FROM neighbours_photo p JOIN waggle_space s ON s.space = p.space
            WHERE p.creator = ?1 AND s.kind = 'card' AND s.person = ?1
                AND p.photo IS NOT NULL
            ORDER BY p.at_ms DESC, p.entity LIMIT 1
            """, [.bytes(person.bytes)])
        return rows.first.flatMap { Photo($0, in: .card(person)) }
    }

    /// Returns the times of the photos of all people who share their card.
    func times() async throws -> [PersonID: Timestamp] {
        let rows = try await context.replica.rows(
            """
            SELECT p.creator AS person, max(p.at_ms) AS at_ms FROM neighbours_photo p
            JOIN waggle_space s ON s.space = p.space AND s.kind = 'card' AND s.person = p.creator
            WHERE p.photo IS NOT NULL GROUP BY p.creator
            """)
        return Dictionary(
            rows.compactMap { row in
                guard let person = row.person("person"), let at = row.integer("at_ms") else {
                    return nil
                }
                return (person, Timestamp(milliseconds: at))
            }, uniquingKeysWith: max)
    }

    private func allMine() async throws -> [Photo] {
        let rows = try await context.replica.rows(
            """
            SELECT p.*, s.kind AS kind FROM neighbours_photo p
            JOIN waggle_space s ON s.space = p.space
            WHERE p.creator = ?1 AND (s.kind = ?2 OR s.kind = 'card' AND s.person = ?1)
            ORDER BY p.at_ms DESC, p.entity
            """, [.bytes(context.me.bytes), .text(SpaceKind.own.name)])
        return rows.compactMap { row in
            Photo(row, in: space(isPrivate: row.text("kind") == SpaceKind.own.name))
        }
    }

    private func space(isPrivate: Bool) -> SpaceDescriptor {
        isPrivate ? .own(context.me) : .card(context.me)
    }

    // MARK: - Changing

    /// Makes a picture my photo, in place of the one before.
    func choose(_ picture: EncodedPhoto, isPrivate: Bool) async throws {
        let before = try await allMine()
        try await store(
            picture.jpeg, thumbnail: picture.thumbnail,
            at: max(context.now, (before.first?.at ?? .min) + .milliseconds(1)),
            isPrivate: isPrivate)
        try await erase(before)
    }

    /// Removes my photo.
    /// - Throws: ``CommandFault/notFound(_:)`` if I have none.
    func remove() async throws {
        let all = try await allMine()
        guard !all.isEmpty else { throw CommandFault.notFound("You have no photo.") }
        try await erase(all)
    }

    /// Moves my photo into my card, or out of it, and erases older ones, which another device may
    /// have chosen at the same time. It is stored in its new place before it leaves the old one.
    /// - Throws: ``CommandFault/conflict(_:)`` if its content has not arrived on this device.
    func place(isPrivate: Bool) async throws {
        let all = try await allMine()
        guard let newest = all.first else { return }
        guard newest.isPrivate != isPrivate else { return try await erase(all.dropFirst()) }
        guard let content = try await context.blobs.find(newest.blob, in: newest.space) else {
            throw CommandFault.conflict(
                "Your photo has not arrived on this device yet. Wait until the device that has it "
                    + "is in reach, or remove the photo.")
        }
        try await store(
            content, thumbnail: newest.thumbnail?.jpeg ?? [], at: newest.at, isPrivate: isPrivate)
        try await erase(all)
    }

    private func store(
        _ jpeg: [UInt8], thumbnail: [UInt8], at time: Timestamp, isPrivate: Bool
    ) async throws {
        let space = space(isPrivate: isPrivate)
        let blob = try await context.blobs.put(jpeg, kind: EncodedPhoto.kind, in: space)
        try await context.author(
            [
                .create(
                    collection: Self.collection.name, nonce: context.random.nonce(),
                    fields: [
                        "photo": blob.value, "thumbnail": .bytes(thumbnail),
                        "at_ms": .integer(time.milliseconds),
                    ])
            ], in: space)
    }

    private func erase(_ photos: some Sequence<Photo>) async throws {
        for photo in photos {
            try await context.author(
                [.erase(collection: Self.collection.name, entity: photo.entity)], in: photo.space)
        }
    }

    // MARK: - Content

    /// Returns the photo of a person, and its file if its content is here; else the content is
    /// fetched from a linked device that has it.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is no photo.
    func show(_ person: PersonID, withThumbnail: Bool) async throws -> PersonPhoto {
        guard let photo = person == context.me ? try await mine() : try await photo(of: person)
        else { throw CommandFault.notFound("This person has no photo.") }
        let file = try await context.blobs.file(of: photo.blob, in: photo.space)
        return PersonPhoto(
            atMs: photo.at, here: file != nil, file: file.flatMap { try? FilePath($0) },
            thumbnail: withThumbnail ? photo.thumbnail.flatMap { ThumbnailDigits($0.jpeg) } : nil)
    }

    /// Fetches the photos that changed in the cards of others.
    func fetch(_ changes: [RecordChange]) async throws {
        let people = Set(
            changes.filter { $0.collection == Self.collection.name }
                .compactMap { $0.space.other(than: context.me) })
        for person in people {
            guard let photo = try await photo(of: person) else { continue }
            _ = try await context.blobs.file(of: photo.blob, in: photo.space)
        }
    }
}

extension ProfilePhotos.Photo {
    /// Reads a photo from its row; nil if the row names no content.
    fileprivate init?(_ row: Row, in space: SpaceDescriptor) {
        guard let entity = row.entity("entity"), let blob = row.blob("photo") else { return nil }
        self.init(
            entity: entity, blob: blob,
            thumbnail: row.bytes("thumbnail").flatMap { PhotoThumbnail($0) },
            at: Timestamp(milliseconds: row.integer("at_ms") ?? 0), space: space)
    }
}
