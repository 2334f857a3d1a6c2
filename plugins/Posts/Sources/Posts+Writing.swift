internal import PluginKit
internal import PostsAPI

/// Writing, changing and deleting posts.
extension Posts {
    /// Performs `posts write`.
    func write(_ request: WritePost) async throws -> Post {
        let reader = try await reader()
        guard !reader.joined.isEmpty else { throw CommandFault.refused(Self.notJoined) }
        var former: StoredDraft?
        if let named = request.draft { former = try await findDraft(named) }
        let walk = try await walk(request.walk)
        let draft = try Self.draft(request, from: former, isWalk: walk != nil)
        try Self.checkPhotos(request.photo?.count ?? 0)
        let space = try space(for: request.neighbourhood, former, reader)
        try await checkDay(in: space, reader)
        let photos = try await prepare(request.photo ?? [], in: space)
        if !photos.isEmpty {
            try await requireRoom(
                title: draft.title, text: draft.text, photosCount: photos.count, in: space)
        }
        let now = context.clock.wallTime
        var fields = Self.fields(of: draft)
        fields["name"] = .text(try await context.core.myCard().nickname ?? "")
        fields["at_ms"] = .integer(now.milliseconds)
        fields["changed_ms"] = .integer(now.milliseconds)
        if let walk {
            fields["walk_metres"] = .real(walk.distanceMetres.value)
            fields["walk_seconds"] = .integer(Int64(walk.elapsedSeconds.value))
        }
        let ids = try await context.replica.author(
            [
                .create(
                    collection: Self.post.name, nonce: context.random.nonce(),
                    fields: fields.filter { $0.value != .null })
            ], in: space)
        guard let id = ids.first else {
            throw CommandFault.failed("The post was not stored; try again.")
        }
        do { try await add(photos, to: id, from: 0, in: space) } catch {
            // A post without its photos is not what the person wrote.
            try await erase(try await find(RecordPrefix(RecordKey(id)), reader), in: space)
            throw error
        }
        if let former { try await erase(former) }
        return try await answer(id)
    }

    /// Returns the post to write: the request, completed from the draft that it replaces.
    private static func draft(
        _ request: WritePost, from former: StoredDraft?, isWalk: Bool
    ) throws(CommandFault) -> PostDraft {
        guard let title = request.title?.string ?? former?.title, !title.isEmpty else {
            throw .refused("A post needs a title.")
        }
        let category = request.category ?? former?.category ?? (isWalk ? .walk : nil)
        guard let category else {
            let all = PostCategory.allCases.map(\.rawValue).joined(separator: ", ")
            throw .refused("A post needs a category, which is one of: \(all).")
        }
        return try PostDraft(
            category: category, title: title, text: request.text?.string ?? former?.text ?? "",
            location: try point(request.latitude, request.longitude) ?? former?.location,
            precision: request.precision ?? former?.precision ?? .rounded)
    }

    private static func fields(of draft: PostDraft) -> [String: Value] {
        [
            "category": .text(draft.category.rawValue), "title": .text(draft.title),
            "text": .text(draft.text),
            "latitude": draft.location.map { .real($0.latitude) } ?? .null,
            "longitude": draft.location.map { .real($0.longitude) } ?? .null,
        ]
    }

    /// Returns the space of the neighbourhood for a post: the one that is named, that of the draft,
    /// or the only one. A draft for a neighbourhood that was left is not published to other people
    /// instead.
    private func space(
        for wanted: NameOrKey?, _ former: StoredDraft?, _ reader: PostReader
    ) throws -> SpaceDescriptor {
        if let wanted { return try neighbourhood(wanted, reader).space }
        if let id = former?.neighbourhood {
            guard let chosen = reader.joined.first(where: { $0.space.id == id }) else {
                throw CommandFault.refused(
                    "You left the neighbourhood of this draft. Choose another with --neighbourhood."
                )
            }
            return chosen.space
        }
        guard reader.joined.count == 1, let only = reader.joined.first else {
            throw CommandFault.refused(
                "You joined several neighbourhoods; say which one with --neighbourhood.")
        }
        return only.space
    }

    /// Refuses a post beyond the number that others store per person and day.
    private func checkDay(in space: SpaceDescriptor, _ reader: PostReader) async throws {
        let most = PostCommands.dailyPostsMax
        guard try await ownCount(in: "posts_post", today: space, reader) < most else {
            throw CommandFault.refused(
                "You wrote \(most) posts here today. Other devices store at most \(most) per "
                    + "person and day. Write again after midnight UTC.")
        }
    }

    /// Returns the number of records that this person began today, by UTC.
    func ownCount(
        in table: String, today space: SpaceDescriptor, _ reader: PostReader
    ) async throws -> Int {
        let number = try reader.number(of: space)
        let rows = try await context.replica.rows(
            """
            SELECT count(*) AS count FROM \(table)
            WHERE creator = ? AND stamp >= ? AND space = ?
            """,
            [.bytes(context.me.bytes), .integer(reader.firstStampOfDay), .integer(number)])
        return Int(clamping: rows.first?.integer("count") ?? 0)
    }

    /// Returns the distance and duration of the recorded walk that a request names, from the view
    /// ``SharedViews/walks``.
    private func walk(_ wanted: RecordPrefix?) async throws -> PostWalk? {
        guard let wanted else { return nil }
        let ids = wanted.entities
        let rows = try await context.replica.rows(
            """
            SELECT distance_m, elapsed_ms FROM \(SharedViews.walks)
            WHERE walk BETWEEN ? AND ? LIMIT 2
            """, [.bytes(ids.lowerBound.bytes), .bytes(ids.upperBound.bytes)])
        let row = try wanted.onlyMatch(in: rows, of: "walk", listedBy: "walk-log list")
        let seconds = (row.integer("elapsed_ms") ?? 0) / 1000
        return PostWalk(
            distanceMetres: min(max(row.real("distance_m") ?? 0, 0), PostLimits.walkMetresMax),
            elapsedSeconds: Int(clamping: min(max(seconds, 0), PostLimits.walkSecondsMax)))
    }

    // MARK: - Changing

    /// Performs `posts edit`.
    func edit(_ request: EditPost) async throws -> Post {
        let reader = try await reader()
        let post = try await findOwn(request.id, reader)
        let chosen = try Self.point(request.latitude, request.longitude)
        guard chosen == nil || request.withoutLocation != true else {
            throw CommandFault.refused("Give a new location or remove it, not both.")
        }
        let isGone = request.withoutLocation == true
        guard chosen != nil || isGone || request.precision != .exact else {
            throw CommandFault.refused(
                "Give the exact location too: others may have read a rounded one so far.")
        }
        // Asking for a rounded location alone rounds the one that is there.
        let present = request.precision == nil || isGone ? nil : post.location
        let draft = try PostDraft(
            category: request.category ?? post.category,
            title: request.title?.string ?? post.title, text: request.text?.string ?? post.text,
            location: chosen ?? present, precision: request.precision ?? .rounded)
        let (kept, removed, added) = try await changedPhotos(of: post, request, reader)
        var fields = Self.fields(of: draft)
        if draft.location == nil, !isGone {
            fields["latitude"] = nil
            fields["longitude"] = nil
        }
        let space = try space(of: post, reader)
        try await requireRoom(
            title: draft.title, text: draft.text, photosCount: kept.count + added.count, in: space)
        try await renew(post, with: fields, in: space)
        try await erase(removed, in: space)
        try await renew(kept, in: space)
        try await add(
            added, to: post.id, from: Int(clamping: (kept.last?.place ?? -1) + 1), in: space)
        var changed = try await answer(post.id)
        let isMoved = draft.location != post.location && (draft.location != nil || isGone)
        if post.location != nil, isMoved { changed.note = ShownSentence(Self.earlierStays) }
        return changed
    }

    /// The answer after a change of the location: the batch with the earlier version stays in the
    /// log until it expires.
    private static let earlierStays: Sentence =
        "Other devices keep the earlier location for up to 30 days."

    /// Returns the photos that stay, those that are removed, and the contents of new ones.
    private func changedPhotos(
        of post: StoredPost, _ request: EditPost, _ reader: PostReader
    ) async throws -> (kept: [StoredPhoto], removed: [StoredPhoto], added: [PreparedPhoto]) {
        let present = try await photos(of: post)
        var removed: Set<StoredPhoto> = []
        for named in request.withoutPhoto ?? [] {
            let ids = named.entities
            removed.insert(
                try named.onlyMatch(
                    in: present.filter { ids.contains($0.id) }, of: "photo",
                    listedBy: "posts show"))
        }
        let kept = present.filter { !removed.contains($0) }
        let files = request.photo ?? []
        if !files.isEmpty { try Self.checkPhotos(kept.count + files.count) }
        return (kept, Array(removed), try await prepare(files, in: try space(of: post, reader)))
    }

    /// Performs `posts renew`.
    func renew(_ request: NamePost) async throws -> Post {
        let reader = try await reader()
        let post = try await findOwn(request.id, reader)
        let space = try space(of: post, reader)
        let photos = try await photos(of: post)
        try await requireRoom(
            title: post.title, text: post.text, photosCount: photos.count, in: space)
        try await renew(post, with: [:], in: space)
        try await renew(photos, in: space)
        return try await answer(post.id)
    }

    /// Writes a whole post again, with changed fields, which renews it.
    private func renew(
        _ post: StoredPost, with fields: [String: Value], in space: SpaceDescriptor
    ) async throws {
        var fields = fields
        fields["name"] = .text(try await context.core.myCard().nickname ?? "")
        fields["changed_ms"] = .integer(context.clock.wallTime.milliseconds)
        try await context.replica.author(
            [.set(collection: Self.post.name, entity: post.id, fields: fields)], in: space)
    }

    /// Refuses a post that may not fit into the rest of the day with its photos, before any of it
    /// is written: each is a batch of its own, so that it can be erased alone.
    private func requireRoom(
        title: String, text: String, photosCount: Int, in space: SpaceDescriptor
    ) async throws {
        let name = try await context.core.myCard().nickname ?? ""
        let bytes =
            [title, text, name].reduce(0) { $0 + $1.utf8.count } + PostLimits.shortPostBytes
            + photosCount * PostLimits.photoBytes
        guard try await context.neighbourhoods.bytesLeftToday(in: space) >= bytes else {
            throw CommandFault.refused(Self.dayUsed)
        }
    }

    private static let dayUsed: Sentence =
        "This is more than other devices still store of you today. Write again after midnight UTC."

    /// Performs `posts delete`.
    func delete(_ request: NamePost) async throws -> Done {
        let reader = try await reader()
        let post = try await findOwn(request.id, reader)
        try await erase(post, in: try space(of: post, reader))
        try await context.core.settleInbox(reference: Self.reference(of: post.id))
        return Done()
    }

    /// Erases a post of mine. Its photos go first, since they are found through the post.
    private func erase(_ post: StoredPost, in space: SpaceDescriptor) async throws {
        try await erase(try await photos(of: post), in: space)
        try await context.replica.author(
            [.erase(collection: Self.post.name, entity: post.id)], in: space)
    }
}
