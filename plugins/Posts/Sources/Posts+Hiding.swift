internal import PluginKit
internal import PostsAPI

/// Hidden posts, of which no other person is told, and the settings.
extension Posts {
    /// Performs `posts hide`; hiding a post again changes nothing.
    func hide(_ request: NamePost) async throws -> Done {
        let reader = try await reader()
        let post = try await find(request.id, reader)
        if try await hidden(post.id).isEmpty { try await hide(post, reason: nil, text: nil) }
        return Done()
    }

    /// Performs `posts report`. The last report of a post counts.
    func report(_ request: ReportPost) async throws -> Done {
        let reader = try await reader()
        let post = try await find(request.id, reader)
        guard post.author != context.me else {
            throw CommandFault.refused("This is your own post; you can delete it.")
        }
        let former = try await hidden(post.id)
        try await hide(post, reason: request.reason, text: request.text)
        try await show(former)
        return Done()
    }

    /// Performs `posts unhide`. The post itself may have expired.
    func unhide(_ request: NamePost) async throws -> Done {
        let ids = request.id.entities
        let rows = try await context.replica.rows(
            "SELECT DISTINCT post FROM posts_hidden WHERE post BETWEEN ? AND ? LIMIT 2",
            [.bytes(ids.lowerBound.bytes), .bytes(ids.upperBound.bytes)])
        let post = try request.id.onlyMatch(
            in: rows.compactMap { $0.entity("post") }, of: "hidden post",
            listedBy: "posts hidden")
        try await show(try await hidden(post))
        return Done()
    }

    /// Answers `posts hidden`.
    func hidden() async throws -> HiddenPosts {
        let rows = try await context.replica.rows(
            """
            SELECT h.post AS post, h.at_ms AS at_ms, h.reason AS reason, h.text AS text,
                (SELECT p.title FROM waggle_space s CROSS JOIN posts_post p
                    ON p.space = s.space AND p.entity = h.post WHERE s.kind = 'open') AS title
            FROM posts_hidden h WHERE h.post IS NOT NULL ORDER BY h.at_ms DESC, h.entity
            """)
        var known: Set<EntityID> = []
        let entries: [HiddenPosts.Entry] = rows.compactMap { row in
            guard let post = row.entity("post"), known.insert(post).inserted else { return nil }
            return HiddenPosts.Entry(
                id: RecordKey(post), title: row.text("title").flatMap(PostLimits.title.clip),
                atMs: row.integer("at_ms").flatMap { Timestamp(exactly: $0) } ?? .min,
                reason: row.text("reason").flatMap(PostReportReason.init),
                text: row.text("text"))
        }
        return HiddenPosts(posts: entries)
    }

    private func hide(
        _ post: StoredPost, reason: PostReportReason?, text: ReportText?
    ) async throws {
        let fields: [String: Value] = [
            "post": .bytes(post.id.bytes),
            "at_ms": .integer(context.clock.wallTime.milliseconds),
            "reason": reason.map { .text($0.rawValue) } ?? .null,
            "text": text.map { .text($0.string) } ?? .null,
        ]
        try await context.replica.author(
            [
                .create(
                    collection: Self.hidden.name, nonce: context.random.nonce(),
                    fields: fields.filter { $0.value != .null })
            ], in: .own(context.me))
    }

    private func hidden(_ post: EntityID) async throws -> [EntityID] {
        try await context.replica.rows(
            "SELECT entity FROM posts_hidden WHERE post = ?", [.bytes(post.bytes)]
        ).compactMap { $0.entity("entity") }
    }

    private func show(_ records: [EntityID]) async throws {
        for record in records {
            try await erase(record, of: Self.hidden, in: .own(context.me))
        }
    }

    // MARK: - Settings

    /// Performs `posts edit-settings`.
    func change(_ request: EditPostSettings) async throws -> PostSettings {
        try await context.replica.author(
            [.own(collection: Self.settings.name, fields: ["views": .boolean(request.views)])],
            in: .own(context.me))
        return try await settings()
    }

    /// Answers `posts settings`.
    func settings() async throws -> PostSettings {
        let rows = try await context.replica.rows("SELECT views FROM posts_settings LIMIT 1")
        return PostSettings(views: rows.first?.isTrue("views") ?? false)
    }
}
