internal import PluginKit
internal import PostsAPI

/// Comments on own posts, in the inbox and on the desktop: one item for each post.
extension Posts {
    /// The key of a post's item in the inbox.
    static func reference(of post: EntityID) -> String { "\(referencePrefix)\(post)" }

    private static let referencePrefix = "posts-"

    /// Comments of others on a post of mine that I have not seen.
    private struct Unseen {
        let post: EntityID
        let title: String
        var comments: [StoredComment] = []
    }

    /// Reports new comments on own posts, and withdraws reports that were read on another device.
    func tellComments(after changes: [RecordChange]) async throws {
        var posts: Set<EntityID> = []
        let news = changes.filter {
            $0.collection == Self.comment.name && $0.author != context.me
        }
        if news.count <= PostLimits.askedCountMax, !news.isEmpty {
            posts = try await ownPosts(withComments: news.map(\.entity))
            if !posts.isEmpty { try await tellComments(on: posts, new: Set(news.map(\.entity))) }
        } else if !news.isEmpty {
            try await tellComments(on: nil)
        }
        if changes.contains(where: { $0.collection == Self.seen.name }) {
            try await settleSeen()
        }
        if changes.contains(where: { $0.collection == Self.post.name && $0.author == context.me }) {
            try await settleGone()
        }
    }

    /// Reports comments that were not seen.
    /// - Parameters:
    ///   - posts: the posts to look at; nil for all of mine.
    ///   - new: the comments that have just arrived, which are reported again even if an earlier
    ///     report was handled; nil at the start.
    func tellComments(on posts: Set<EntityID>?, new: Set<EntityID>? = nil) async throws {
        let unseen = try await unseen(on: posts)
        guard !unseen.isEmpty else { return }
        let handled = try await context.core.inboxReferences(
            ofKind: Self.inboxKind, among: Set(unseen.map { Self.reference(of: $0.post) }))
        let mates = Set(
            try await context.replica.rows("SELECT person FROM \(SharedViews.mates)")
                .compactMap { $0.person("person") })
        for some in unseen {
            let isHandled = handled[Self.reference(of: some.post)] ?? false
            let isNew = some.comments.contains { new?.contains($0.id) ?? false }
            guard isNew || !isHandled else { continue }
            try await post(some, mates: mates, isNew: isNew)
        }
    }

    private func post(_ unseen: Unseen, mates: Set<PersonID>, isNew: Bool) async throws {
        guard let last = unseen.comments.last else { return }
        let names = try await context.core.names()
        let name = names[last.author] ?? last.name
        let count = unseen.comments.count
        let from: Sentence =
            name.map { "\($0) commented on your post" } ?? "Someone commented on your post"
        let several = Sentence(
            count: count, one: "1 new comment on your post",
            other: "\(count) new comments on your post")
        let title = count == 1 ? from : several
        let item = InboxItem(
            kind: Self.inboxKind, reference: Self.reference(of: unseen.post), title: title,
            body: Sentence(verbatim: unseen.title), actions: [], from: last.author,
            occasion: "\(last.id)")
        // Strangers cause no write.
        if unseen.comments.contains(where: { mates.contains($0.author) }) {
            try await context.core.postToInbox(item)
        } else {
            try await context.core.showInInbox(item)
        }
        guard isNew else { return }
        try await context.desktop.notify(
            DesktopNotice(
                about: item.subject, from: last.author, title: title,
                body: Sentence(verbatim: last.text), withoutText: title))
    }

    private func ownPosts(withComments comments: [EntityID]) async throws -> Set<EntityID> {
        let rows = try await context.replica.rows(
            """
            SELECT DISTINCT p.entity AS post FROM waggle_space s
            CROSS JOIN posts_comment c ON c.space = s.space
                AND c.entity IN (\(comments.map { _ in "?" }.joined(separator: ", ")))
            JOIN posts_post p ON p.space = c.space AND p.entity = c.post AND p.creator = ?
            WHERE s.kind = 'open'
            """, comments.map { .bytes($0.bytes) } + [.bytes(context.me.bytes)])
        return Set(rows.compactMap { $0.entity("post") })
    }

    /// Returns the comments that were not seen, in the order in which they were written; at most
    /// ``PostLimits/askedCountMax`` of each post.
    private func unseen(on posts: Set<EntityID>?) async throws -> [Unseen] {
        let own = try await context.replica.rows(
            """
            SELECT p.space AS space, p.entity AS entity, p.title AS title,
                (SELECT max(s.until) FROM posts_seen s WHERE s.post = p.entity) AS until
            FROM posts_post p WHERE p.creator = ? AND p.title IS NOT NULL
            """, [.bytes(context.me.bytes)])
        let muted = try await context.replica.mutedWords()
        var found: [Unseen] = []
        for row in own {
            guard let post = row.entity("entity"), posts?.contains(post) ?? true,
                let title = row.text("title").flatMap(PostLimits.title.clip)
            else { continue }
            let rows = try await context.replica.rows(
                """
                SELECT c.* FROM posts_comment c WHERE c.space = ? AND c.post = ?
                    AND c.stamp > ? AND c.creator <> ? AND c.text IS NOT NULL
                    AND c.creator NOT IN (SELECT person FROM \(SharedViews.blocked))
                    AND NOT EXISTS (SELECT 1 FROM posts_seen s
                        WHERE s.post = c.post AND instr(s.comments, c.entity) > 0)
                ORDER BY c.stamp, c.entity LIMIT ?
                """,
                [
                    row["space"], .bytes(post.bytes), .integer(row.integer("until") ?? -1),
                    .bytes(context.me.bytes), .integer(Int64(PostLimits.askedCountMax)),
                ])
            let comments = rows.compactMap(StoredComment.init).filter { !$0.isMuted(by: muted) }
            guard !comments.isEmpty else { continue }
            found.append(Unseen(post: post, title: title, comments: comments))
        }
        return found
    }

    /// Records that this person saw the comments on a post of theirs, and withdraws the report.
    func markSeen(_ post: StoredPost) async throws {
        try await storeSeen(post)
        try await context.core.settleInbox(reference: Self.reference(of: post.id))
    }

    /// Stores which comments on a post are here. A comment may arrive days after a newer one, over
    /// other devices, so the stamp of the newest does not say what was seen: the last
    /// ``PostLimits/seenCountMax`` are named one by one, and only older ones count by their stamp.
    private func storeSeen(_ post: StoredPost) async throws {
        let most = PostLimits.seenCountMax
        let present = try await context.replica.rows(
            """
            SELECT entity, stamp FROM posts_comment
            WHERE space = ? AND post = ? AND creator <> ? AND text IS NOT NULL
            ORDER BY stamp DESC, entity DESC LIMIT \(most + 1)
            """, [.integer(post.space), .bytes(post.id.bytes), .bytes(context.me.bytes)])
        let known = try await context.replica.rows(
            "SELECT entity, until, comments FROM posts_seen WHERE post = ? ORDER BY entity",
            [.bytes(post.id.bytes)])
        let comments = present.prefix(most).flatMap { $0.entity("entity")?.bytes ?? [] }
        guard !comments.isEmpty, !known.contains(where: { $0.bytes("comments") == comments })
        else { return }
        let former = known.compactMap { $0.integer("until") }.max() ?? -1
        let beyond = present.dropFirst(most).first?.integer("stamp") ?? -1
        var fields: [String: Value] = ["comments": .bytes(comments)]
        if max(former, beyond) >= 0 { fields["until"] = .integer(max(former, beyond)) }
        if let record = known.first?.entity("entity") {
            try await context.replica.author(
                [.set(collection: Self.seen.name, entity: record, fields: fields)],
                in: .own(context.me))
        } else {
            fields["post"] = .bytes(post.id.bytes)
            try await context.replica.author(
                [
                    .create(
                        collection: Self.seen.name, nonce: context.random.nonce(), fields: fields)
                ], in: .own(context.me))
        }
    }

    /// Withdraws the reports about comments that were seen on any device.
    private func settleSeen() async throws {
        let rows = try await context.replica.rows("SELECT DISTINCT post FROM posts_seen")
        let open = try await openReports()
        let seen = Set(rows.compactMap { $0.entity("post") }).intersection(open)
        guard !seen.isEmpty else { return }
        let unseen = Set(try await unseen(on: seen).map(\.post))
        for post in seen.subtracting(unseen) {
            try await context.core.settleInbox(reference: Self.reference(of: post))
        }
    }

    /// Withdraws the reports about posts that are not here any more.
    func settleGone() async throws {
        try await forgetGone()
        let open = try await openReports()
        guard !open.isEmpty else { return }
        let rows = try await context.replica.rows(
            "SELECT entity FROM posts_post WHERE creator = ?", [.bytes(context.me.bytes)])
        for post in open.subtracting(rows.compactMap { $0.entity("entity") }) {
            try await context.core.settleInbox(reference: Self.reference(of: post))
        }
    }

    /// Erases what this person recorded about posts that are gone: hidden ones, and which comments
    /// were seen. A post may be missing here and come back, because it was renewed or is still on
    /// its way, so the records stay for twice the time for which a post is kept.
    func forgetGone() async throws {
        let before = context.clock.wallTime - Limits.openStampAgeMax - Limits.openStampAgeMax
        for collection in [Self.seen, Self.hidden] {
            let rows = try await context.replica.rows(
                """
                SELECT r.entity AS entity FROM \(collection.table) r
                WHERE r.stamp < ? AND NOT EXISTS (SELECT 1 FROM waggle_space s
                    CROSS JOIN posts_post p ON p.space = s.space AND p.entity = r.post
                    WHERE s.kind = 'open')
                LIMIT \(PostLimits.askedCountMax)
                """, [.integer(before.milliseconds << 16)])
            for record in rows.compactMap({ $0.entity("entity") }) {
                try await context.replica.author(
                    [.erase(collection: collection.name, entity: record)], in: .own(context.me))
            }
        }
    }

    /// Returns the posts whose comments are reported and not handled.
    private func openReports() async throws -> Set<EntityID> {
        let references = try await context.core.inboxReferences(ofKind: Self.inboxKind)
        return Set(
            references.filter { !$0.value && $0.key.hasPrefix(Self.referencePrefix) }.keys
                .compactMap { EntityID(String($0.dropFirst(Self.referencePrefix.count))) })
    }
}
