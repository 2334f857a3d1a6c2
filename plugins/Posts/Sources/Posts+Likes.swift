internal import PluginKit
internal import PostsAPI

/// Likes. Each device of a person may like a post before it hears that another did, so a person may
/// have several records, which count once.
///
/// A like that is taken back is erased, and the erase names the records that are here. For example
/// the phone takes the like back at 10:05. The laptop, which is offline, liked the post at 10:01.
/// The phone records in the person's own space that the like was taken back at 10:05, so the first
/// device that has both records erases the laptop's like too. A like of 10:06 would stay.
extension Posts {
    /// Performs `posts like`; liking a post again changes nothing.
    func like(_ request: NamePost) async throws -> Post {
        let reader = try await reader()
        let post = try await find(request.id, reader)
        guard !post.isBlocked else {
            throw CommandFault.refused(
                "You blocked the author of this post; unblock them to like it.")
        }
        for record in try await takenBack(post.id) {
            try await erase(record, of: Self.takenBack, in: .own(context.me))
        }
        if try await ownLikes(of: post).records.isEmpty {
            try await context.replica.author(
                [
                    .create(
                        collection: Self.like.name, nonce: context.random.nonce(),
                        fields: ["post": .bytes(post.id.bytes)])
                ], in: try space(of: post, reader))
        }
        return try await answer(post.id)
    }

    /// Performs `posts unlike`. Taking back a like that is not there changes nothing.
    func unlike(_ request: NamePost) async throws -> Post {
        let reader = try await reader()
        let post = try await find(request.id, reader)
        let (likes, last) = try await ownLikes(of: post)
        if !likes.isEmpty {
            try await recordTakenBack(post.id, until: max(last, reader.now.firstStamp))
        }
        for like in likes { try await erase(like, of: Self.like, in: try space(of: post, reader)) }
        return try await answer(post.id)
    }

    /// Erases likes of mine that another device wrote before this person took them back.
    func settleLikes(after changes: [RecordChange]) async throws {
        let concerns = changes.contains {
            $0.collection == Self.takenBack.name
                || $0.collection == Self.like.name && $0.author == context.me
        }
        if concerns { try await settleLikes() }
    }

    /// Erases likes of mine that were taken back: those of another device, and those of this one if
    /// the node ended between the two steps of ``unlike(_:)``.
    func settleLikes() async throws {
        var after = [UInt8]()
        while true {
            let rows = try await context.replica.rows(
                """
                SELECT DISTINCT s.descriptor AS descriptor, l.entity AS entity
                FROM posts_taken_back t CROSS JOIN waggle_space s
                JOIN posts_like l ON l.space = s.space AND l.post = t.post AND l.creator = ?
                WHERE s.kind = 'open' AND l.stamp <= t.until AND l.entity > ?
                ORDER BY l.entity LIMIT \(PostLimits.askedCountMax)
                """, [.bytes(context.me.bytes), .bytes(after)])
            for row in rows {
                guard let like = row.entity("entity"), let space = row.descriptor("descriptor")
                else { continue }
                try await erase(like, of: Self.like, in: space)
            }
            guard rows.count == PostLimits.askedCountMax, let last = rows.last?.bytes("entity")
            else { return }
            after = last
        }
    }

    /// Returns my likes of a post, and the stamp of the last one; −1 without any.
    private func ownLikes(
        of post: StoredPost
    ) async throws -> (records: [EntityID], last: Int64) {
        let rows = try await context.replica.rows(
            "SELECT entity, stamp FROM posts_like WHERE space = ? AND post = ? AND creator = ?",
            [.integer(post.space), .bytes(post.id.bytes), .bytes(context.me.bytes)])
        return (
            rows.compactMap { $0.entity("entity") },
            rows.compactMap { $0.integer("stamp") }.max() ?? -1
        )
    }

    private func takenBack(_ post: EntityID) async throws -> [EntityID] {
        try await context.replica.rows(
            "SELECT entity FROM posts_taken_back WHERE post = ?", [.bytes(post.bytes)]
        ).compactMap { $0.entity("entity") }
    }

    /// - Parameter stamp: the stamp up to which likes are taken back. What this device writes
    ///   afterwards has a later one.
    private func recordTakenBack(_ post: EntityID, until stamp: Int64) async throws {
        try await context.replica.author(
            [
                .create(
                    collection: Self.takenBack.name, nonce: context.random.nonce(),
                    fields: [
                        "post": .bytes(post.bytes), "until": .integer(stamp),
                    ])
            ], in: .own(context.me))
    }
}

extension Timestamp {
    /// The first stamp of this millisecond, as a column has it.
    fileprivate var firstStamp: Int64 { milliseconds << 16 }
}
