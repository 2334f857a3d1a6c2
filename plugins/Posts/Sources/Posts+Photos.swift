public import PluginKit
internal import PostsAPI

/// A photo of a post as it is stored.
struct StoredPhoto: Hashable, Sendable {
    let id: EntityID
    let post: EntityID
    /// The number of its space in this replica.
    let space: Int64
    /// The order among the photos of the post.
    let place: Int64
    let whole: Blob
    let thumbnail: Blob
    let sides: PhotoSides

    /// Reads a row of `posts_photo`; nil if it describes no photo.
    init?(_ row: Row) {
        guard let id = row.entity("entity"), let post = row.entity("post"),
            let space = row.integer("space"), let whole = row.blob("photo"),
            let thumbnail = row.blob("thumbnail"), let width = row.integer("width"),
            let height = row.integer("height")
        else { return nil }
        self.id = id
        self.post = post
        self.space = space
        self.whole = whole
        self.thumbnail = thumbnail
        place = row.integer("place") ?? 0
        sides = PhotoSides(width: Int(clamping: width), height: Int(clamping: height))
    }

    /// The photo as answers have it.
    var answer: PostPhoto { PostPhoto(id: RecordKey(id), sides: sides) }
}

/// A photo whose contents are stored, before a record names them.
struct PreparedPhoto: Sendable {
    let whole: Blob
    let thumbnail: Blob
    let size: PhotoSize

    /// The fields of the record that makes it a photo of a post.
    func fields(of post: EntityID, place: Int) -> [String: Value] {
        [
            "post": .bytes(post.bytes), "place": .integer(Int64(place)),
            "photo": whole.value, "thumbnail": thumbnail.value,
            "width": .integer(Int64(size.width)), "height": .integer(Int64(size.height)),
        ]
    }
}

/// Photos of posts. A thumbnail arrives with its record, and the whole photo when it is opened.
extension Posts {
    /// Refuses more photos than a post has.
    static func checkPhotos(_ count: Int) throws(CommandFault) {
        let most = PostCommands.photosCountMax
        guard count <= most else {
            throw .refused("A post has at most \(most) photos; these are \(count).")
        }
    }

    /// Encodes pictures and stores their contents, before anything is written.
    func prepare(_ files: [FilePath], in space: SpaceDescriptor) async throws -> [PreparedPhoto] {
        var prepared: [PreparedPhoto] = []
        for file in files {
            let photo = try await context.photos.encode(.file(path: file.string), for: .chat)
            prepared.append(
                PreparedPhoto(
                    whole: try await context.blobs.put(
                        photo.jpeg, kind: EncodedPhoto.kind, in: space),
                    thumbnail: try await context.blobs.put(
                        photo.thumbnail, kind: EncodedPhoto.kind, in: space),
                    size: photo.size))
        }
        return prepared
    }

    /// Adds photos to a post, after those that it has.
    func add(
        _ photos: [PreparedPhoto], to post: EntityID, from place: Int, in space: SpaceDescriptor
    ) async throws {
        for (index, photo) in photos.enumerated() {
            try await context.replica.author(
                [
                    .create(
                        collection: Self.photo.name, nonce: context.random.nonce(),
                        fields: photo.fields(of: post, place: place + index))
                ], in: space)
        }
    }

    /// Deletes photos of mine with their bytes.
    func erase(_ photos: [StoredPhoto], in space: SpaceDescriptor) async throws {
        for photo in photos {
            try await context.replica.author(
                [.erase(collection: Self.photo.name, entity: photo.id)], in: space)
        }
    }

    /// Renews photos of a post, so that they do not expire before it.
    func renew(_ photos: [StoredPhoto], in space: SpaceDescriptor) async throws {
        for photo in photos {
            try await context.replica.author(
                [
                    .set(
                        collection: Self.photo.name, entity: photo.id,
                        fields: ["place": .integer(photo.place)])
                ], in: space)
        }
    }

    /// Returns all photos that the author added to a post, in their order.
    func photos(of post: StoredPost) async throws -> [StoredPhoto] {
        try await context.replica.rows(
            """
            SELECT * FROM posts_photo WHERE space = ? AND post = ? AND creator = ?
            ORDER BY place, entity
            """, [.integer(post.space), .bytes(post.id.bytes), .bytes(post.author.bytes)]
        ).compactMap(StoredPhoto.init)
    }

    /// Returns the bytes of my thumbnails that began today, by UTC, as others count them.
    func thumbnailBytes(
        today space: SpaceDescriptor, _ reader: PostReader
    ) async throws -> Int {
        let rows = try await context.replica.rows(
            """
            SELECT DISTINCT thumbnail FROM posts_photo
            WHERE creator = ? AND stamp >= ? AND space = ? AND thumbnail IS NOT NULL
            """,
            [
                .bytes(context.me.bytes), .integer(reader.firstStampOfDay),
                .integer(try reader.number(of: space)),
            ])
        return rows.compactMap { $0.blob("thumbnail") }
            .reduce(0) { $0 + max($1.bytesCount, Limits.smallContentCostMin) }
    }

    /// The photos of the posts in `asked`: the first ones that the author of each added.
    static let photosSQL = """
        SELECT f.* FROM asked a
        CROSS JOIN posts_post p ON p.space = a.space AND p.entity = a.entity
        CROSS JOIN posts_photo f ON f.space = p.space AND f.entity IN (
            SELECT o.entity FROM posts_photo o WHERE o.space = p.space AND o.post = p.entity
                AND o.creator = p.creator AND o.photo IS NOT NULL AND o.thumbnail IS NOT NULL
            ORDER BY o.place, o.entity LIMIT \(PostCommands.photosCountMax))
        ORDER BY f.place, f.entity
        """

    /// Photos of posts that are here, each added by the author of the post.
    private static let foundSQL = """
        SELECT f.* FROM waggle_space s CROSS JOIN posts_photo f ON f.space = s.space
        JOIN posts_post p ON p.space = f.space AND p.entity = f.post AND p.creator = f.creator
        WHERE s.kind = 'open' AND f.entity
        """

    /// Answers `posts thumbnails`. Thumbnails that are not here yet, or are invalid, are left out.
    /// None is requested: each arrives with its record, and a list must not tell others what this
    /// person looks at.
    func thumbnails(_ request: ListPostThumbnails) async throws -> PostThumbnails {
        let (ids, most) = (Set(request.ids), PostLimits.thumbnailsCountMax)
        guard ids.count <= most else {
            throw CommandFault.refused("At most \(most) photos can be asked for at once.")
        }
        let reader = try await reader()
        guard !ids.isEmpty else { return PostThumbnails(thumbnails: []) }
        let rows = try await context.replica.rows(
            "\(Self.foundSQL) IN (\(ids.map { _ in "?" }.joined(separator: ", ")))",
            ids.map { .bytes(EntityID($0).bytes) })
        var found: [PostThumbnails.Thumbnail] = []
        for photo in rows.compactMap(StoredPhoto.init) {
            guard let space = reader.spaces[photo.space]?.space,
                let bytes = try await context.blobs.findHere(photo.thumbnail, in: space),
                let jpeg = PhotoThumbnail(bytes)?.jpeg, let digits = ThumbnailDigits(jpeg)
            else { continue }
            found.append(PostThumbnails.Thumbnail(id: RecordKey(photo.id), jpeg: digits))
        }
        return PostThumbnails(thumbnails: found)
    }

    /// Performs `posts photo`.
    func photo(_ request: ShowPostPhoto) async throws -> PhotoContent {
        let (reader, ids) = (try await reader(), request.id.entities)
        let rows = try await context.replica.rows(
            "\(Self.foundSQL) BETWEEN ? AND ? LIMIT \(PostLimits.matchesCountMax)",
            [.bytes(ids.lowerBound.bytes), .bytes(ids.upperBound.bytes)])
        let photo = try request.id.onlyMatch(
            in: rows.compactMap(StoredPhoto.init), of: "photo", listedBy: "posts show")
        guard let space = reader.spaces[photo.space]?.space else {
            throw CommandFault.refused(Self.notJoined)
        }
        if let path = request.save {
            guard try await context.blobs.save(photo.whole, in: space, to: path.string) else {
                throw CommandFault.conflict("It is not here yet. \(Self.photoComes)")
            }
            return PhotoContent(file: path)
        }
        guard let file = try await context.blobs.file(of: photo.whole, in: space) else {
            return PhotoContent(note: Self.photoComes)
        }
        return PhotoContent(file: try FilePath(file))
    }

    private static let photoComes: Sentence =
        "The devices nearby are asked for it; it comes when one of them has it."

    /// Publishes that a photo or a thumbnail arrived.
    public func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws {
        await publish(PostChange(part: .photos))
    }
}
