internal import PluginKit
internal import PostsAPI

/// Comments.
extension Posts {
    /// Performs `posts comment`.
    func comment(_ request: WriteComment) async throws -> PostComment {
        let reader = try await reader()
        let post = try await find(request.id, reader)
        guard !post.isBlocked else {
            throw CommandFault.refused(
                "You blocked the author of this post; unblock them to comment on it.")
        }
        let (space, most) = (try space(of: post, reader), PostCommands.dailyCommentsMax)
        guard try await ownCount(in: "posts_comment", today: space, reader) < most else {
            throw CommandFault.refused(
                "You wrote \(most) comments here today. Other devices store at most \(most) per "
                    + "person and day. Write again after midnight UTC.")
        }
        let name = try await context.core.myCard().nickname ?? ""
        let ids = try await context.replica.author(
            [
                .create(
                    collection: Self.comment.name, nonce: context.random.nonce(),
                    fields: [
                        "post": .bytes(post.id.bytes), "text": .text(request.text.string),
                        "name": .text(name),
                    ])
            ], in: space)
        guard let id = ids.first else {
            throw CommandFault.failed("The comment was not stored; try again.")
        }
        let comment = try await findComment(RecordPrefix(RecordKey(id)))
        return reader.answer(comment, on: post)
    }

    /// Performs `posts uncomment`.
    func uncomment(_ request: NameComment) async throws -> Done {
        let reader = try await reader()
        let comment = try await findComment(request.id)
        guard comment.author == context.me else {
            throw CommandFault.refused("Only its author can delete a comment.")
        }
        guard let space = reader.spaces[comment.space]?.space else {
            throw CommandFault.refused(Self.notJoined)
        }
        try await context.replica.author(
            [.erase(collection: Self.comment.name, entity: comment.id)], in: space)
        return Done()
    }

    private func findComment(_ wanted: RecordPrefix) async throws -> StoredComment {
        try wanted.onlyMatch(
            in: try await comments(in: wanted.entities), of: "comment", listedBy: "posts show")
    }

    /// Returns the first comments in a range of ids. Records that are no comments are passed over.
    func comments(in ids: ClosedRange<EntityID>) async throws -> [StoredComment] {
        try await context.replica.rows(
            """
            SELECT c.* FROM waggle_space s
            CROSS JOIN posts_comment c ON c.space = s.space AND c.entity BETWEEN ?1 AND ?2
            WHERE s.kind = 'open' AND c.text <> '' AND length(c.post) = \(Bytes16.bytesCount)
            LIMIT \(PostLimits.matchesCountMax)
            """, [.bytes(ids.lowerBound.bytes), .bytes(ids.upperBound.bytes)]
        ).compactMap(StoredComment.init)
    }
}
