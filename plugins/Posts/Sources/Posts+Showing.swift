internal import PluginKit
internal import PostsAPI

/// A post with its comments.
extension Posts {
    /// Answers `posts show`.
    func show(_ request: ShowPost) async throws -> PostDetail {
        let reader = try await reader()
        let post = try await find(request.id, reader)
        var after: PostCursor?
        if let text = request.after {
            guard case .comment(let stamp, let comment) = PostCursor(text.string) else {
                throw CommandFault.notFound("'after' must be the cursor of an earlier page.")
            }
            after = .comment(stamp: stamp, comment: comment)
        }
        return try await detail(of: post, after: after, reader)
    }

    /// Performs `posts open`: publishes a view if this person chose so, and records that they saw
    /// the comments if the post is theirs.
    func open(_ request: NamePost) async throws -> PostDetail {
        let reader = try await reader()
        let post = try await find(request.id, reader)
        if post.author == context.me {
            try await markSeen(post)
        } else {
            try await countView(of: post, reader)
        }
        return try await detail(of: post, after: nil, reader)
    }

    /// Publishes once that this person viewed a post, if they chose to be counted, and if more than
    /// half of the day's allowance is left: reading must not keep anybody from writing.
    private func countView(of post: StoredPost, _ reader: PostReader) async throws {
        guard try await settings().views else { return }
        let known = try await context.replica.rows(
            "SELECT 1 FROM posts_view WHERE space = ? AND post = ? AND creator = ? LIMIT 1",
            [.integer(post.space), .bytes(post.id.bytes), .bytes(context.me.bytes)])
        let space = try space(of: post, reader)
        guard known.isEmpty,
            try await context.neighbourhoods.bytesLeftToday(in: space)
                > PostLimits.bytesLeftForViewsMin
        else { return }
        do {
            try await context.replica.author(
                [
                    .create(
                        collection: Self.view.name, nonce: context.random.nonce(),
                        fields: ["post": .bytes(post.id.bytes)])
                ], in: space)
        } catch CommandFault.refused {
            // The day's allowance is used up; the post is shown all the same.
        }
    }

    private func detail(
        of post: StoredPost, after: PostCursor?, _ reader: PostReader
    ) async throws -> PostDetail {
        let details = try await details(of: [post])[post.id] ?? PostDetails()
        guard let answer = reader.answer(post, details, isWhole: true) else {
            throw CommandFault.refused(Self.notJoined)
        }
        let (stored, hasMore) = try await comments(on: post, after: after)
        let shown = stored.filter { !reader.hides($0) }
        let last = stored.last.map { PostCursor.comment(stamp: $0.stamp, comment: $0.id) }
        return PostDetail(
            post: answer, comments: shown.map { reader.answer($0, on: post) },
            after: hasMore ? last.map { Cursor(computed: $0.text) } : nil,
            hiddenCount: stored.count - shown.count, isHidden: reader.hides(post))
    }

    /// Returns a page of the comments on a post, the oldest first, and whether there are more.
    private func comments(
        on post: StoredPost, after: PostCursor?
    ) async throws -> (comments: [StoredComment], hasMore: Bool) {
        var (stamp, entity): (Int64, [UInt8]) = (-1, [])
        if case .comment(let last, let comment) = after { (stamp, entity) = (last, comment.bytes) }
        let count = PostCommands.commentsPageCount
        let rows = try await context.replica.rows(
            """
            SELECT c.*, c.creator IN (SELECT person FROM \(SharedViews.blocked)) AS is_blocked
            FROM posts_comment c WHERE c.space = ? AND c.post = ? AND c.text IS NOT NULL
                AND (c.stamp, c.entity) > (?, ?)
            ORDER BY c.stamp, c.entity LIMIT ?
            """,
            [
                .integer(post.space), .bytes(post.id.bytes), .integer(stamp), .bytes(entity),
                .integer(Int64(count) + 1),
            ])
        return (rows.prefix(count).compactMap(StoredComment.init), rows.count > count)
    }
}
