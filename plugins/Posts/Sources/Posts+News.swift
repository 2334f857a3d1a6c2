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
        /// The number of its space in this replica.
        let space: Int64
        let title: String
        /// The stamp up to which all were seen.
        let until: Int64
        var comments: [StoredComment] = []
        /// Whether there may be more than these.
        var hasMore = false

        /// The position behind those that count as seen by their stamp.
        var start: Position {
            Position(stamp: until, entity: [UInt8](repeating: .max, count: Bytes16.bytesCount))
        }
    }

    /// The position of a comment in the order of writing.
    private struct Position {
        let stamp: Int64
        let entity: [UInt8]
    }

    /// Reports new comments on own posts, and withdraws reports that were read on another device.
    func tellComments(after changes: [RecordChange]) async throws {
        let news = Set(
            changes.filter { $0.collection == Self.comment.name && $0.author != context.me }
                .map(\.entity))
        let posts = try await ownPosts(withComments: Array(news))
        if !posts.isEmpty { try await tellComments(on: Set(posts.keys), new: posts) }
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
    ///   - new: the comments that have just arrived by their posts. They are reported again even if
    ///     an earlier report was handled; nil at the start.
    func tellComments(
        on posts: Set<EntityID>?, new: [EntityID: [EntityID]]? = nil
    ) async throws {
        let muted = try await context.replica.mutedWords()
        let unseen = try await unseen(on: posts, muted)
        guard !unseen.isEmpty else { return }
        let handled = try await context.core.inboxReferences(
            ofKind: Self.inboxKind, among: Set(unseen.map { Self.reference(of: $0.post) }))
        let mates = try await context.replica.people(in: SharedViews.mates)
        for some in unseen {
            let isHandled = handled[Self.reference(of: some.post)] ?? false
            let fresh = try await self.unseen(among: new?[some.post] ?? [], on: some, muted)
            guard !fresh.isEmpty || !isHandled else { continue }
            try await post(some, new: fresh, mates: mates)
        }
    }

    /// Reports the comments on a post.
    /// - Parameter new: those of them that have just arrived.
    private func post(
        _ unseen: Unseen, new: [StoredComment], mates: Set<PersonID>
    ) async throws {
        let told = new.isEmpty ? unseen.comments : new
        guard let last = told.last else { return }
        let names = try await context.core.names()
        let name = names[last.author] ?? last.name.map(last.author.called)
        let count = max(unseen.comments.count, new.count)
        let from: Sentence =
            name.map { "\($0) commented on your post" } ?? "Someone commented on your post"
        let several = Sentence(
            count: count, one: "1 new comment on your post",
            other: "\(count) new comments on your post")
        let more = Sentence(
            count: count, one: "At least 1 new comment on your post",
            other: "At least \(count) new comments on your post")
        let title = unseen.hasMore ? more : count == 1 ? from : several
        // Strangers cause no write, not even on a post on which a mate commented before.
        let ofMate = told.last { mates.contains($0.author) }
        let item = InboxItem(
            kind: Self.inboxKind, reference: Self.reference(of: unseen.post), title: title,
            body: Sentence(verbatim: unseen.title), actions: [], from: (ofMate ?? last).author,
            occasion: "\((ofMate ?? last).id)")
        if ofMate == nil {
            try await context.core.showInInbox(item)
        } else {
            try await context.core.postToInbox(item)
        }
        guard !new.isEmpty else { return }
        try await context.desktop.notify(
            DesktopNotice(
                about: item.subject, from: last.author, title: title,
                body: Sentence(verbatim: last.text), withoutText: title))
    }

    /// Returns my posts to which comments belong, with those of them that belong there. Any number
    /// may arrive at once, so each read looks up a part of them.
    private func ownPosts(
        withComments comments: [EntityID]
    ) async throws -> [EntityID: [EntityID]] {
        var posts: [EntityID: [EntityID]] = [:]
        for part in comments.inParts(of: PostLimits.askedCountMax) {
            let rows = try await context.replica.rows(
                """
                SELECT c.entity AS comment, p.entity AS post FROM waggle_space s
                CROSS JOIN posts_comment c ON c.space = s.space
                    AND c.entity IN (\(part.map { _ in "?" }.joined(separator: ", ")))
                JOIN posts_post p ON p.space = c.space AND p.entity = c.post AND p.creator = ?
                WHERE s.kind = 'open'
                """, part.map { .bytes($0.bytes) } + [.bytes(context.me.bytes)])
            for row in rows {
                guard let post = row.entity("post"), let comment = row.entity("comment") else {
                    continue
                }
                posts[post, default: []].append(comment)
            }
        }
        return posts
    }

    /// Returns those of some comments that were not seen and contain no muted word, in the order in
    /// which they were written.
    private func unseen(
        among comments: [EntityID], on unseen: Unseen, _ muted: MutedWords
    ) async throws -> [StoredComment] {
        var found: [StoredComment] = []
        for part in comments.inParts(of: PostLimits.askedCountMax) {
            let page = try await self.comments(
                on: unseen, after: unseen.start, among: Array(part))
            found += page.comments.filter { !$0.isMuted(by: muted) }
        }
        return found.sorted { ($0.stamp, $0.id) < ($1.stamp, $1.id) }
    }

    /// Returns the comments that were not seen and contain no muted word, in the order in which
    /// they were written. Of each post, it reads until it has ``PostLimits/askedCountMax``, and at
    /// most ``PostLimits/readsCountMax`` times. A post is left out if it surely has none.
    private func unseen(on posts: Set<EntityID>?, _ muted: MutedWords) async throws -> [Unseen] {
        let own = try await context.replica.rows(
            """
            SELECT p.space AS space, p.entity AS entity, p.title AS title,
                (SELECT max(s.until) FROM posts_seen s WHERE s.post = p.entity) AS until
            FROM posts_post p WHERE p.creator = ? AND p.title IS NOT NULL
            """, [.bytes(context.me.bytes)])
        var found: [Unseen] = []
        for row in own {
            guard let post = row.entity("entity"), posts?.contains(post) ?? true,
                let space = row.integer("space"),
                let title = row.text("title").flatMap(PostLimits.title.clip)
            else { continue }
            var some = Unseen(
                post: post, space: space, title: title, until: row.integer("until") ?? -1)
            var (next, readsCount): (Position?, Int) = (some.start, 0)
            while let after = next, some.comments.count < PostLimits.askedCountMax,
                readsCount < PostLimits.readsCountMax
            {
                let page = try await comments(on: some, after: after)
                some.comments += page.comments.filter { !$0.isMuted(by: muted) }
                next = page.next
                readsCount += 1
            }
            some.hasMore = next != nil
            if some.hasMore || !some.comments.isEmpty { found.append(some) }
        }
        return found
    }

    /// Returns comments on a post that were not seen, behind a position, and the position of the
    /// last one if there may be more. One read returns at most ``PostLimits/askedCountMax``.
    /// - Parameter wanted: the comments to look at; nil for all.
    private func comments(
        on unseen: Unseen, after position: Position, among wanted: [EntityID]? = nil
    ) async throws -> (comments: [StoredComment], next: Position?) {
        let marks = wanted.map { $0.map { _ in "?" }.joined(separator: ", ") }
        let rows = try await context.replica.rows(
            """
            SELECT c.* FROM posts_comment c WHERE c.space = ? AND c.post = ?
                AND (c.stamp, c.entity) > (?, ?) AND c.creator <> ? AND c.text <> ''
                AND c.creator NOT IN (SELECT person FROM \(SharedViews.blocked))
                AND NOT EXISTS (SELECT 1 FROM posts_seen s
                    WHERE s.post = c.post AND instr(s.comments, c.entity) > 0)
                \(marks.map { "AND c.entity IN (\($0))" } ?? "")
            ORDER BY c.stamp, c.entity LIMIT \(PostLimits.askedCountMax)
            """,
            [
                .integer(unseen.space), .bytes(unseen.post.bytes), .integer(position.stamp),
                .bytes(position.entity), .bytes(context.me.bytes),
            ] + (wanted ?? []).map { .bytes($0.bytes) })
        var next: Position?
        if rows.count == PostLimits.askedCountMax, let last = rows.last,
            let stamp = last.integer("stamp"), let entity = last.bytes("entity")
        {
            next = Position(stamp: stamp, entity: entity)
        }
        return (rows.compactMap(StoredComment.init), next)
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
        try await settle(open.intersection(rows.compactMap { $0.entity("post") }))
    }

    /// Withdraws the reports about comments that all contain a muted word, and counts the others
    /// anew.
    func settleMuted() async throws {
        let open = try await openReports()
        guard !open.isEmpty else { return }
        try await settle(open)
        try await tellComments(on: openReports())
    }

    /// Withdraws those of some reports for which no comment is left that is to be reported. A post
    /// with more muted comments than are read keeps its report.
    private func settle(_ reported: Set<EntityID>) async throws {
        guard !reported.isEmpty else { return }
        let muted = try await context.replica.mutedWords()
        let unseen = Set(try await unseen(on: reported, muted).map(\.post))
        for post in reported.subtracting(unseen) {
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

    /// Erases what this person recorded about posts that are gone: hidden ones, which comments were
    /// seen, and likes taken back. A post may be missing here and come back, because it was renewed
    /// or is still on its way, so the records stay for twice the time for which a post is kept.
    func forgetGone() async throws {
        let before = context.clock.wallTime - Limits.openStampAgeMax - Limits.openStampAgeMax
        for collection in [Self.seen, Self.hidden, Self.takenBack] {
            let rows = try await context.replica.rows(
                """
                SELECT r.entity AS entity FROM \(collection.table) r
                WHERE r.stamp < ? AND NOT EXISTS (SELECT 1 FROM waggle_space s
                    CROSS JOIN posts_post p ON p.space = s.space AND p.entity = r.post
                    WHERE s.kind = 'open')
                LIMIT \(PostLimits.askedCountMax)
                """, [.integer(before.milliseconds << 16)])
            for record in rows.compactMap({ $0.entity("entity") }) {
                try await erase(record, of: collection, in: .own(context.me))
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
