public import PluginKit
internal import PostsAPI

/// Messages to authors of posts.
extension Posts {
    /// Performs `posts message`.
    func message(_ request: MessageAuthor) async throws -> PostMessage {
        let post = try await find(request.id, try await reader())
        return try await correspondences.message(to: KnownPost(post), request.text)
    }

    /// Tells a person, whose device was linked, of open requests and conversations.
    public func linkChanged(_ peer: Peer, isUp: Bool) async throws {
        await correspondences.linkChanged(peer, isUp: isUp)
    }

    /// Processes a message about a request or a conversation.
    public func received(_ message: TopicMessage) async throws {
        try await correspondences.received(message)
    }

    /// Reads conversations, mates and blocked people again.
    public func relationsChanged() async throws { await correspondences.recordsChanged() }
}

/// A post, as far as correspondences need it.
struct KnownPost: Hashable, Sendable {
    let id: EntityID
    let author: PersonID
    let title: String
    /// The name that the author gave in the post.
    let authorName: String?

    init(_ post: StoredPost) {
        (id, author, title, authorName) = (post.id, post.author, post.title, post.name)
    }

    /// Reads a post of a joined neighbourhood; nil if it is not here.
    init?(_ id: EntityID, in replica: any ReplicaAccess) async throws {
        let row = try await replica.rows(
            """
            SELECT p.* FROM waggle_space s
            CROSS JOIN posts_post p ON p.space = s.space AND p.entity = ?
            WHERE s.kind = 'open' LIMIT 1
            """, [.bytes(id.bytes)]
        ).first
        guard let post = row.flatMap(StoredPost.init) else { return nil }
        self.init(post)
    }
}
